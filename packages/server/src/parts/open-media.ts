import { RefusedError } from './to-problem.ts'

/** What a media element of a canvas shows, and how much of it is wanted. */
export interface MediaWish {
  readonly url: string
  readonly kind: 'image' | 'audio' | 'video'
  /** The range of bytes, as HTTP writes it; null for all. */
  readonly range: string | null
  /** Ends it. */
  readonly signal: AbortSignal
}

/** What came of it. */
export type OpenedMedia =
  | {
      readonly type: 'opened'
      /** Whether it is the range that was asked for. */
      readonly isPart: boolean
      readonly mediaType: string
      readonly sizeBytes: number | null
      readonly contentRange: string | null
      readonly content: AsyncIterable<Uint8Array>
    }
  /** In words for people. */
  | { readonly type: 'refused'; readonly text: string }

/**
 * Opens what stands at an address. An implementer connects to the public internet alone, whatever the address is written
 * like, sends no cookies, credentials or referrer, bounds what comes in size and in silence, and gives a type that is one
 * of pictures, sound or film: the page shows what comes as its own. [WS5, CANVAS8]
 */
export type OpenMedia = (wish: MediaWish) => Promise<OpenedMedia>

/** As many are open for one user at once: a page shows several, and a player asks for ranges. */
const MOST_OPEN = 12

/** Counts what is open for each user. */
export function createPlayers() {
  const open = new Map<string, number>()
  return {
    /** @returns what ends it, once. @throws {RefusedError} when there are too many. */
    enter(userId: string): () => void {
      const count = open.get(userId) ?? 0
      if (count >= MOST_OPEN)
        throw new RefusedError(429, 'too-many-requests', `${MOST_OPEN} pictures, sounds or films come at once already`)
      open.set(userId, count + 1)
      let isIn = true
      return () => {
        if (!isIn) return
        isIn = false
        const left = (open.get(userId) ?? 1) - 1
        if (left === 0) open.delete(userId)
        else open.set(userId, left)
      }
    },
  }
}
