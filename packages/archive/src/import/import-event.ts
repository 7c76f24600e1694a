import type { Entry, EntryOf, NewEntry } from '@holdfast/conversation'
import type { ArchiveBlobs } from '../log/archive-blobs.ts'
import type { Skip, SkipReason } from './skip.ts'

/** What an import is made with. */
export interface ImportOptions {
  /** Who the conversations will belong to. */
  readonly ownerId: string
  /** Name of the source, such as a file's; for the report, and where the source itself names no conversation. */
  readonly name: string
  /** In milliseconds since the Unix epoch; for entries of which the source gives no time. */
  readonly importedAt: number
  readonly blobs: ArchiveBlobs
  /** How much of a conversation is in the store already: an import that was cut goes on where it ended. */
  readonly known: (conversationId: string) => Promise<KnownConversation | null>
  readonly limits: ImportLimits
  /** What is taken of the source; absent for all of it. */
  readonly only?: ImportFilter
  readonly signal: AbortSignal
}

/** What is taken of a source. Null for no bound. */
export interface ImportFilter {
  /** The name of its format; a source of another one is refused. */
  readonly format: string | null
  /** Conversations that began before are left out. In milliseconds since the Unix epoch. */
  readonly since: number | null
}

/** What the store has of a conversation. */
export interface KnownConversation {
  readonly entryCount: number
  /** The `imported` entries of its log, oldest first. */
  readonly imports: readonly EntryOf<'imported'>[]
  /** Reads the log from its beginning. */
  readonly entries: () => AsyncIterable<Entry>
}

/** What an import keeps in memory at most. What is larger is left out and reported. */
export interface ImportLimits {
  /** Characters of one line, or of one element of a list. */
  readonly valueChars: number
  /** Characters of one document that is not a list. */
  readonly documentChars: number
  /** Entries of one append, where a conversation has more. */
  readonly batchEntries: number
  /** Characters of a source that are gathered into one append. */
  readonly batchChars: number
}

/** Limits that hold every real log and keep an import below a gigabyte of memory. */
export const IMPORT_LIMITS: ImportLimits = {
  valueChars: 64 * 1024 * 1024,
  documentChars: 128 * 1024 * 1024,
  batchEntries: 20_000,
  batchChars: 1024 * 1024,
}

/** What happens during an import, in order. */
export type ImportEvent =
  | { readonly type: 'format-detected'; readonly format: string }
  /** Append these after `after`, with their times; all of them, before the next event is asked for. */
  | {
      readonly type: 'entries'
      readonly conversationId: string
      /** `seq` of the entry before; 0 for a new conversation. */
      readonly after: number
      /** Of the last of them. */
      readonly at: number
      /** As many as entries. */
      readonly times: readonly number[]
      readonly entries: readonly NewEntry[]
      /** Whether the conversation is whole with them. */
      readonly isWhole: boolean
    }
  | {
      readonly type: 'conversation-finished'
      readonly conversationId: string
      readonly sourceId: string
      /** Entries of the whole conversation. */
      readonly entryCount: number
      readonly isNew: boolean
    }
  | { readonly type: 'skipped'; readonly skip: Skip }
  | { readonly type: 'progress'; readonly characters: number; readonly conversations: number }
  | { readonly type: 'finished'; readonly report: ImportReport }

/** What became of a source. */
export interface ImportReport {
  readonly name: string
  /** Null where no format was recognized. */
  readonly format: string | null
  /** Conversations that are new. */
  readonly conversations: number
  /** Those that were there and have grown. */
  readonly updated: number
  /** Those that were there already, in whole. */
  readonly alreadyThere: number
  /** Those that have grown or changed in their source and stay as they are; `skips` says why. */
  readonly unchanged: number
  readonly entries: number
  readonly characters: number
  /** How often something was left out, by reason. */
  readonly skippedCounts: Readonly<Partial<Record<SkipReason, number>>>
  /** The first of each reason, with their lines. */
  readonly skips: readonly Skip[]
}
