import {
  type Append,
  type BlobReference,
  blobsOf,
  type CommandKey,
  type Entry,
  type LeaseClaim,
  MalformedEntryError,
  type NamedUpload,
  parseNewEntry,
  placeEntry,
  uploadsOf,
} from '@holdfast/conversation'
import { entryChecksum } from './checksum.ts'

/** An entry as a table has it. */
export interface EntryRow {
  readonly seq: number
  readonly checksum: number
  /** The whole entry as JSON, its place included. */
  readonly body: string
}

/** An append, checked and written out, as it goes to the database. */
export interface PreparedAppend {
  readonly conversationId: string
  readonly after: number
  /** The owner of a log that begins here; null for one that goes on. */
  readonly newOwnerId: string | null
  readonly epoch: number | null
  /** Who takes the lease with it, and for how long; null when nobody does. */
  readonly acquire: LeaseClaim | null
  readonly release: boolean
  readonly command: CommandKey | null
  readonly dropDraft: string | null
  /** Whether it is only asked if the append would be refused; nothing is written then. */
  readonly asksOnly: boolean
  readonly rows: readonly EntryRow[]
  readonly blobs: readonly BlobReference[]
  readonly uploads: readonly NamedUpload[]
  readonly records: readonly RecordText[]
}

/** A record that goes with an append, its value written out. */
export interface RecordText {
  readonly kind: string
  readonly ownerId: string
  readonly id: string
  readonly revision: number
  readonly value: string
  readonly at: number
}

/**
 * Checks an append and gives its entries their places.
 *
 * @throws {MalformedEntryError} when an entry is not one, or the log would not begin as logs do.
 */
export function prepareAppend(append: Append): {
  readonly prepared: PreparedAppend
  readonly entries: readonly Entry[]
} {
  const { conversationId, after } = append
  const times = append.times ?? append.entries.map(() => append.at)
  if (conversationId === '') throw new MalformedEntryError('Not an append: its conversation id is empty')
  if (times.length !== append.entries.length)
    throw new MalformedEntryError(`Not an append: ${times.length} times for ${append.entries.length} entries`)
  for (const at of [append.at, ...times])
    if (!Number.isSafeInteger(at) || at < 0)
      throw new MalformedEntryError(`Not an append: its time ${at} is not a time in milliseconds`)
  requireLeaseNamed(append)
  if (append.entries.length === 0 && (append.command === undefined || after === 0))
    throw new MalformedEntryError(`Nothing to append to conversation ${conversationId}`)
  const entries = append.entries.map((entry, index) =>
    placeEntry(parseNewEntry(entry), { conversationId, seq: after + 1 + index, at: times[index] ?? append.at }),
  )
  const first = entries[0]
  const created = entries.filter(({ type }) => type === 'conversation-created')
  if (after === 0 ? first?.type !== 'conversation-created' || created.length > 1 : created.length > 0) {
    throw new MalformedEntryError(
      `Log of conversation ${conversationId}: the first entry, and no other, is conversation-created`,
    )
  }
  return {
    entries,
    prepared: {
      conversationId,
      after,
      newOwnerId: first?.type === 'conversation-created' ? first.ownerId : null,
      epoch: append.epoch ?? null,
      acquire: append.acquire ?? null,
      release: append.release ?? false,
      command: append.command ?? null,
      dropDraft: append.dropDraft ?? null,
      asksOnly: false,
      rows: entries.map(toEntryRow),
      blobs: entries.flatMap((entry) => blobsOf(entry)),
      uploads: entries.flatMap((entry) => uploadsOf(entry)),
      records: (append.records ?? []).map((record) => ({
        ...record,
        value: JSON.stringify(record.value),
        at: append.at,
      })),
    },
  }
}

/** @throws {MalformedEntryError} when an append is to give back a lease without naming it. [LOG23] */
export function requireLeaseNamed({ conversationId, release, epoch, acquire }: Append): void {
  if (release && epoch === undefined && acquire === undefined)
    throw new MalformedEntryError(
      `Not an append: it gives back a lease of conversation ${conversationId} without its epoch`,
    )
}

/** An entry, written out for its table. */
export function toEntryRow(entry: Entry): EntryRow {
  const body = JSON.stringify(entry)
  return { seq: entry.seq, checksum: entryChecksum(entry, body), body }
}
