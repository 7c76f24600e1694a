import type { KnownConversation } from '@holdfast/archive'
import { type Entry, type EntryLog, type EntryOf, entriesAfter, MAX_PAGE_ENTRIES } from '@holdfast/conversation'

/** What the store has of a conversation, for an import of it; null for nothing. */
export async function knownConversation(
  store: Pick<EntryLog, 'read'>,
  conversationId: string,
): Promise<KnownConversation | null> {
  const { head: entryCount } = await store.read({ conversationId, after: 0, limit: 1 })
  if (entryCount === 0) return null
  const entries = (): AsyncGenerator<Entry> => pagesOf(store, { conversationId, entryCount })
  const imports: EntryOf<'imported'>[] = []
  for await (const entry of entries()) if (entry.type === 'imported') imports.push(entry)
  return { entryCount, imports, entries }
}

async function* pagesOf(
  store: Pick<EntryLog, 'read'>,
  { conversationId, entryCount }: { readonly conversationId: string; readonly entryCount: number },
): AsyncGenerator<Entry> {
  const known = { conversationId, after: 0, to: entryCount, pageEntries: MAX_PAGE_ENTRIES }
  for await (const { entries } of entriesAfter(store, known)) yield* entries
}
