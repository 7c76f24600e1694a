import * as z from 'zod'
import { AnswerBlock, InputContent } from '../content.ts'
import { entryOf, runEntryOf, stepEntryOf } from '../envelope.ts'
import { Scheduled } from './scheduled.ts'

/** What a run or a request is for. */
export const Purpose = z.enum(['turn', 'title', 'checkpoint', 'sampling', 'gateway'])
export type Purpose = z.infer<typeof Purpose>

/** How a provider's refusal or failure is classified. [RUN9] */
export const ProviderErrorCode = z.enum([
  'auth',
  'rate-limit',
  'quota',
  'too-long',
  'network',
  'overloaded',
  'model-missing',
  'refused',
  'bad-request',
  'internal',
])
export type ProviderErrorCode = z.infer<typeof ProviderErrorCode>

/** A run began. */
export const RunStarted = runEntryOf('run-started', {
  purpose: Purpose,
  /** Nobody is there to be asked: what would ask is denied. [PERM6] */
  unattended: z.literal(true).exactOptional(),
  /** The occurrence that it answers. */
  schedule: Scheduled.exactOptional(),
})

/** An input took its place in the active path: from here on the model is sent it. */
export const UserMessageSent = runEntryOf('user-message-sent', {
  inputId: z.string().min(1),
  content: InputContent,
})

const AnsweringAgent = z.object({
  agentId: z.string().min(1),
  name: z.string(),
  avatar: z.string().max(32).exactOptional(),
})

/** A place in the log up to which a request was composed, by `seq`. */
const composedToSeq = z.int().nonnegative()

/** A part of the history that one request of several folds into a summary. */
const SummaryChunk = z.object({
  /** The history is cut into chunks of at most so many tokens; this is the one at `index`, from 0. */
  tokens: z.int().positive(),
  index: z.int().nonnegative(),
  /** Which characters of it, where the provider found the whole chunk too long. */
  fromChar: z.int().nonnegative(),
  toChar: z.int().nonnegative(),
  /** The step whose answer is the summary so far; absent before the first. */
  soFarStepId: z.string().min(1).exactOptional(),
})

/** What a request that is no part of the conversation is made of. It holds nobody's words: they stand in the log. [RUN17] */
export const BesideSource = z.discriminatedUnion('type', [
  /** Made of all that a turn would send, or of the conversation's beginning alone. */
  z.object({ type: z.literal('title'), of: z.enum(['whole', 'beginning']), composedToSeq }),
  /** Made of all that a turn would send, or of one chunk of it. */
  z.object({
    type: z.literal('summary'),
    composedToSeq,
    wishedTokens: z.int().nonnegative(),
    chunk: SummaryChunk.exactOptional(),
  }),
  /** The words stand in the question by which the owner agreed to them. [TOOL13] */
  z.object({ type: z.literal('lent'), questionId: z.string().min(1) }),
  /** Made by an external agent and passed on as it was: its bytes are not kept, only their hash. [AGENT8] */
  z.object({
    type: z.literal('passed'),
    /** The path of the provider that it went to, without its query. */
    path: z.string().min(1),
    sizeBytes: z.int().nonnegative(),
  }),
])
export type BesideSource = z.infer<typeof BesideSource>

/** What an estimate needs of a price, in US dollars per million tokens for a prompt of that size, with where it is from. */
const NotedPrice = z.object({ input: z.number().nullable(), output: z.number().nullable(), reference: z.string() })

/** A request went to a provider. What it holds is the receipt: the bytes can be rebuilt from the log. [REQ1] */
export const StepStarted = stepEntryOf('step-started', {
  purpose: Purpose,
  providerId: z.string().min(1),
  modelId: z.string().min(1),
  /** SHA-256 of the request body, in hexadecimal. */
  requestHash: z.string(),
  /** SHA-256 of the part that the next request of the chain must begin with. [REQ5] */
  prefixHash: z.string(),
  /** Entries at which a cache mark stands, by `seq`. [CACHE2] */
  anchors: z.array(z.int().positive()),
  /** First entry of the window, by `seq`; 1 when all is sent. */
  windowStartSeq: z.int().positive(),
  /** Present where nothing could be called: the definitions stay and are turned off. [TOOL10] */
  toolChoice: z.literal('none').exactOptional(),
  /** Version of the function that built the request. [REQ1] */
  builderVersion: z.int().positive(),
  /** Who answers, as it was called then; absent for the agent of a conversation that has none of its own. [AGENT4] */
  agent: AnsweringAgent.exactOptional(),
  /** What the request was estimated to hold, for a ledger record that nothing measured. [STOP8] */
  estimatedInputTokens: z.int().nonnegative().exactOptional(),
  /** What its tokens cost then, null where nobody knew: who closes it after a crash may not know the model. [COST15] */
  price: NotedPrice.nullable().exactOptional(),
  /** What it asked for, null for nothing: settings of the installation and what is known of a model may be others since. [REQ1] */
  maxOutputTokens: z.int().positive().nullable().exactOptional(),
  thinkingBudgetTokens: z.int().positive().nullable().exactOptional(),
  /** The window by which it was made; null where that was not known. [WIN8] */
  windowTokens: z.int().positive().nullable().exactOptional(),
  /** Absent for a request of a turn. */
  beside: BesideSource.exactOptional(),
})

/** The model's answer to one request is closed; `blocks` is all that was published of it. */
export const StepFinished = stepEntryOf('step-finished', {
  blocks: z.array(AnswerBlock),
  /** Why the model ended; `cut` when the end is not the provider's own. [RUN5] */
  finish: z.enum(['end', 'tool-calls', 'length', 'refused', 'cut']),
  /** What cut it; present exactly when `finish` is `cut`. */
  cut: z.enum(['stopped', 'interrupted', 'failed', 'ended-early', 'too-long']).exactOptional(),
  /** How long the model thought in view of us, in milliseconds; absent where it did not. */
  thinkingMs: z.number().nonnegative().exactOptional(),
  /** What it was asked for, where it is no answer: its words come again as the title or the summary. */
  purpose: z.enum(['title', 'checkpoint']).exactOptional(),
})

/** A request failed, before or after its first content. */
export const StepFailed = stepEntryOf('step-failed', {
  error: z.object({
    code: ProviderErrorCode,
    message: z.string(),
    /** HTTP status, where there was one. */
    status: z.int().exactOptional(),
  }),
  /** Number of this attempt, from 1. */
  attempt: z.int().positive(),
  /** When the next attempt starts, in milliseconds since the Unix epoch; absent when there is none. [RUN7] */
  retryAt: z.int().nonnegative().exactOptional(),
})

/** Somebody asked a run to stop. Durable before it is acknowledged. [STOP1] */
export const StopRequested = runEntryOf('stop-requested', {
  mode: z.enum(['stop', 'force', 'interrupt']),
})

/** The run's one and only end. [RUN1] */
export const RunFinished = runEntryOf('run-finished', {
  outcome: z.enum(['completed', 'stopped', 'failed', 'interrupted', 'limit']),
  /** In words, for a person: which error, which limit. */
  reason: z.string().exactOptional(),
  /** A limit that the person can raise at once, or for `user-budget` an admin. [COST7] */
  limit: z.enum(['budget', 'user-budget', 'schedule-budget']).exactOptional(),
})

/** The queue's or an error's words for a person: less was done than asked, or something needs a look. [RUN13] */
export const NoticeRaised = entryOf('notice-raised', {
  code: z.string().min(1),
  severity: z.enum(['info', 'warning', 'error']),
  text: z.string().min(1),
  /** Until when it holds, in words; absent for a single event. */
  until: z.string().exactOptional(),
  runId: z.string().exactOptional(),
  /** The model that it is about: later requests to it are made by what the notice says. */
  model: z.object({ providerId: z.string().min(1), modelId: z.string().min(1) }).exactOptional(),
  /** The window of that model from here on, with where it is from. [WIN8] */
  window: z
    .object({
      /** Null where nobody knows it any more. */
      windowTokens: z.int().positive().nullable(),
      /** What was known otherwise when it was learnt; it holds for as long as that stays. */
      insteadOfTokens: z.int().positive().nullable(),
      /** `named` by the provider that refused a request, `halved` from what it refused, or known from `elsewhere`. */
      source: z.enum(['named', 'halved', 'elsewhere']),
    })
    .exactOptional(),
})
