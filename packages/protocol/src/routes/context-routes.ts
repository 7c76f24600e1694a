import { Json, Purpose } from '@holdfast/conversation'
import * as z from 'zod'
import { LedgerRecord } from '../answers/ledger-answer.ts'
import { CacheOutlookRow, PriceAnswer, priceFields } from '../answers/price-answer.ts'
import type { Route } from '../parts/route.ts'
import { conversation, nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'

const tokens = z.int().nonnegative()

/** A request as it is, was or would be sent, before an adapter writes it in its provider's form. */
const SentRequest = z.object({
  request: z.record(z.string(), Json),
  /** Entries at which cache marks stand. [CACHE2] */
  anchors: z.array(z.int()),
  windowStartSeq: z.int().positive(),
})

/** What the model is sent, what that costs of its window, and summaries. */
export const contextRoutes = {
  readContext: {
    method: 'GET',
    path: '/conversations/:id/context',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: nothing,
    answers: {
      200: z.object({
        modelId: z.string().nullable(),
        /** `agent`: an external agent builds its requests; used is the largest of its last turn that was passed on, 0 where nothing is known. [AGENT39] */
        heldBy: z.enum(['conversation', 'agent']),
        usedTokens: tokens,
        reservedTokens: tokens,
        windowTokens: tokens.nullable(),
        /** Above 100 when over; null where the window is not known. [COST6] */
        percent: tokens.nullable(),
        measured: z.boolean(),
        breakdown: z.object({
          system: tokens,
          tools: z.record(z.string(), tokens),
          categories: z.record(z.string(), tokens),
        }),
        level: z.enum(['calm', 'filling', 'near', 'over', 'unknown']),
        /** Answers that are sent without their thinking, by `seq`: it is another model's, cut, or bound to what has changed. [REQ4] */
        thinkingLeftOutSeqs: z.array(z.int()),
      }),
    },
  },
  readNextRequest: {
    method: 'POST',
    path: '/conversations/:id/request',
    access: 'owner',
    // It asks by words, and changes nothing.
    scope: 'read',
    params: conversation,
    query: nothing,
    body: z.strictObject({ content: priceFields.content }),
    answers: {
      200: SentRequest.extend({
        /** As the provider gets it, with the hash of a file in the place of its content; null where nothing is sent. [C8] */
        wireBody: z.string().nullable(),
        estimatedInputTokens: tokens,
        /** Each message, in the order of the request, with the entries that it holds and why it is sent. [C8] */
        items: z.array(
          z.object({
            seqs: z.array(z.int()),
            /** Estimated. */
            tokens,
            reasons: z.array(z.enum(['whole', 'window', 'kept', 'current', 'summary', 'pinned', 'wrote', 'note'])),
          }),
        ),
        /** What is in the conversation and not in the request, and why. */
        leftOut: z.array(
          z.discriminatedUnion('reason', [
            z.object({ reason: z.literal('summarised'), fromSeq: z.int(), toSeq: z.int() }),
            z.object({ reason: z.literal('not-carried-over'), seqs: z.array(z.int()) }),
            z.object({ reason: z.literal('before-window'), messageCount: tokens }),
            z.object({ reason: z.literal('excluded'), seqs: z.array(z.int()) }),
            z.object({ reason: z.literal('thinking'), answerCount: tokens }),
          ]),
        ),
        /** What of it the provider's cache has. */
        cache: CacheOutlookRow,
      }).nullable(),
    },
  },
  priceNext: {
    method: 'POST',
    path: '/conversations/:id/price',
    access: 'owner',
    // It asks by words, and changes nothing.
    scope: 'read',
    params: conversation,
    query: nothing,
    body: z.strictObject(priceFields),
    answers: {
      /** Null where there is no model, while calls are open, or where a checkpoint has nothing to cover. */
      200: PriceAnswer.nullable(),
    },
  },
  priceNew: {
    method: 'POST',
    path: '/price',
    access: 'user',
    // It asks by words, and changes nothing.
    scope: 'read',
    params: nothing,
    query: nothing,
    /** The first message of a conversation that nobody has begun, and what would be chosen for it. */
    body: z.strictObject({
      content: priceFields.content,
      modelId: OutsideId.exactOptional(),
      agentId: OutsideId.exactOptional(),
    }),
    /** Null where there is no model. */
    answers: { 200: PriceAnswer.nullable() },
  },
  readReceipt: {
    method: 'GET',
    path: '/conversations/:id/requests/:stepId',
    access: 'owner',
    params: z.object({ id: OutsideId, stepId: OutsideId }),
    query: nothing,
    body: nothing,
    answers: {
      /** A request of the conversation, or of a sub-agent of it, whatever it was for. [RUN17] */
      200: SentRequest.extend({
        /** The conversation that made it. */
        conversationId: z.string(),
        stepId: z.string(),
        runId: z.string(),
        seq: z.int().positive(),
        /** Milliseconds since the Unix epoch. */
        at: z.int().nonnegative(),
        purpose: Purpose,
        providerId: z.string(),
        modelId: z.string(),
        /** Null where it cannot be built again, and why not. */
        request: SentRequest.shape.request.nullable(),
        notRebuilt: z.enum(['model-gone', 'erased', 'not-recorded', 'passed-on']).nullable(),
        /** Where an external agent's request was passed on to, and its size; null for a request of ours. [AGENT25] */
        passed: z.object({ path: z.string(), sizeBytes: z.int().nonnegative() }).nullable(),
        requestHash: z.string(),
        isExact: z.boolean(),
        /** Entries before it that were erased since: where it is not exact, their words are missing. [LOG9] */
        erasedSeqs: z.array(z.int().positive()),
        /** What it cost; null as long as it is not over. */
        usage: LedgerRecord.nullable(),
      }),
    },
  },
} as const satisfies Readonly<Record<string, Route>>
