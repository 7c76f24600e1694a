import type { ChangeTarget } from '@holdfast/conversation'
import type { Engine } from '@holdfast/engine'
import { routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What the routes about changed files need. */
export interface FileRoutesDeps extends BindDeps {
  readonly engine: Pick<Engine, 'planRestore'>
}

/** Serves the files that a conversation changed. [WS1] */
export function bindFiles({ engine, ...deps }: FileRoutesDeps): void {
  bindRoute(deps, routes.planRestore, async ({ params: { id }, query, answer }) => {
    const files = await engine.planRestore({ conversationId: id, target: targetOf(query) })
    return answer(200, { files: files.slice() })
  })
}

interface Question {
  readonly run?: string
  readonly set?: number
  readonly since?: number
}

function targetOf({ run, set, since }: Question): ChangeTarget {
  if ([run, set, since].filter((given) => given !== undefined).length !== 1)
    throw new RefusedError(400, 'bad-request', 'Which changes: give exactly one of run, set and since')
  if (run !== undefined) return { type: 'run', runId: run }
  return set !== undefined ? { type: 'set', seq: set } : { type: 'since', seq: since ?? 0 }
}
