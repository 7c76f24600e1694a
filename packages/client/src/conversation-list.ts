import { API_PATH, type ConversationRow, routes } from '@holdfast/protocol'
import { createSource, type Observable } from './observable.ts'
import { headersOf, type ServerAddress } from './web-socket-transport.ts'

/** The user's conversations, newest change first. */
export interface ConversationList {
  readonly rows: readonly ConversationRow[]
  /** `loading` until the first page is here; `failed` when it could not be read. */
  readonly state: 'loading' | 'loaded' | 'failed'
}

/** The list at this end of the line. */
export interface ConversationListPeer {
  readonly store: Observable<ConversationList>
  /** Takes rows that have changed. */
  merge(changed: readonly ConversationRow[]): void
  /** Reads the list anew. */
  load(): Promise<void>
}

/** Makes the list. It is read over HTTP and kept up to date over the socket. */
export function createConversationList(
  { url, token }: ServerAddress,
  tellLater: (tell: () => void) => void,
): ConversationListPeer {
  const source = createSource<ConversationList>({ rows: [], state: 'loading' }, tellLater)

  function merge(changed: readonly ConversationRow[]): void {
    const { rows, state } = source.getSnapshot()
    source.set({ rows: mergedRows(rows, changed), state })
  }

  async function load(): Promise<void> {
    try {
      const answer = await fetch(`${url}${API_PATH}${routes.listConversations.path}?limit=200`, {
        headers: headersOf(token),
      })
      if (!answer.ok) throw new TypeError(`The list was answered with status ${answer.status}`)
      const { conversations } = routes.listConversations.answers[200].parse(await answer.json())
      source.set({ rows: mergedRows(source.getSnapshot().rows, conversations), state: 'loaded' })
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      const { rows, state } = source.getSnapshot()
      if (state === 'loading') source.set({ rows, state: 'failed' })
    }
  }

  return { store: { getSnapshot: source.getSnapshot, subscribe: source.subscribe }, merge, load }
}

/** A row with a later head wins: a page and a frame may cross on their way. */
export function mergedRows(
  known: readonly ConversationRow[],
  changed: readonly ConversationRow[],
): readonly ConversationRow[] {
  const rows = new Map(known.map((row) => [row.id, row]))
  for (const row of changed) {
    if (row.head >= (rows.get(row.id)?.head ?? 0)) rows.set(row.id, row)
  }
  return [...rows.values()]
    .filter((row) => !row.archived)
    .sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))
}
