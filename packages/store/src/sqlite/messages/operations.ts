import type {
  Actor,
  Damage,
  IntegrityReport,
  Lease,
  LeaseReturn,
  SearchHit,
  SearchQuery,
  StoredBytes,
} from '@holdfast/conversation'
import type { DraftRow } from '../../shared/draft-rows.ts'
import type { PageText } from '../../shared/page-text.ts'
import type { EntryRow, PreparedAppend } from '../../shared/prepare-append.ts'

/** What the writing thread does; each is one member of a group commit. Names, arguments and results. */
export interface WriteSignatures {
  append: { args: AppendCall; result: AppendAnswer }
  appendDrafts: { args: { readonly chunks: readonly DraftChunkRow[] }; result: readonly string[] }
  writeSnapshots: { args: { readonly conversationId: string; readonly rows: readonly SnapshotRow[] }; result: null }
  acquireLease: { args: LeaseCall; result: Lease | null }
  endLeases: { args: { readonly now: number }; result: null }
  releaseLease: { args: LeaseReturn; result: boolean }
  /** `objectId` is null for content that comes into the database. */
  beginBlob: { args: { readonly ownerId: string; readonly objectId: string | null }; result: number }
  addBlobPiece: { args: { readonly blobKey: number; readonly piece: number; readonly bytes: Uint8Array }; result: null }
  endBlob: { args: UploadRow & { readonly blobKey: number }; result: null }
  dropBlob: { args: { readonly blobKey: number }; result: null }
  /** What was removed from the bucket. */
  forgetDropped: { args: { readonly objectIds: readonly string[] }; result: null }
  collectBlobs: { args: { readonly uploadedBefore: number }; result: number }
  putRecords: { args: readonly RecordPut[]; result: readonly { readonly revision: number; readonly change: number }[] }
  removeRecord: { args: RecordCall; result: null }
  erase: { args: ErasureCall; result: readonly EntryRow[] }
  deleteConversation: { args: { readonly conversationId: string; readonly at: number }; result: null }
  reindex: { args: { readonly conversationId: string }; result: null }
  /** For tests: how many transactions were committed, the most calls one of them had, and the settings. */
  writerStatistics: { args: null; result: WriterStatistics }
  /** For tests of a full disk. */
  limitPages: { args: { readonly maxPages: number }; result: null }
}

/** What the reading thread does. */
export interface ReadSignatures {
  readPage: { args: PageCall; result: PageRows }
  /** Null where it must be read, for it is not what was written. */
  readPageText: { args: PageCall; result: PageText | null }
  /** The first entry up to `to` that is missing or not what was written. */
  firstBadSeq: { args: { readonly conversationId: string; readonly to: number }; result: number | null }
  readDrafts: { args: { readonly conversationId: string }; result: readonly DraftRow[] }
  readSnapshots: { args: { readonly conversationId: string }; result: readonly SnapshotRow[] }
  listConversations: { args: ListCall; result: ShownRows }
  readListing: { args: { readonly conversationId: string }; result: string | null }
  /** The numbers of what matches in the search index, the newest first. */
  findWords: { args: { readonly match: string; readonly limit: number }; result: BigInt64Array }
  searchHits: { args: HitsCall; result: FoundHits }
  readUsage: { args: UsageCall; result: readonly UsageRow[] }
  findBlob: { args: BlobCall; result: FoundBlob | null }
  /** Null when there is no such piece, or it is not what was written. */
  readBlobPiece: { args: { readonly blobKey: number; readonly piece: number }; result: Uint8Array | null }
  /** Objects of the bucket that nothing names any more. */
  droppedObjects: { args: { readonly limit: number }; result: readonly string[] }
  storedBytes: { args: { readonly ownerId: string }; result: StoredBytes }
  getRecord: {
    args: { readonly kind: string; readonly ownerId: string; readonly id: string }
    result: RecordRow | null
  }
  listRecords: {
    args: { readonly kind: string; readonly ownerId: string; readonly afterId: string | null; readonly limit: number }
    result: readonly RecordRow[]
  }
  recordChanges: { args: { readonly after: number; readonly limit: number }; result: readonly ChangeRow[] }
  expiredLeases: { args: { readonly now: number; readonly limit: number }; result: readonly Lease[] }
  /** Where the entries of a log may stand, in the order of the log, past any damage. */
  planRescue: { args: { readonly conversationId: string }; result: Float64Array }
  rescueRows: {
    args: { readonly conversationId: string; readonly entryIds: Float64Array }
    result: RescuedRows
  }
  readerSettings: { args: null; result: Readonly<Record<string, unknown>> }
}

/** What a thread of its own does, so that nobody waits for it. */
export interface MaintenanceSignatures {
  check: { args: null; result: IntegrityReport }
  backup: { args: BackupCall; result: null }
  restore: { args: { readonly from: string; readonly force: boolean }; result: null }
}

/** A copy to write. */
export interface BackupCall {
  readonly file: string
  /** Whether what is in a bucket comes along; without it the copy is of the database alone. */
  readonly withBucket: boolean
}

/** An append, with the time by which a lease that it takes runs out. */
export interface AppendCall extends PreparedAppend {
  readonly now: number
}

/** What became of an append. */
export interface AppendAnswer {
  /** The rows of an earlier time when the command is a repeated one, else null. */
  readonly earlier: readonly EntryRow[] | null
  /** The lease that was taken. */
  readonly lease: Lease | null
}

/** Deltas of one step, written out. */
export interface DraftChunkRow extends DraftRow {
  readonly conversationId: string
  readonly startedSeq: number
  readonly epoch: number
}

/** A snapshot, its state as JSON. */
export interface SnapshotRow {
  readonly projection: string
  readonly version: number
  readonly cursor: number
  readonly state: string
}

/** A request for a lease, with the time of the store's clock. */
export interface LeaseCall {
  readonly conversationId: string
  readonly holder: string
  readonly ttlMs: number
  readonly now: number
}

/** An upload whose pieces are written. */
export interface UploadRow {
  readonly uploadId: string
  readonly ownerId: string
  readonly conversationId: string | null
  readonly hash: string
  readonly sizeBytes: number
  readonly mediaType: string
  readonly at: number
}

/** Which record to change, and at which revision. */
export interface RecordCall {
  readonly kind: string
  readonly ownerId: string
  readonly id: string
  readonly revision: number
}

/** What to write of a record. */
export interface RecordPut extends RecordCall {
  readonly value: string
  readonly at: number
}

/** What to erase. */
export interface ErasureCall {
  readonly conversationId: string
  readonly seqs: readonly number[]
  readonly reason: string
  readonly at: number
  readonly by?: Actor
}

/** What the writing thread has done since it began. */
export interface WriterStatistics {
  readonly commitCount: number
  readonly unsyncedCount: number
  readonly largestGroup: number
  readonly settings: Readonly<Record<string, unknown>>
}

/** Rows of a log, past damage, and how many places were looked at for them. */
export interface RescuedRows {
  readonly rows: readonly EntryRow[]
  readonly lookedAt: number
}

/** Which entries to read. Exactly one of `after` and `before` is a number. */
export interface PageCall {
  readonly conversationId: string
  readonly limit: number
  readonly after: number | null
  readonly before: number | null
  /** Null for no bound. */
  readonly maxBytes: number | null
}

/** The rows from `from` to `to`; none when `to` is less. */
export interface PageRows {
  readonly head: number
  readonly from: number
  readonly to: number
  readonly rows: readonly EntryRow[]
}

/** Which part of the list to read. */
export interface ListCall {
  readonly ownerId: string
  readonly archived: boolean
  readonly limit: number
  readonly before: { readonly updatedAt: number; readonly conversationId: string } | null
}

/** Rows of the list as JSON, and the conversations whose own row was damaged and was made from their log. */
export interface ShownRows {
  readonly shown: readonly string[]
  readonly damaged: readonly string[]
}

/** What hits are made of. */
export interface HitsCall {
  readonly query: SearchQuery
  readonly foundIds: BigInt64Array
  /** How far passages are looked for, in UTF-16 code units. */
  readonly lookedAt: number
}

/** What was made of the first of them. */
export interface FoundHits {
  readonly hits: readonly FoundHit[]
  /** How many numbers these hits are of. */
  readonly taken: number
  /** How far passages of the others are looked for, in UTF-16 code units. */
  readonly left: number
}

/** What became of one. */
export type FoundHit =
  | { readonly type: 'hit'; readonly hit: SearchHit }
  | { readonly type: 'damaged'; readonly damage: Damage }

/** Which usage records to read. */
export interface UsageCall {
  readonly ownerId: string
  readonly from: number
  readonly to: number
  readonly limit: number
  readonly after: { readonly at: number; readonly conversationId: string; readonly seq: number } | null
}

/** A usage record, written out. */
export interface UsageRow extends EntryRow {
  readonly conversationId: string
}

/** How a blob is reached. */
export type BlobCall =
  | { readonly conversationId: string; readonly hash: string }
  | { readonly uploadId: string; readonly ownerId: string }

/** A blob without its content. */
export interface BlobRow {
  readonly blobKey: number
  /** Its object in the bucket; null where it is in the database. */
  readonly objectId: string | null
  readonly hash: string
  readonly sizeBytes: number
  readonly mediaType: string
}

/** A blob, and its content where that is small enough to be given along. */
export interface FoundBlob extends BlobRow {
  /** Null for what is large, in the bucket, or not what was written. */
  readonly whole: Uint8Array | null
}

/** A record, its value as JSON. */
export interface RecordRow {
  readonly ownerId: string
  readonly id: string
  readonly revision: number
  readonly change: number
  readonly updatedAt: number
  readonly checksum: number
  readonly value: string
}

/** A change in the feed. */
export interface ChangeRow {
  readonly change: number
  readonly kind: string
  readonly ownerId: string
  readonly id: string
  readonly deleted: number
}

/** Operations by name. */
export type SignaturesOf<Signatures> = {
  readonly [Name in keyof Signatures]: { readonly args: unknown; readonly result: unknown }
}

/** The functions of a thread. */
export type Operations<Signatures extends SignaturesOf<Signatures>> = {
  readonly [Name in keyof Signatures]: (args: Signatures[Name]['args']) => Signatures[Name]['result']
}

/** A call as it crosses threads. */
export interface Call<Signatures extends SignaturesOf<Signatures>, Name extends keyof Signatures = keyof Signatures> {
  readonly id: number
  readonly name: Name
  readonly args: Signatures[Name]['args']
}
