import { DraftDelta } from '@holdfast/conversation'
import * as z from 'zod'

const conversationId = z.string().min(1)

/** What one replica says to another. */
export const PeerMessage = z.discriminatedUnion('type', [
  /** It follows these; with `isWhole` no others. It holds for a while and is said again. */
  z.object({ type: z.literal('follows'), conversationIds: z.array(conversationId), isWhole: z.boolean() }),
  z.object({ type: z.literal('unfollows'), conversationIds: z.array(conversationId) }),
  /** It does not know what others follow, and may have missed what they said. */
  z.object({ type: z.literal('joined') }),
  /** Something for the reader was left out: it looks for itself. */
  z.object({ type: z.literal('left-out') }),
  /** The log has entries up to `head`. */
  z.object({ type: z.literal('grown'), conversationId, head: z.int().positive() }),
  z.object({ type: z.literal('delta'), conversationId, delta: DraftDelta }),
  /** The open step is durable up to this length of this block, and with `isClosed` up to its end. */
  z.object({
    type: z.literal('draft-kept'),
    conversationId,
    stepId: z.string().min(1),
    block: z.int().nonnegative(),
    length: z.int().nonnegative(),
    isClosed: z.boolean(),
  }),
  z.object({ type: z.literal('erased'), conversationId }),
  z.object({ type: z.literal('write-failed'), conversationId, message: z.string() }),
  z.object({ type: z.literal('progress'), conversationId, callId: z.string(), message: z.string() }),
])
export type PeerMessage = z.infer<typeof PeerMessage>

/** What comes in one text: of one replica, in the order of its saying. */
export interface Parcel {
  readonly from: string
  readonly messages: readonly PeerMessage[]
}

const Wrapping = z.object({ from: z.string().min(1), messages: z.array(z.unknown()) })

/** Writes a parcel of messages that are JSON already: one that goes to many is written once. */
export function parcelText(from: string, messages: readonly string[]): string {
  return `{"from":${JSON.stringify(from)},"messages":[${messages.join(',')}]}`
}

/** Reads a parcel. Messages of a kind that is not known here are passed over: they are of a later version. Null for no parcel. */
export function readParcel(text: string): Parcel | null {
  const wrapping = Wrapping.safeParse(jsonOf(text))
  if (!wrapping.success) return null
  const messages = wrapping.data.messages.flatMap((given) => {
    const message = PeerMessage.safeParse(given)
    return message.success ? [message.data] : []
  })
  return { from: wrapping.data.from, messages }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
