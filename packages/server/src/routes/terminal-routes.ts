import type { EntryStore, SnapshotStore } from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import { routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import type { ErasedIn } from '../parts/erasures.ts'
import type { Principal } from '../parts/principal.ts'
import type { TerminalParts } from '../parts/terminals.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What the routes about terminals need. */
export interface TerminalRoutesDeps extends BindDeps, TerminalParts {
  readonly whenErased: (forget: (erased: ErasedIn) => Promise<void>) => void
  readonly store: Pick<EntryStore, 'read' | 'readListing'> & SnapshotStore
}

/** Serves what there is of terminals and background processes in a conversation. What is in a terminal goes over the socket. [WS25, WS30] */
export function bindTerminals({ terminals, background, workspaces, store, ...deps }: TerminalRoutesDeps): void {
  function refusalOf({ role, scopes }: Principal, folder: string | null) {
    if (!terminals) return 'none-here'
    if (role !== 'admin' || !scopes.includes('admin')) return 'not-allowed'
    return folder === null ? 'no-folder' : null
  }

  bindRoute(deps, routes.listTerminals, async ({ params: { id }, principal, userId, answer }) => {
    const { settings } = (await readOverview(store, id)).state
    const folder = workspaces?.folderOf({ ownerId: userId, settings }) ?? null
    const refusal = refusalOf(principal, folder)
    const own = (terminals?.list() ?? []).filter((one) => one.conversationId === id && one.ownerId === userId)
    const isAllowed = refusal === null || refusal === 'no-folder'
    return answer(200, {
      refusal,
      folder,
      terminals: isAllowed
        ? own.map(({ terminalId, folder: at, shell, startedAt }) => ({ terminalId, folder: at, shell, startedAt }))
        : [],
      processes: [...(background?.list(id) ?? [])],
    })
  })

  // Nobody reaches a terminal of a conversation that is gone.
  deps.whenErased(async ({ conversationId }) => {
    if (!terminals) return
    const left = terminals.list().filter((one) => one.conversationId === conversationId)
    if (left.length === 0 || (await store.readListing(conversationId)) !== null) return
    await Promise.all(left.map(({ terminalId }) => terminals.end(terminalId)))
  })

  bindRoute(deps, routes.readProcess, async ({ params: { id, processId }, query: { from }, answer }) =>
    answer(200, background?.read(id, { processId, fromByte: from }) ?? unknown(processId)),
  )

  bindRoute(deps, routes.endProcess, async ({ params: { id, processId }, answer }) =>
    answer(200, { row: (await background?.end(id, processId)) ?? unknown(processId) }),
  )
}

function unknown(processId: string): never {
  throw new RefusedError(
    404,
    'unknown-process',
    `No ${processId} is known here: it was at another server, or before a restart`,
  )
}
