import { API_PATH, type BodyOf, type ConversationRow, ownRoutes } from '@holdfast/protocol'
import { readAs } from '../link/http-answer.ts'
import { RequestFailedError } from '../link/request-failed-error.ts'
import { headersOf, type ServerAddress } from '../link/web-socket-transport.ts'
import { createSource, type Observable } from '../values/observable.ts'

/** The user's conversations, newest change first. */
export interface ConversationList {
  readonly rows: readonly ConversationRow[]
  /** `loading` until the first page is here; `failed` when it could not be read. */
  readonly state: 'loading' | 'loaded' | 'failed'
  /** Whether older ones are at the server, on their way, or could not be read. */
  readonly older: 'none' | 'more' | 'loading' | 'failed'
}

/** The list at this end of the line. */
export interface ConversationListPeer {
  readonly store: Observable<ConversationList>
  /** Takes rows that have changed. */
  merge(changed: readonly ConversationRow[]): void
  /** Leaves conversations out that are deleted, also of pages that are on their way. */
  remove(conversationIds: readonly string[]): void
  /** Reads the list anew. */
  load(): Promise<void>
  /** Reads the next older page, unless one is on its way or there is none. */
  loadOlder(): Promise<void>
}

const PAGE_ROWS = 200

/** How long one answer may take, in milliseconds. */
const ANSWER_MS = 60_000

/** Makes the list. It is read over HTTP and kept up to date over the socket. */
export function createConversationList(
  server: ServerAddress,
  tellLater: (tell: () => void) => void,
): ConversationListPeer {
  const source = createSource<ConversationList>({ rows: [], state: 'loading', older: 'none' }, tellLater)
  /** Where the next older page begins; undefined before the first, null behind the last. */
  let next: string | null | undefined
  const deletedIds = new Set<string>()

  function withRows(changed: readonly ConversationRow[]): readonly ConversationRow[] {
    return mergedRows(source.getSnapshot().rows, changed).filter(({ id }) => !deletedIds.has(id))
  }

  function merge(changed: readonly ConversationRow[]): void {
    source.set({ ...source.getSnapshot(), rows: withRows(changed) })
  }

  function remove(conversationIds: readonly string[]): void {
    for (const id of conversationIds) deletedIds.add(id)
    merge([])
  }

  async function readPage(before: string | null): Promise<BodyOf<typeof ownRoutes.listConversations, 200> | null> {
    const query = new URLSearchParams({ limit: String(PAGE_ROWS), ...(before === null ? {} : { before }) })
    try {
      const answer = await fetch(`${server.url}${API_PATH}${ownRoutes.listConversations.path}?${query}`, {
        headers: headersOf(server),
        signal: AbortSignal.timeout(ANSWER_MS),
      })
      if (!answer.ok) return null
      return await readAs(ownRoutes.listConversations.answers[200], answer)
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException || error instanceof RequestFailedError))
        throw error
      return null
    }
  }

  function take(page: BodyOf<typeof ownRoutes.listConversations, 200>): void {
    source.set({ rows: withRows(page.conversations), state: 'loaded', older: next === null ? 'none' : 'more' })
  }

  async function load(): Promise<void> {
    const page = await readPage(null)
    const known = source.getSnapshot()
    if (page) {
      // Older pages that are here stay, and so does the place behind them.
      if (next === undefined) next = page.next
      take(page)
    } else if (known.state === 'loading') source.set({ ...known, state: 'failed' })
  }

  async function loadOlder(): Promise<void> {
    const known = source.getSnapshot()
    if (typeof next !== 'string' || known.older === 'loading') return
    source.set({ ...known, older: 'loading' })
    const page = await readPage(next)
    if (!page) {
      source.set({ ...source.getSnapshot(), older: 'failed' })
      return
    }
    next = page.next
    take(page)
  }

  return { store: { getSnapshot: source.getSnapshot, subscribe: source.subscribe }, merge, remove, load, loadOlder }
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
