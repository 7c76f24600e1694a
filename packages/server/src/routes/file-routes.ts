import type { ChangesQuestion, Engine } from '@holdfast/engine'
import { routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What the routes about changed files need. */
export interface FileRoutesDeps extends BindDeps {
  readonly engine: Pick<Engine, 'readChanges'>
}

/** Serves the files that a conversation changed. [WS9] */
export function bindFiles({ engine, ...deps }: FileRoutesDeps): void {
  bindRoute(deps, routes.readChanges, async ({ params: { id }, query, answer }) => {
    const { target, base, files } = await engine.readChanges({ conversationId: id, target: targetOf(query) })
    const rows = files.map((file) => ({
      ...file,
      hunks: file.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.slice() })),
    }))
    return answer(200, { target, base, files: rows })
  })
}

interface Question {
  readonly run?: string
  readonly set?: number
  readonly since?: 'turn' | 'conversation' | 'base' | number
}

function targetOf({ run, set, since }: Question): ChangesQuestion['target'] {
  if ([run, set, since].filter((given) => given !== undefined).length > 1)
    throw new RefusedError(400, 'bad-request', 'Which changes: give one of run, set and since')
  if (run !== undefined) return { type: 'run', runId: run }
  if (set !== undefined) return { type: 'set', seq: set }
  switch (since) {
    case 'turn':
    case 'base':
      return { type: since }
    case undefined:
    case 'conversation':
      return { type: 'since', seq: 0 }
    default:
      return { type: 'since', seq: since }
  }
}
