import type { DraftDelta } from '../draft.ts'

/** Deltas of one open step, in their order. */
export interface DraftChunk {
  readonly conversationId: string
  readonly runId: string
  readonly stepId: string
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

/** Where open steps are kept until they end. [RUN3] */
export interface DraftStore {
  /**
   * Adds the chunks of any number of conversations in one transaction; durable when it resolves. A chunk
   * whose epoch is over is left out, the others are written.
   *
   * @returns the conversations whose chunk was left out: their writer has lost its lease.
   * @throws {StoreWriteError} when the disk or the database refused. Nothing was written.
   */
  appendDrafts(chunks: readonly DraftChunk[]): Promise<readonly string[]>

  /** The open steps of a conversation, their deltas in the order of writing. */
  readDrafts(conversationId: string): Promise<readonly StoredDraft[]>
}
