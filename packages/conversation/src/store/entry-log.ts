import type { Entry, NewEntry } from '../entry.ts'
import type { Json } from '../json.ts'
import type { Lease, LeaseRequest } from './lease-store.ts'
import type { RecordKey } from './records.ts'

/** Entries to append after a known head. */
export interface Append {
  readonly conversationId: string
  /** `seq` of the entry that the caller believes is last; 0 for a log that does not exist yet. [LOG2] */
  readonly after: number
  /**
   * The first entry of a log is `conversation-created`. None at all only with a command, in a log that exists: then
   * it is remembered that the command was carried out and left nothing. [LOG4]
   */
  readonly entries: readonly NewEntry[]
  /** Time of the append, in milliseconds since the Unix epoch. */
  readonly at: number
  /** The time of each entry, as many as entries, for what happened elsewhere before; absent: `at` for all. */
  readonly times?: readonly number[]
  /** The owner's lease epoch, for entries of a run; absent for commands, which any replica may append. [LOG10] */
  readonly epoch?: number
  /**
   * Takes the lease, or takes it again, as `acquireLease` does, in the transaction of the entries: both or neither. With
   * an `epoch` beside it the lease that is taken must be of that epoch. [LOG23]
   *
   * With `mayBeHeld` the entries are written also where another holds it, before that one can give it back at the head that
   * it knows of. [SCALE24]
   */
  readonly acquire?: LeaseClaim
  /** Gives the lease of this append back behind its entries, in their transaction: that of `acquire`, else of `epoch`. [LOG23] */
  readonly release?: true
  /** The command that this append carries out. [LOG4] */
  readonly command?: CommandKey
  /**
   * The step whose draft became `step-finished` here; the draft goes in the same transaction, and nothing is kept any more
   * of a step that began before these entries. [SCALE21]
   */
  readonly dropDraft?: string
  /**
   * Records that are written in the transaction of the entries: both or neither. Values are what the schema of their kind
   * takes; the caller has checked them. [SCHED6]
   */
  readonly records?: readonly AppendedRecord[]
}

/** Who takes a lease with entries, and for how long. */
export interface LeaseClaim extends Omit<LeaseRequest, 'conversationId'> {
  readonly mayBeHeld?: true
}

/** A record that is written with entries, at the time of their append. */
export interface AppendedRecord extends RecordKey {
  readonly kind: string
  /** The revision that the caller has read; 0 for a record that does not exist yet. */
  readonly revision: number
  readonly value: Json
}

/** Names a command, so that sending it again has no second effect. */
export interface CommandKey {
  /** Chosen by the client; unique in the conversation. */
  readonly commandId: string
  /** Hash of what the command asks for. The same id with another fingerprint is refused. */
  readonly fingerprint: string
}

/** What an append left in the log. */
export interface Appended {
  readonly entries: readonly Entry[]
  /** True when the command had been carried out before; `entries` are those of that time. */
  readonly repeated: boolean
  /** What `acquire` took; absent where it was not asked for, where another may hold it and does, and for a repeated command. */
  readonly lease?: Lease
}

/** Which page of a log to read: what follows `after`, or what stands before `before`. */
export type PageQuery = {
  readonly conversationId: string
  readonly limit: number
  /** A page that would have more, as stored, ends before its limit, at its own last `seq`; one entry it always has. [LOG5] */
  readonly maxBytes?: number
} & ({ readonly after: number; readonly before?: never } | { readonly before: number; readonly after?: never })

/** A page of a log, oldest first in either direction. */
export interface EntryPage {
  readonly entries: readonly Entry[]
  /** `seq` of the log's last entry; 0 when there is no such log. */
  readonly head: number
}

/** The most entries one page has; a larger limit is cut to it. [LOG5] */
export const MAX_PAGE_ENTRIES = 1_000

/** What a page has at most for somebody who reads a log over the network, in bytes as stored. [LOG5] */
export const PAGE_BYTES = 1_024 * 1_024

/** The log itself. `describeEntryStore` is the contract as tests. */
export interface EntryLog {
  /**
   * Appends all of `entries`, or none. When it resolves they are durable: synced to disk. [LOG2, LOG3]
   *
   * In the same transaction: the draft named by `dropDraft` goes, the lease is taken or given back, the conversation list
   * and the search index follow, and references to blobs are counted. A repeated command is answered before anything else
   * is looked at: the log has moved on since. [LOG4]
   *
   * @throws {AppendConflictError} when the log does not end at `after`. Nothing was written.
   * @throws {StaleEpochError} when `epoch` is not that of the lease: another owner has taken it since. Nothing
   *   was written. [LOG10]
   * @throws {LeaseHeldError} when `acquire` asks for a lease that another holds, and may not. Nothing was written. [LOG23]
   * @throws {CommandReusedError} when the command id was used for something else. [LOG4]
   * @throws {RevisionConflictError} when one of `records` is not at its revision. Nothing was written. [SCHED6]
   * @throws {MalformedEntryError} when an entry is not one, the log would not begin as logs do, or a lease is to be given
   *   back that the append does not name.
   * @throws {MissingBlobError} when an entry names a blob that its owner does not have. [LOG11]
   * @throws {StoreWriteError} when the disk or the database refused. Nothing is acknowledged. [LOG8]
   */
  append(append: Append): Promise<Appended>

  /**
   * Reads a page in bounded memory and in time that does not depend on the log's length. [LOG5]
   *
   * @throws {DamagedLogError} when the page would hold or skip an entry that cannot be read. It says up
   *   to where the log is good; that part can be read with a smaller page. [LOG7]
   * @throws {NewerEntryError} when the page holds an entry of a newer Holdfast. [LOG6]
   */
  read(query: PageQuery): Promise<EntryPage>

  /**
   * The page that `read` gives, as JSON in UTF-8, for who hands it on and looks at nothing of it: what stands in the store
   * as it would be written anew need not become objects before. [LOG37]
   *
   * @throws what `read` throws.
   */
  readText(query: PageQuery): Promise<Uint8Array>
}
