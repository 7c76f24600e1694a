import type {
  AnswerBlock,
  BlockStart,
  ConversationSettings,
  InputPart,
  Json,
  ProviderErrorCode,
  ToolResultPart,
} from '@holdfast/conversation'
import type { BlobSource } from './blob-source.ts'

/** One message of a request. A `tool` message answers one call; those of one step follow each other in its order. */
export type RequestMessage =
  | { readonly role: 'user'; readonly parts: readonly InputPart[] }
  | { readonly role: 'assistant'; readonly blocks: readonly AnswerBlock[] }
  | {
      readonly role: 'tool'
      readonly callId: string
      readonly isError: boolean
      readonly content: readonly ToolResultPart[]
    }

/** A tool as the model is told of it. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the input: an object. */
  readonly parameters: Json
}

/** Where the provider is asked to keep the prefix, and for how long. At most four marks in all. [CACHE1] */
export interface CacheMarks {
  readonly ttl: '5m' | '1h'
  /** After the tools and the system text. */
  readonly system: boolean
  /** After these messages, by index, rising. */
  readonly messages: readonly number[]
}

/** What the model is sent, before an adapter writes it in its provider's form. */
export interface ModelRequest {
  readonly modelId: string
  readonly system: string
  readonly tools: readonly ModelTool[]
  /** `none` keeps the definitions, and with them the cache, but lets nothing be called. */
  readonly toolChoice: 'auto' | 'none'
  readonly messages: readonly RequestMessage[]
  /** Null leaves it to the provider, where it allows that. */
  readonly maxOutputTokens: number | null
  /** How many tokens the model may think; null turns thinking off. */
  readonly thinkingBudgetTokens: number | null
  /** What the provider calls its other parameters, such as temperature. */
  readonly parameters: Readonly<Record<string, Json>>
  readonly cacheMarks: CacheMarks | null
}

/** What a request used, in tokens; null where the provider did not say. */
export interface RequestUsage {
  /** Read anew, without cache reads and cache creation. */
  readonly inputTokens: number | null
  readonly cacheReadTokens: number
  readonly cacheCreation5mTokens: number
  readonly cacheCreation1hTokens: number
  readonly outputTokens: number | null
  readonly thinkingTokens: number
  /**
   * Where the figures are not the provider's own. `agent`: what an agent says of its requests, which nobody here saw, so that
   * they count as estimated. `gateway`: the requests have records of their own, and this one counts nothing. [AGENT13]
   */
  readonly by?: 'agent' | 'gateway'
}

/** Why the model ended by itself. */
export type ModelFinish = 'end' | 'tool-calls' | 'length' | 'refused'

/**
 * What a model sends, in order. Blocks are numbered from 0 in the order in which they start. More than one may
 * be open at once: calls of one answer may arrive interleaved. A block that is never ended is not complete.
 */
export type ModelPart =
  | { readonly type: 'block-started'; readonly block: number; readonly start: BlockStart }
  | { readonly type: 'block-delta'; readonly block: number; readonly text: string }
  | { readonly type: 'block-ended'; readonly block: number; readonly providerState?: Json }
  /** Usage so far. May come early, so that a stopped request has figures; a later one replaces it. */
  | { readonly type: 'usage'; readonly usage: RequestUsage }
  /** The provider's own end. A stream that ends without it was cut. [RUN5] */
  | { readonly type: 'finish'; readonly finish: ModelFinish }

/** What a request is made with: where bodies come from, where parts go, and what ends it. */
export interface StreamPorts {
  /** Ends the request. */
  readonly signal: AbortSignal
  /** Has the bodies of the pictures and files that the request names. */
  readonly blobs: BlobSource
  /**
   * Takes the next part. A promise asks for a pause: whoever hands on waits until it has settled, and takes no more from
   * the line meanwhile. What is thrown, or what that promise is rejected with, ends the request.
   */
  readonly onPart: (part: ModelPart) => Promise<void> | undefined
  /** Whose turn it is a step of; absent for a request that is no part of a conversation. */
  readonly turn?: AskingTurn
}

/** A turn of a conversation that makes a request, for ports that keep something of the conversation themselves. [AGENT1] */
export interface AskingTurn {
  readonly conversationId: string
  readonly ownerId: string
  /** One for all steps of the turn, also when it was parked. */
  readonly runId: string
  readonly settings: ConversationSettings
}

/** The only way to a model. */
export interface ModelPort {
  readonly providerId: string
  /**
   * It is an agent and answers turns alone, with tools of its own: titles and summaries are asked of another model. Absent
   * for a model. [AGENT1]
   */
  readonly takesTurnsOnly?: true
  /**
   * Whether the thinking of a model, by the provider's name for it, is bound to all that stood before it: then it is
   * left out once a checkpoint or the window has replaced that, where an unbound one goes back with its answer. Absent
   * binds. An implementer that says false for a model that does bind costs one refused request. [REQ4]
   */
  readonly bindsThinking?: (modelId: string) => boolean
  /**
   * Makes one request, and resolves when its answer has ended or `signal` has aborted. Implementations
   * - hand on parts as they come, those of one read without a wait between them, and `finish` last, only when the
   *   provider itself ended the answer; [RUN18]
   * - hand on nothing after `signal` has aborted, after `onPart` has failed, or after the promise has settled: a reader
   *   that is gone takes nothing; [RUN19]
   * - close their connection when `signal` aborts or `onPart` fails, and end within 5 seconds of it;
   * - reject with what `onPart` threw, as it is, whatever it looks like;
   * - reject with a `ProviderError` for every refusal and failure, and never retry by themselves; an answer that ends
   *   before anything of it came is such a failure, of class `network`.
   */
  stream(request: ModelRequest, ports: StreamPorts): Promise<void>
  /**
   * The body of that request byte by byte, as `stream` would send it. An implementer sends nothing for it. Absent where no
   * body is sent at all, as by a script. [C8]
   */
  readonly wireBody?: (request: ModelRequest, blobs: BlobSource) => Promise<string>
}

/** A port that sends a body: every one but scripts. */
export interface WirePort extends ModelPort {
  readonly wireBody: NonNullable<ModelPort['wireBody']>
}

/**
 * What exactly was refused, where the engine can do something about it:
 * - `thinking-parameters`: the model does not think as it was asked to. The step may be repeated without. [RUN13]
 * - `thinking-signature`: signed thinking of the history is not accepted. It may be dropped at a boundary. [REQ4]
 */
export type ProviderErrorDetail = 'thinking-parameters' | 'thinking-signature'

/** Why a request failed, in terms that the engine acts on. [RUN9] */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly code: ProviderErrorCode
  readonly status: number | null
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfterMs: number | null
  readonly detail: ProviderErrorDetail | null
  /** The window of the model as a refusal for its length names it, in tokens; null where it names none. [WIN8] */
  readonly windowTokens: number | null
  /** Whether no line to the provider came about, so that nothing of the request was sent. [COST14] */
  readonly isUnsent: boolean

  constructor(
    code: ProviderErrorCode,
    message: string,
    options: ErrorOptions & {
      readonly status?: number | null
      readonly retryAfterMs?: number | null
      readonly detail?: ProviderErrorDetail | null
      readonly windowTokens?: number | null
      readonly isUnsent?: boolean
    },
  ) {
    super(message, options)
    this.code = code
    this.status = options.status ?? null
    this.retryAfterMs = options.retryAfterMs ?? null
    this.detail = options.detail ?? null
    this.windowTokens = options.windowTokens ?? null
    this.isUnsent = options.isUnsent ?? false
  }
}
