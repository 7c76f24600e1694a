/** What became of a hunk: nobody decided, it was kept, it is not there any more, or something else changed these lines since. */
export type HunkState = 'open' | 'kept' | 'rejected' | 'overwritten'

/** Changed lines of a file with what stands around them, decided about together. [WS9] */
export interface ReviewedHunk {
  /** Hash of path and changed lines: one change has one id, wherever it stands in the file. */
  readonly id: string
  /** Number of its first line, from 1; 0 where that text has no lines. */
  readonly oldStart: number
  readonly newStart: number
  /** As in a unified diff: ` `, `-` or `+` before each, and `\` for a missing line end. */
  readonly lines: readonly string[]
  readonly state: HunkState
}

/** A changed file, folder or link, as a person reviews it. [WS9] */
export interface ReviewedFile {
  readonly path: string
  /** Where it was before, when it was moved. */
  readonly from?: string
  /** Names this change of this file: another one has another id. */
  readonly id: string
  readonly status: 'added' | 'changed' | 'deleted' | 'renamed'
  /** Absent for a file. */
  readonly entity?: 'folder' | 'link'
  readonly additions: number
  readonly deletions: number
  /** Empty for what is no text, and for what changed in its rights or its place alone. */
  readonly hunks: readonly ReviewedHunk[]
  /** Bytes before and after, where it is a file that is no text. */
  readonly bytes?: { readonly before: number | null; readonly after: number | null }
  /** Rights before and after, where they differ. */
  readonly rights?: { readonly before: number; readonly after: number }
  /** Where a link leads, before and after. */
  readonly leads?: { readonly before: string | null; readonly after: string | null }
  /** Present where there are too many lines to show: it is kept or rejected as a whole. */
  readonly isCut?: true
  /** What rejecting it does: `nothing` for what is as it was before already, and for a conflict. */
  readonly act: 'create' | 'change' | 'delete' | 'nothing'
  /** Why it cannot be rejected as a whole; null where nothing stands against it. */
  readonly conflict: string | null
  readonly isKept: boolean
  /** Present where no tool told the change: it was seen around a call, and is taken back only where that is asked for too. [TOOL15] */
  readonly seenOnly?: true
}

/** What was decided about changes before, by the ids of files and hunks. [WS9] */
export interface ReviewMarks {
  readonly kept: ReadonlySet<string>
  readonly rejected: ReadonlySet<string>
}

/** What a person decides about a file, a hunk of it or lines of that. [WS9] */
export interface ChangeDecision {
  readonly path: string
  /** Absent for the whole file. */
  readonly hunkId?: string
  /** Places in the lines of the hunk, from 0; absent for all that it changes. */
  readonly lines?: readonly number[]
  /** False to reject it; null to leave it open again. */
  readonly keep: boolean | null
  /** The id of the file as it was looked at; absent to decide about whatever it is now. */
  readonly seen?: string
}

/** A decision as it is remembered: about a file or a hunk by its id. */
export interface ChangeMark {
  readonly path: string
  readonly id: string
  readonly keep: boolean | null
}

/** What was rejected of one file. */
export interface RejectedChange {
  readonly path: string
  /** Lines as a diff shows them: what came goes, what went comes back; empty for what has no lines. */
  readonly lines: readonly string[]
  /** Whether all of the change was rejected. */
  readonly isWhole: boolean
}
