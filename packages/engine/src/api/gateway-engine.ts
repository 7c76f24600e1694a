import type { ProviderError, RequestUsage } from '@holdfast/provider'
import type { Billed } from './billed.ts'

/** A request of an external agent that is to be passed on to a provider as it is. [AGENT8] */
export interface RequestToPass {
  readonly conversationId: string
  readonly billed: Billed
  /** SHA-256 of its body, in hexadecimal. */
  readonly bodyHash: string
  readonly sizeBytes: number
  /** The path of the provider that it goes to, without its query. */
  readonly path: string
  /** All words in it, by which it is estimated. */
  readonly words: string
  /** The longest answer that it asks for; null where it names none. */
  readonly maxOutputTokens: number | null
}

/** What became of a request that was passed on. */
export interface PassedOutcome {
  /** As the provider said; null for nothing. */
  readonly usage: RequestUsage | null
  /** What was heard of its answer, by which it is estimated where the provider did not say. */
  readonly heard: string
  /** Whether the provider itself ended the answer. */
  readonly ended: boolean
  /** HTTP status of the answer; null where none came. */
  readonly status: number | null
  /** Why there is no answer, or only a part of it; null where it ended by itself, or who asked has left. */
  readonly failure: ProviderError | null
}

/** A request that stands in the log and may be made. */
export interface OpenPass {
  readonly type: 'open'
  readonly stepId: string
  /** Cuts it: a stop, the end of the run, a shutdown or a lost lease. */
  readonly signal: AbortSignal
  /**
   * Writes down what became of it. Whoever has it calls it once, in every case, and at once when `signal` aborts: the run
   * does not end before.
   */
  readonly record: (outcome: PassedOutcome) => Promise<void>
}

/** Why a request is not passed on. */
export interface PassRefused {
  readonly type: 'refused'
  readonly why: 'no-run' | 'stopped' | 'budget'
  readonly reason: string
}

/** Requests that are made beside a run's own steps, by what it works with. */
export interface GatewayEngine {
  /** The model that is set for a conversation that is live in this process; null where none is, or it is not. */
  modelChosenIn(conversationId: string): string | null
  /**
   * Judges a request by the budgets and writes down that it is made, in the run of its conversation that works here.
   * [AGENT8, COST7, COST9]
   */
  passRequest(request: RequestToPass): Promise<OpenPass | PassRefused>
}
