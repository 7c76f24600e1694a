import type { AnswerBlock, BlobReference, InputPart, ToolResultPart } from '../content.ts'
import type { EntryOf } from '../entry.ts'
import type { ChangedFile, TranscriptFacts } from './transcript-facts.ts'

/** What a person was asked about a call, and what became of it. */
export interface TranscriptPermission {
  readonly requestId: string
  /** Why it was asked, in words. */
  readonly reason: string
  readonly requestedAt: number
  /** Null as long as nobody has answered. */
  readonly settled:
    | (Pick<EntryOf<'permission-settled'>, 'outcome' | 'by' | 'scope' | 'reason'> & { readonly at: number })
    | null
}

/** What a call asked a person while it ran, and what became of it. [TOOL11] */
export interface TranscriptQuestion
  extends Pick<EntryOf<'question-asked'>, 'questionId' | 'source' | 'message' | 'wish'> {
  readonly askedAt: number
  /** Null as long as nobody has answered. */
  readonly settled: (Pick<EntryOf<'question-settled'>, 'outcome' | 'by' | 'content'> & { readonly at: number }) | null
}

/** A tool call as a person reads it. */
export interface TranscriptCall {
  readonly callId: string
  readonly name: string
  readonly inputText: string
  /** False when the answer was cut inside the input. */
  readonly complete: boolean
  readonly state: 'pending' | 'waiting-for-permission' | 'running' | 'settled'
  readonly outcome: EntryOf<'tool-call-settled'>['outcome'] | null
  readonly output: readonly ToolResultPart[]
  readonly blob: BlobReference | null
  /** The entry of its result; null as long as it has none. */
  readonly resultSeq: number | null
  /** When it began to run, in milliseconds since the Unix epoch; null when it never did. */
  readonly startedAt: number | null
  readonly durationMs: number | null
  /** What it timed out at, in milliseconds; absent where it did not, or where that was not written down. [TOOL14] */
  readonly limitMs?: number
  /** The conversation of the sub-agent that it runs; null for any other call. [AGENT3] */
  readonly childConversationId: string | null
  /** The request for permission that was made for it last. */
  readonly permission: TranscriptPermission | null
  /** What it asked a person, in order; absent for nothing. */
  readonly questions?: readonly TranscriptQuestion[]
  /** Files that it really changed, in their order; absent for none. [WS1] */
  readonly changedFiles?: readonly ChangedFile[]
  /** What the tool returned after it had settled. [TOOL4] */
  readonly late: readonly ToolResultPart[] | null
}

/** Text, thinking and what a person attached, in their order; tool calls stand in `toolCalls`. */
export type TranscriptPart = InputPart | Exclude<AnswerBlock, { type: 'tool-call' }>

/** The usage of one request, as its record says it. */
export type TranscriptUsage = Pick<
  EntryOf<'usage-recorded'>,
  | 'inputTokens'
  | 'cacheReadTokens'
  | 'cacheCreation5mTokens'
  | 'cacheCreation1hTokens'
  | 'outputTokens'
  | 'thinkingTokens'
  | 'costUsd'
  | 'measured'
  | 'providerId'
  | 'modelId'
  | 'priceReference'
>

/** What every item says, whatever its role. */
export interface TranscriptPlace {
  readonly seq: number
  readonly at: number
  readonly runId: string | null
  readonly stepId: string | null
  readonly parts: readonly TranscriptPart[]
  readonly toolCalls: readonly TranscriptCall[]
  readonly usage: TranscriptUsage | null
}

/** One thing that a person reads: a union by state, role and code. [PRJ7] */
export type TranscriptItem = TranscriptPlace & TranscriptFacts

/** Who or what an item of the transcript speaks for; the glossary says which entries make which role. */
export type TranscriptRole = TranscriptItem['role']

/** An item of one role that was not erased. */
export type TranscriptItemOf<Role extends TranscriptRole> = Extract<TranscriptItem, { readonly role: Role }>

/** An item whose body was erased: what it was is not known any more. [LOG9] */
export type ErasedItem = Extract<TranscriptItem, { readonly state: 'erased' }>
