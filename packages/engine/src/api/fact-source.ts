import type { EntryOf, Overview } from '@holdfast/conversation'

/**
 * Something that changes by itself and that the model is to know: the time, the canvas, memories. It never stands in
 * the system text: before a request the engine asks for it, and notes it where it is not what the model was told. [REQ6]
 */
export interface FactSource {
  /** What it is about; one source for each section. */
  readonly section: EntryOf<'context-noted'>['section']
  /** The most tokens that its note takes; what is longer loses its middle. Above 1,500, or 8,000 for a map and instructions, or the share of a small window, that holds. [REQ6, MAP1, WIN18] */
  readonly budgetTokens: number
  /** Whether what it says is for the agent alone that answers then: another one is never sent it. [AGENT4] */
  readonly isPerAgent?: boolean
  /**
   * What the model is to know now; null for nothing. Asked at the start of a turn, before each further step, and again
   * after the start of the window has moved; all sources at the same time. An implementer answers with the same text while nothing has changed that
   * is worth telling, as every other text is a new note and is paid for. It obeys the signal, gives plain text (marks
   * are escaped for it), and throws for defects alone: they end the run.
   */
  textNow(at: FactMoment): Promise<string | null>
}

/** What a source may look at. */
export interface FactMoment {
  readonly conversationId: string
  readonly state: Overview
  /** Milliseconds since the Unix epoch. */
  readonly now: number
  /** Requests of this run so far; 0 at the start of a turn. */
  readonly stepCount: number
  /** What the model was told last, as far as it is still sent. `at` is in milliseconds since the Unix epoch. */
  readonly noted: { readonly text: string; readonly at: number } | null
  /** The newest words of the person on the path; empty where there are none. */
  readonly question: string
  /** Tokens that a text takes in a note, estimated. */
  readonly tokensOf: (text: string) => number
  readonly signal: AbortSignal
}
