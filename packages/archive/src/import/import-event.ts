import type { NewEntry } from '@holdfast/conversation'
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
  readonly signal: AbortSignal
}

/** What the store has of a conversation. */
export interface KnownConversation {
  readonly entryCount: number
  /** Whether its last entry is `imported`: then all of it is there. */
  readonly isComplete: boolean
}

/** What an import keeps in memory at most. What is larger is left out and reported. */
export interface ImportLimits {
  /** Characters of one line, or of one element of a list. */
  readonly valueChars: number
  /** Characters of one document that is not a list. */
  readonly documentChars: number
}

/** Limits that hold every real log and keep an import below a gigabyte of memory. */
export const IMPORT_LIMITS: ImportLimits = { valueChars: 64 * 1024 * 1024, documentChars: 128 * 1024 * 1024 }

/** What happens during an import, in order. */
export type ImportEvent =
  | { readonly type: 'format-detected'; readonly format: string }
  /** Append these after `after`, all with the time `at`; all of them, before the next event is asked for. */
  | {
      readonly type: 'entries'
      readonly conversationId: string
      /** `seq` of the entry before; 0 for a new conversation. */
      readonly after: number
      readonly at: number
      readonly entries: readonly NewEntry[]
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
  /** Conversations that were imported now, and those that were there already. */
  readonly conversations: number
  readonly alreadyThere: number
  readonly entries: number
  readonly characters: number
  /** How often something was left out, by reason. */
  readonly skippedCounts: Readonly<Partial<Record<SkipReason, number>>>
  /** The first of each reason, with their lines. */
  readonly skips: readonly Skip[]
}
