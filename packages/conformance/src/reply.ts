import type { PlacedFault } from './faults/fault.ts'

/** One part of what the model answers. */
export type ReplyPart =
  | { readonly type: 'text'; readonly text: string; readonly chunks?: readonly string[] }
  | {
      readonly type: 'thinking'
      readonly text: string
      readonly chunks?: readonly string[]
      /** `valid` by default; `missing` sends none, `altered` one that no request may carry. */
      readonly signature?: 'valid' | 'missing' | 'altered'
    }
  | { readonly type: 'redacted-thinking' }
  | {
      readonly type: 'tool-call'
      readonly name: string
      /** The namespace that the tool was offered in: OpenAI's Responses alone have them. */
      readonly namespace?: string
      /** A value is written as JSON; `raw` is sent as it stands, whole JSON or not. */
      readonly input: unknown
      readonly raw?: string
      /** Made by the provider where it is not given; `null` sends no id at all. */
      readonly id?: string | null
      readonly chunks?: readonly string[]
    }
  /** A block of a type that no client knows. */
  | { readonly type: 'unknown' }

/** Why an answer ends, in our words; each format says it in its own. */
export type Finish =
  | 'end'
  | 'tool-calls'
  | 'max-tokens'
  | 'stop-sequence'
  | 'refusal'
  | 'paused'
  | 'window-exceeded'
  | 'unknown'

/** How usage is told: as the vendor does, not at all, with negative figures, or only before the answer. */
export type UsageMode = 'vendor' | 'missing' | 'negative' | 'early'

/** What the provider answers to one request. */
export interface Reply {
  readonly parts: readonly ReplyPart[]
  /** By default `tool-calls` where there is a call, else `end`. */
  readonly finish?: Finish
  /** Characters of a delta where the part has no chunks of its own; 12 by default, `Infinity` for one delta. */
  readonly chunkChars?: number
  /** Deltas per second; without it they are written as fast as the client reads. */
  readonly deltasPerSecond?: number
  /** Time before the first byte. */
  readonly firstByteAfterMs?: number
  readonly usage?: UsageMode
  /** The model name in the answer where it is not the one asked for. */
  readonly modelName?: string
  /** Blocks are numbered from the last to the first. */
  readonly reversedIndexes?: boolean
  readonly fault?: PlacedFault
}
