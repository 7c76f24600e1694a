import type { CacheMarks } from '@holdfast/provider'
import type { ComposedMessage } from '../request/compose-messages.ts'

/** How far the prompt cache is used: not at all, for tools and instructions, or for the conversation too. [CACHE1] */
export type CacheMode = 'off' | 'system' | 'cached'

/** Marks on messages: four in all, and one stands after tools and instructions. [CACHE1] */
const MOST_ANCHORS = 3

/** A provider looks for a cached prefix at most so many blocks before a mark. [CACHE1] */
const LOOK_BACK_BLOCKS = 20

/**
 * Where the next request of a turn has its marks, as entries, rising: at its end; where the request before had its
 * last one, so that what that wrote is read; one within a provider's look back of the end; and what is left goes to
 * the newest of the older anchors. An anchor stands as long as a message holds its entry. [CACHE1, CACHE2]
 */
export function nextAnchors(messages: readonly ComposedMessage[], before: readonly number[]): number[] {
  const places = messages.flatMap(({ seqs }, index) => {
    const seq = seqs.at(-1)
    return seq === undefined ? [] : [{ seq, index, seqs }]
  })
  const last = places.at(-1)
  if (!last) return []
  const standing = before.flatMap((seq) => places.find(({ seqs }) => seqs.includes(seq)) ?? [])
  const chosen = new Map([[last.seq, last]])
  const newest = standing.at(-1)
  const nearFrom = firstWithin(messages, LOOK_BACK_BLOCKS)
  const isNear = ({ index }: { readonly index: number }): boolean => index >= nearFrom
  const near = places.find((place) => place !== last && isNear(place))
  if (near && !(newest && newest !== last && isNear(newest))) chosen.set(near.seq, near)
  for (const place of standing.toReversed()) if (chosen.size < MOST_ANCHORS) chosen.set(place.seq, place)
  return [...chosen.keys()].sort((one, other) => one - other)
}

/** The anchors of the request before that this one still holds. [CACHE2, CACHE3] */
export function standingAnchors(messages: readonly ComposedMessage[], before: readonly number[]): number[] {
  const held = new Set(messages.flatMap(({ seqs }) => seqs))
  return before.filter((seq) => held.has(seq))
}

/** What is marked of a request. */
export interface MarkedRequest {
  readonly mode: CacheMode
  readonly ttl: CacheMarks['ttl']
  readonly anchors: readonly number[]
  /** Whether a mark stands after tools and instructions. [TOOL10] */
  readonly marksHead: boolean
}

/**
 * The marks of a request whose anchors are these. A title, a summary or a count is given the anchors of the request
 * before, and so has the same marks. [CACHE2, CACHE3]
 */
export function cacheMarksOf(
  messages: readonly ComposedMessage[],
  { mode, ttl, anchors, marksHead }: MarkedRequest,
): CacheMarks | null {
  if (mode === 'off') return null
  if (mode === 'system') return marksHead ? { ttl, system: true, messages: [] } : null
  const marked = messages.flatMap((message, index) =>
    message.seqs.some((seq) => anchors.includes(seq)) ? [index] : [],
  )
  return { ttl, system: marksHead, messages: marked.slice(-MOST_ANCHORS) }
}

/** The first message behind which stand so many blocks at most. One walk from the end: a request may hold tens of thousands of messages. */
function firstWithin(messages: readonly ComposedMessage[], mostBlocks: number): number {
  let blocks = 0
  for (let index = messages.length - 1; index > 0; index -= 1) {
    const message = messages[index]
    if (message) blocks += blockCount(message.message)
    if (blocks > mostBlocks) return index
  }
  return 0
}

function blockCount(message: ComposedMessage['message']): number {
  switch (message.role) {
    case 'user':
      return message.parts.length
    case 'assistant':
      return message.blocks.length
    case 'tool':
      return 1
  }
}
