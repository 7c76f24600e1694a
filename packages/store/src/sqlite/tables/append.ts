import { type Entry, type Lease, listing } from '@holdfast/conversation'
import type { Database } from 'better-sqlite3'
import type { EntryRow } from '../../shared/prepare-append.ts'
import { Refusal } from '../messages/failures.ts'
import type { AppendAnswer, AppendCall } from '../messages/operations.ts'
import type { BlobTable } from './blob-table.ts'
import type { ConversationCache } from './conversation-cache.ts'
import type { Conversation, ConversationTable } from './conversation-table.ts'
import type { DraftTable } from './draft-table.ts'
import type { EntryTable } from './entry-table.ts'
import { indexedText } from './indexed-text.ts'
import type { LeaseTable } from './lease-table.ts'
import type { RecordTable } from './record-table.ts'
import type { SearchTable } from './search-table.ts'

/** What an append touches. */
export interface AppendTables {
  readonly database: Database
  readonly entries: EntryTable
  readonly conversations: ConversationTable
  readonly cache: ConversationCache
  readonly leases: LeaseTable
  readonly blobs: BlobTable
  readonly drafts: DraftTable
  readonly search: SearchTable
  readonly records: RecordTable
}

/**
 * The append: all that can refuse it is looked at before anything is written, so that a refused one
 * leaves nothing behind in the transaction it shares with others.
 */
export function createAppend(tables: AppendTables): (append: AppendCall) => AppendAnswer {
  const { database, entries, conversations, cache, leases, blobs, drafts, search, records } = tables
  const findCommand = database.prepare<[number, string], { fingerprint: string; first: number; last: number }>(
    'SELECT fingerprint, first_seq AS first, last_seq AS last FROM commands WHERE conversation_key = ? AND command_id = ?',
  )
  const addCommand = database.prepare<[number, string, string, number, number]>(
    'INSERT INTO commands (conversation_key, command_id, fingerprint, first_seq, last_seq) VALUES (?, ?, ?, ?, ?)',
  )
  const addUsage = database.prepare<[string, number, string, number, number, string]>(
    // A conversation that was deleted and is imported again has its records still: each counts once.
    `INSERT INTO usage (owner_id, at, conversation_id, seq, checksum, body) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (owner_id, at, conversation_id, seq) DO UPDATE SET checksum = excluded.checksum, body = excluded.body`,
  )

  const repeated = (
    known: Conversation | null,
    { conversationId, command }: AppendCall,
  ): readonly EntryRow[] | null => {
    if (!known || !command) return null
    const done = findCommand.get(known.key, command.commandId)
    if (!done) return null
    if (done.fingerprint !== command.fingerprint) {
      throw new Refusal({ type: 'command-reused', conversationId, commandId: command.commandId })
    }
    return entries.range(known.key, done.first, done.last)
  }

  /** The lease that the append takes, if it takes one; the epoch that it names is that of the lease. [LOG10, LOG23] */
  const leaseOf = ({ conversationId, epoch, acquire, now }: AppendCall): Lease | null => {
    const lease = acquire ? leases.next({ conversationId, ...acquire, now }) : null
    if (acquire && !lease && !acquire.mayBeHeld) throw new Refusal({ type: 'lease-held', conversationId })
    const currentEpoch = lease?.epoch ?? leases.currentEpoch(conversationId)
    if (epoch !== null && epoch !== currentEpoch)
      throw new Refusal({ type: 'stale-epoch', conversationId, epoch, currentEpoch })
    return lease
  }

  const settleLease = (lease: Lease | null, { conversationId, epoch, release }: AppendCall): void => {
    if (lease) leases.keep(lease)
    const held = lease?.epoch ?? epoch
    if (release && held !== null) leases.release({ conversationId, epoch: held })
  }

  return (append) => {
    const known = cache.find(append.conversationId)
    const earlier = repeated(known, append)
    if (earlier) return { earlier, lease: null }
    const lease = leaseOf(append)
    const head = known?.head ?? 0
    if (head !== append.after)
      throw new Refusal({ type: 'append-conflict', conversationId: append.conversationId, after: append.after, head })
    if (append.asksOnly) return { earlier: null, lease: null }
    const ownerId = known?.ownerId ?? append.newOwnerId
    if (ownerId === null) throw new Error(`Conversation ${append.conversationId} begins without an owner`)
    const named = blobs.requireAll(ownerId, append.blobs)

    for (const record of append.records) records.requireRevision(record)

    const added: Entry[] = append.rows.map(({ body }) => JSON.parse(body))
    const state = listing.reduce(known?.listing ?? listing.initial, added)
    const conversation = known ? conversations.update(known, state) : conversations.insert(append.conversationId, state)
    const { conversationId, key } = conversation
    append.rows.forEach((row, index) => {
      const entry = added[index]
      if (!entry) return
      const text = indexedText(entry)
      const foundId = text === null ? null : search.place(entry.at)
      entries.insert(key, row, { type: entry.type, foundId })
      if (text !== null && foundId !== null) search.add(foundId, ownerId, text)
      if (entry.type === 'usage-recorded')
        addUsage.run(ownerId, entry.at, conversationId, row.seq, row.checksum, row.body)
    })
    for (const record of append.records) records.put(record)
    for (const blob of named) blobs.refer(key, blob)
    blobs.use(conversationId, named, append.uploads)
    if (append.command) {
      addCommand.run(key, append.command.commandId, append.command.fingerprint, append.after + 1, conversation.head)
    }
    if (append.dropDraft !== null) {
      drafts.drop(conversationId, append.dropDraft)
      leases.closeDrafts(conversationId, conversation.head)
    }
    settleLease(lease, append)
    cache.put(conversation)
    return { earlier: null, lease }
  }
}
