import type { AppendedRecord, CommandKey, Entry, EntryLog, NewEntry, Overview } from '@holdfast/conversation'
import type { RequestState } from './request-state.ts'

/** How to append, beside what. */
export interface AppendOptions {
  /** The run's lease epoch; null for commands. */
  readonly epoch: number | null
  readonly command: CommandKey | null
  /** The step whose draft ends here; null for none. */
  readonly dropDraft: string | null
  /** Records that are written with the entries, or not at all. [SCHED6] */
  readonly records?: readonly AppendedRecord[]
  /** Asked when it is decided: whether the lease of `epoch` goes back with these entries. Absent: it stays. [RUN32] */
  readonly givesBack?: () => boolean
}

/** What an append left; no entries when there was nothing to append. */
export interface AppendResult {
  readonly entries: readonly Entry[]
  readonly repeated: boolean
}

/** A conversation's log with the state folded from it, as commands and runs use it. Appends are one after the other. */
export interface LiveLog {
  readonly conversationId: string
  /** The state after the last entry seen. */
  readonly overview: () => Overview
  /** What requests depend on beside the path, after the same entry. */
  readonly requestState: () => RequestState
  /**
   * Appends what `decide` makes of the newest state, and decides again when another writer was faster.
   * When it resolves, the entries are durable and published; those of a staged log are once `settle` has resolved.
   */
  append(options: AppendOptions, decide: (state: Overview) => readonly NewEntry[]): Promise<AppendResult>
  /** Resolves when all that was appended is durable and published: before that nothing may be asked or done by it. [RUN24] */
  settle(): Promise<void>
  /** Pages of the log: while it is held, those of its end come from memory. */
  readonly read: EntryLog['read']
  /** Reads what others have written since, and publishes it here. */
  refresh(): Promise<void>
}
