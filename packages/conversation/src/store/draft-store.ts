import type { DraftDelta } from '../draft.ts'

/** Deltas of one open step, in their order. */
export interface DraftChunk {
  readonly conversationId: string
  readonly runId: string
  readonly stepId: string
  /** `seq` of the step's `step-started`. */
  readonly startedSeq: number
  /** The writer's lease epoch. */
  readonly epoch: number
  readonly deltas: readonly DraftDelta[]
}

/** An open step as the store has it. */
export interface StoredDraft {
  readonly runId: string
  readonly stepId: string
  readonly deltas: readonly DraftDelta[]
}

/** Where open steps are kept until they end. One step of a conversation at a time is kept. [RUN3] */
export interface DraftStore {
  /**
   * Adds the chunks of any number of conversations in one transaction; durable when it resolves. A chunk
   * whose epoch is over is left out, the others are written. So is one that comes late: of a step that began before the
   * last append that dropped a draft of its conversation. Whoever gave up waiting for a write does not know when it
   * arrives; behind the end of its step it must not be kept. [SCALE21]
   *
   * @returns the conversations whose chunk was left out: their writer has lost its lease, or its step has ended.
   * @throws {StoreWriteError} when the disk or the database refused. Nothing was written.
   */
  appendDrafts(chunks: readonly DraftChunk[]): Promise<readonly string[]>

  /** The open steps of a conversation, their deltas in the order of writing. */
  readDrafts(conversationId: string): Promise<readonly StoredDraft[]>
}
