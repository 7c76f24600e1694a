import type { ProviderErrorCode } from '@holdfast/conversation'
import type { ModelFinish } from '../model-port.ts'

/** A block as a model streams it, piece by piece. */
export type WireBlock =
  | { readonly type: 'text' | 'thinking'; readonly pieces: readonly string[] }
  | { readonly type: 'tool-call'; readonly callId: string; readonly name: string; readonly pieces: readonly string[] }

/** Figures as the suite gives them to a form; what a form cannot say it leaves out. */
export interface WireUsage {
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly outputTokens: number
}

/** How a provider's form writes what the suite plays. Every string is one whole server-sent event. */
export interface WireScript {
  /** Whether figures come before the first content. */
  readonly hasEarlyUsage: boolean
  /** Whether the adapter reads thinking that is sent so. */
  readonly hasThinking: boolean
  /** Whether calls may be sent without an id. */
  readonly idsMayBeMissing: boolean
  /** Whether one answer may hold an id twice. */
  readonly idsMayRepeat: boolean
  start(usage: WireUsage): readonly string[]
  block(block: WireBlock, index: number): readonly string[]
  /** The provider's own end. */
  end(finish: ModelFinish, usage: WireUsage): readonly string[]
  /** An error inside the stream that says "overloaded". */
  readonly overloaded: string
  readonly ping: string
  /** Events and blocks of kinds that do not exist yet; the blocks count as `indexes` of the provider. */
  readonly unknown: { readonly events: readonly string[]; readonly indexes: number }
  /** A refusal as the provider writes it. */
  refusal(code: ProviderErrorCode): { readonly status: number; readonly bodyText: string }
}
