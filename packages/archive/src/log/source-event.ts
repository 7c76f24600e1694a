/** Bytes or words of a message, as another program's log holds them. */
export type SourcePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'data'; readonly mediaType: string; readonly base64: string; readonly name: string | null }

/** One block of an answer. Thinking comes without its signature: that is bound to a request that nobody has any more. */
export type SourceBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | {
      readonly type: 'tool-call'
      /** Empty where the source gives none. */
      readonly callId: string
      readonly name: string
      readonly inputText: string
    }

/** What the source says that a request used, in tokens. */
export interface SourceUsage {
  /** Without cache reads and cache creation. */
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreation5mTokens: number
  readonly cacheCreation1hTokens: number
  readonly outputTokens: number
  readonly thinkingTokens: number
  /** Null where the source names no price. */
  readonly costUsd: number | null
  /** False where the source knows only what was there when the answer began. */
  readonly isOutputFinal: boolean
  /** Present where the figures are of a prompt that the source does not hold: kept as an estimate, no measure of the log. */
  readonly isOfOtherPrompt?: true
}

/** One thing that another program's log says, in the words of a conversation. Times are milliseconds since the Unix epoch; null where the source has none. */
export type SourceEvent =
  | { readonly type: 'titled'; readonly title: string; readonly source: 'auto' | 'user' }
  | {
      readonly type: 'said'
      readonly at: number | null
      readonly parts: readonly SourcePart[]
      /** `program` where the other program said it in the person's place, such as the output of a command. */
      readonly by: 'person' | 'program'
    }
  | {
      readonly type: 'answered'
      readonly at: number | null
      /** Answers that follow each other under one id are one answer; null is an answer of its own. */
      readonly answerId: string | null
      readonly providerId: string
      readonly modelId: string
      readonly blocks: readonly SourceBlock[]
      readonly usage: SourceUsage | null
      /** Null where the source does not say why the answer ended. */
      readonly finish: 'end' | 'tool-calls' | 'length' | 'refused' | 'stopped' | null
    }
  /** What the answer before used; replaces what was known. */
  | { readonly type: 'measured'; readonly usage: SourceUsage }
  | {
      readonly type: 'returned'
      readonly at: number | null
      readonly callId: string
      readonly parts: readonly SourcePart[]
      readonly isError: boolean
      /** 0 where the source does not say. */
      readonly durationMs: number
    }
  | {
      readonly type: 'failed'
      readonly at: number | null
      readonly providerId: string
      readonly modelId: string
      readonly message: string
      readonly status: number | null
    }
  | { readonly type: 'stopped'; readonly at: number | null }
  | {
      readonly type: 'compacted'
      readonly at: number | null
      readonly by: 'auto' | 'person'
      readonly summary: string
      /** `LogView.place` of the first message that is still sent; null when all before is covered. */
      readonly keptFrom: number | null
    }
  /** What comes goes on after the end of an exchange; 0 is the beginning. */
  | {
      readonly type: 'went-back'
      readonly toExchange: number
      readonly reason: 'edit' | 'retry' | 'rewind'
      readonly at: number | null
    }

/** What a reader may know of the log that its events have become so far. */
export interface LogView {
  /** Number of the exchange that is open or was last; 0 before the first. */
  exchange(): number
  /** The place of what was written last; a later `compacted` may name it. */
  place(): number
}
