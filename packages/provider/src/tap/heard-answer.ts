import type { RequestUsage } from '../model-port.ts'

/** The form of an endpoint, as its vendor has it. */
export type WireForm = 'anthropic' | 'openai-chat' | 'openai-responses' | 'google'

/** What is known of an answer that goes by. */
export interface HeardAnswer {
  /** As far as the provider has said; null where it says nothing. */
  readonly usage: RequestUsage | null
  /** All that the model wrote, whatever kind of block it stands in. */
  readonly words: readonly string[]
  /** Whether the provider itself ended the answer. */
  readonly ended: boolean
  /** The error that it told inside the answer, in its words; null for none. */
  readonly error: string | null
}

/** Nothing has been heard. */
export const NOTHING_HEARD: HeardAnswer = { usage: null, words: [], ended: false, error: null }
