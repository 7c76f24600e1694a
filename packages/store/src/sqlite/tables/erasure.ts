import {
  blobsOf,
  DamagedLogError,
  type Entry,
  ErasureRefusedError,
  erasureCandidates,
  listing,
} from '@holdfast/conversation'
import { planErasure } from '../../shared/plan-erasure.ts'
import { type EntryRow, toEntryRow } from '../../shared/prepare-append.ts'
import { readRow } from '../../shared/read-rows.ts'
import type { ErasureCall } from '../messages/operations.ts'
import type { Conversation } from './conversation-table.ts'
import { indexedText } from './indexed-text.ts'
import { foldListing, walkLog } from './walk-log.ts'
import type { WriterTables } from './writer-tables.ts'

/** Puts tombstones in the place of entries and drops every copy of what they said. Returns the tombstones. [LOG9] */
export function eraseEntries(tables: WriterTables, erasure: ErasureCall): readonly EntryRow[] {
  const conversation = tables.cache.find(erasure.conversationId)
  if (!conversation) throw new ErasureRefusedError(erasure.seqs[0] ?? 0, 'there is no such entry')
  const { key, conversationId, ownerId } = conversation
  const plan = planErasure(candidates(tables, conversation, erasure.seqs), erasure)
  tables.search.remove(
    tables.entries.foundIds(
      key,
      plan.erased.map(({ seq }) => seq),
    ),
  )
  const rows = plan.tombstones.map(toEntryRow)
  for (const row of rows) tables.entries.replace(key, row, 'body-erased')
  for (const stepId of plan.stepIds) tables.drafts.drop(conversationId, stepId)
  tables.blobs.release(
    { key, conversationId, at: erasure.at },
    ownerId,
    plan.erased.flatMap((entry) => blobsOf(entry)),
  )
  tables.snapshots.dropAll(conversationId)
  refold(tables, conversation)
  return rows
}

/** Deletes a conversation with all that belongs to it, except what it cost. [LOG9] */
export function deleteConversation(
  tables: WriterTables,
  { conversationId, at }: { readonly conversationId: string; readonly at: number },
): void {
  const key = tables.conversations.findKey(conversationId)
  tables.leases.end(conversationId)
  tables.drafts.dropAll(conversationId)
  tables.snapshots.dropAll(conversationId)
  if (key === null) return
  tables.search.remove(tables.entries.allFoundIds(key))
  tables.blobs.releaseAll({ key, conversationId, at })
  tables.forgetCommands(key)
  tables.entries.deleteAll(key)
  tables.conversations.remove(key)
  tables.cache.remove(conversationId)
}

/** Makes the rows of a conversation in the list and in the search anew from its log. [PRJ5] */
export function reindexConversation(tables: WriterTables, conversationId: string): void {
  const conversation = tables.cache.find(conversationId)
  if (!conversation) return
  refold(tables, conversation)
  tables.search.remove(tables.entries.allFoundIds(conversation.key))
  for (const batch of walkLog(tables.entries, conversation)) {
    for (const entry of batch) addToSearch(tables, conversation, entry)
  }
}

/** Makes the search index of all conversations anew. A log that is damaged is found up to the damage. */
export function rebuildSearch(tables: WriterTables, onDamage: (damage: DamagedLogError) => void): void {
  tables.search.empty()
  for (let after = 0; ; ) {
    const page = tables.conversations.keys(after, 100)
    for (const { conversationId } of page) {
      try {
        reindexConversation(tables, conversationId)
      } catch (error) {
        if (!(error instanceof DamagedLogError)) throw error
        onDamage(error)
      }
    }
    const last = page.at(-1)
    if (!last) return
    after = last.key
  }
}

/** Rows keep their number when it fits, so that what is found stays in its order. */
function addToSearch(tables: WriterTables, { key, ownerId }: Conversation, entry: Entry): void {
  const text = indexedText(entry)
  const [known] = tables.entries.foundIds(key, [entry.seq])
  const foundId = text === null ? null : (known ?? tables.search.place(entry.at))
  if (foundId !== (known ?? null)) tables.entries.setFoundId(key, entry.seq, foundId)
  if (text !== null && foundId !== null) tables.search.add(foundId, ownerId, text)
}

function refold(tables: WriterTables, conversation: Conversation): void {
  const state = foldListing(conversation, tables.entries)
  tables.cache.put(tables.conversations.update({ ...conversation, listing: listing.initial }, state))
}

function candidates({ entries }: WriterTables, conversation: Conversation, seqs: readonly number[]): readonly Entry[] {
  const { key, conversationId, head } = conversation
  const named = seqs.flatMap((seq) => {
    const row = entries.one(key, seq)
    if (!row && seq >= 1 && seq <= head)
      throw new DamagedLogError({ conversationId, firstBadSeq: seq, what: 'it is missing' })
    return row ? [row] : []
  })
  const first = [...named, ...entries.checkpoints(key)].map((row) => readRow(conversationId, row))
  const candidates = erasureCandidates(first)
  for (let grew = true; grew; ) {
    grew = false
    for (const batch of walkLog(entries, conversation)) grew = candidates.take(batch) || grew
  }
  return candidates.found()
}
