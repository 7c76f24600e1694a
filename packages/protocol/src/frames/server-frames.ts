import { BlockStart, DraftBlock, type Entry, Json, NewEntry, type Overview, Position } from '@holdfast/conversation'
import * as z from 'zod'
import { ConversationRow } from '../answers/conversation-row.ts'
import { Problem } from '../parts/problem.ts'
import { terminalServerFrames } from './terminal-frames.ts'

/** An entry as it travels: a fact and its place. */
export const WireEntry: z.ZodType<Entry> = z.intersection(NewEntry, Position)

const conversationId = z.string().min(1)

const OverviewShape = z.looseObject({
  head: z.int().nonnegative(),
  path: z.looseObject({ segments: z.array(z.looseObject({})) }),
  runState: z.looseObject({ side: z.array(z.looseObject({})) }),
  queue: z.looseObject({ inputs: z.array(z.looseObject({})) }),
  pendingPermissions: z.array(z.looseObject({})),
})

/** What a server sends. Facts: each says what is so. */
export const ServerFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('welcome'), protocol: z.int(), serverId: z.string(), userId: z.string() }),
  /**
   * What is known of a long log at its head, `overview.head`; its entries from `from` on come next. Made by
   * the projection of this protocol version, so only its outer shape is checked.
   */
  z.object({
    type: z.literal('overview'),
    conversationId,
    overview: z.custom<Overview>((value) => OverviewShape.safeParse(value).success),
    from: z.int().positive(),
  }),
  /** Entries of one log, oldest first, without gaps among them. */
  z.object({ type: z.literal('entries'), conversationId, entries: z.array(WireEntry) }),
  /** The open step so far. `offset` is the length of all its text, in UTF-16 code units. */
  z.object({
    type: z.literal('draft'),
    conversationId,
    stepId: z.string().min(1),
    blocks: z.array(DraftBlock),
    offset: z.int().nonnegative(),
  }),
  /** A fragment of the open step, addressed so that a repeated one changes nothing. [SYNC1] */
  z.object({
    type: z.literal('delta'),
    conversationId,
    stepId: z.string().min(1),
    block: z.int().nonnegative(),
    offset: z.int().nonnegative(),
    text: z.string(),
    start: BlockStart.exactOptional(),
    end: z.object({ providerState: Json.exactOptional() }).exactOptional(),
  }),
  /** What a running tool says of how far it is; only the newest counts, and none is kept. */
  z.object({ type: z.literal('progress'), conversationId, callId: z.string().min(1), message: z.string() }),
  /** A write was refused: what comes from here on may not be kept, until entries come again. [LOG8] */
  z.object({ type: z.literal('write-failed'), conversationId, message: z.string() }),
  /** Words of the log were erased: what was read of it is read anew, from its beginning. [LOG9] */
  z.object({ type: z.literal('erased'), conversationId }),
  /** The follower has all entries up to `head`. Sent after every follow, and with every `pong`. */
  z.object({ type: z.literal('caught-up'), conversationId, head: z.int().nonnegative() }),
  /**
   * The command is durable. `seq` is its entry, or, where it needed none of its own, the log's last entry
   * by then. `conversationId` is where it was carried out.
   */
  z.object({ type: z.literal('accepted'), commandId: z.string(), seq: z.int().nonnegative(), conversationId }),
  /** A command was refused, or the conversation named here cannot be followed (any further), or there is no such terminal. */
  z.object({
    type: z.literal('refused'),
    commandId: z.string().exactOptional(),
    conversationId: conversationId.exactOptional(),
    terminalId: z.string().exactOptional(),
    problem: Problem,
  }),
  /** Rows of the user's list that have changed, and the ids of conversations that are deleted. */
  z.object({
    type: z.literal('conversations'),
    changed: z.array(ConversationRow),
    removed: z.array(z.string().min(1)).exactOptional(),
  }),
  /** What is written in a conversation and not sent is at another version: by another tab, or by a suggestion. [SYNC6] */
  z.object({ type: z.literal('composer'), conversationId, version: z.int().nonnegative() }),
  ...terminalServerFrames,
  z.object({ type: z.literal('pong') }),
  /** The last frame: why the server closes, and whether to come back. */
  z.object({ type: z.literal('goodbye'), code: z.string(), retry: z.boolean() }),
])
export type ServerFrame = z.infer<typeof ServerFrame>

/** One kind of frame of the server. */
export type ServerFrameOf<Type extends ServerFrame['type']> = Extract<ServerFrame, { type: Type }>

/** Longest frame of a server, in UTF-16 code units. Of an entry that is longer the texts come shortened, and say so. [LOG28] */
export const MAX_SERVER_FRAME_LENGTH = 64_000_000
