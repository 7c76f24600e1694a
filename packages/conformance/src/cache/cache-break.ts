import type { Segment } from '../segment.ts'
import type { CachedPrompt, CacheUsage } from './prompt-cache.ts'

/** Why a request read less from the cache than the one before it had made readable. */
export interface LostPrefix {
  /** Number of the request that it is compared with. */
  readonly previousRequest: number
  /** `settings`: the blocks are equal and a setting differs; `lost`: all is equal, and the prefix had expired or was out of reach. */
  readonly reason: 'tools' | 'system' | 'messages' | 'settings' | 'lost'
  /** The first block that differs; undefined where none does. */
  readonly path: string | undefined
  readonly before: string | undefined
  readonly after: string | undefined
  /** Tokens that could have been read and were not. */
  readonly lostTokens: number
}

interface Seen {
  readonly number: number
  readonly owner: string
  readonly segments: readonly Segment[]
  readonly hashes: readonly string[]
  readonly readableTokens: number
}

const REMEMBERED = 64
const EXCERPT_CHARS = 200

/** Finds cache breaks by comparing each request with the earlier one that shares the most messages. */
export interface BreakFinder {
  find(number: number, prompt: CachedPrompt, usage: CacheUsage): LostPrefix | undefined
}

/** A finder that remembers the last requests; one that shares no message with any of them begins a conversation. */
export function createBreakFinder(): BreakFinder {
  let seen: Seen[] = []

  return {
    find(number, prompt, usage) {
      const { owner, segments, hashes } = prompt
      const previous = mostAlike(seen, prompt)
      seen = [...seen, { number, owner, segments, hashes, readableTokens: usage.readableTokens }].slice(-REMEMBERED)
      if (previous === undefined || usage.cacheReadTokens >= previous.readableTokens) return undefined
      const index = segments.findIndex((segment, at) => !isSame(previous.segments[at], segment))
      const atEnd = index === -1 || index >= previous.segments.length
      const hashesDiffer = previous.hashes.some((hash, at) => at < hashes.length && hash !== hashes[at])
      const lostTokens = previous.readableTokens - usage.cacheReadTokens
      const changed = atEnd ? undefined : segments[index]
      if (changed === undefined) {
        const reason = hashesDiffer ? 'settings' : 'lost'
        return {
          previousRequest: previous.number,
          reason,
          path: undefined,
          before: undefined,
          after: undefined,
          lostTokens,
        }
      }
      return {
        previousRequest: previous.number,
        reason: previous.segments[index]?.part === 'tools' ? 'tools' : changed.part,
        path: changed.path,
        before: previous.segments[index]?.text.slice(0, EXCERPT_CHARS),
        after: changed.text.slice(0, EXCERPT_CHARS),
        lostTokens,
      }
    },
  }
}

function isSame(before: Segment | undefined, after: Segment): boolean {
  return before?.part === after.part && before.text === after.text
}

function mostAlike(seen: readonly Seen[], { owner, segments }: CachedPrompt): Seen | undefined {
  const messages = segments.filter(({ part }) => part === 'messages')
  let best: Seen | undefined
  let bestShared = 0
  for (const candidate of seen) {
    if (candidate.owner !== owner) continue
    const others = candidate.segments.filter(({ part }) => part === 'messages')
    const shared = others.filter((segment, index) => segment.text === messages[index]?.text).length
    if (shared > 0 && shared >= bestShared) {
      best = candidate
      bestShared = shared
    }
  }
  return best
}
