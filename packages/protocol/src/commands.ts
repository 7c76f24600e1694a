import * as z from 'zod'

/** Longest text of one part, in UTF-16 code units. */
export const MAX_TEXT_LENGTH = 1_000_000

/** An id that someone else made up. */
export const OutsideId = z.string().min(1).max(200)

/** One part of what a client sends. */
export const SentPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(MAX_TEXT_LENGTH) }),
  z.strictObject({ type: z.literal('quote'), text: z.string().max(MAX_TEXT_LENGTH), seq: z.int().positive() }),
])
export type SentPart = z.infer<typeof SentPart>

/** What a client sends: at least one part. */
export const SentContent = z.array(SentPart).min(1).max(100)

/** Where what is sent joins: after the running turn, inside it, or in its place. */
export const SendLane = z.enum(['turn', 'steer', 'interrupt'])
export type SendLane = z.infer<typeof SendLane>

const title = z.string().trim().min(1).max(200)

/** What `create-conversation` asks for. */
export const createConversationFields = {
  commandId: OutsideId,
  agentId: OutsideId.exactOptional(),
  modelId: OutsideId.exactOptional(),
  title: title.exactOptional(),
}

/** What `send-message` asks for, beside the conversation. */
export const sendMessageFields = {
  commandId: OutsideId,
  content: SentContent,
  lane: SendLane.default('turn'),
}

/** What `stop-run` asks for, beside the conversation. Without a run id: what runs. [STOP2] */
export const stopRunFields = {
  commandId: OutsideId,
  runId: OutsideId.exactOptional(),
  force: z.boolean().exactOptional(),
}

/** What `answer-permission` asks for, beside the conversation. [PERM3] */
const answerPermissionFields = {
  commandId: OutsideId,
  requestId: OutsideId,
  decision: z.enum(['allow', 'deny']),
  /** How far a yes reaches; of no meaning for a no. [PERM5] */
  scope: z.enum(['call', 'conversation', 'pattern', 'category', 'always']).default('call'),
  /** Told to the model with a no. */
  reason: z.string().min(1).max(10_000).exactOptional(),
}

/** The frame of a command: the same commands as over HTTP. */
export const CommandFrame = z.discriminatedUnion('name', [
  z.strictObject({ type: z.literal('command'), name: z.literal('create-conversation'), ...createConversationFields }),
  z.strictObject({
    type: z.literal('command'),
    name: z.literal('send-message'),
    conversationId: OutsideId,
    ...sendMessageFields,
  }),
  z.strictObject({
    type: z.literal('command'),
    name: z.literal('stop-run'),
    conversationId: OutsideId,
    ...stopRunFields,
  }),
  z.strictObject({
    type: z.literal('command'),
    name: z.literal('answer-permission'),
    conversationId: OutsideId,
    ...answerPermissionFields,
  }),
])
export type CommandFrame = z.infer<typeof CommandFrame>
