import type { CachedPrompt } from './prompt-cache.ts'
import { sharedTokens } from './shared-tokens.ts'

/** A cache that no vendor sells, to measure the others by. */
export interface IdealCache {
  /** How many tokens of the prompt it reads; it remembers the prompt. */
  read(prompt: CachedPrompt): number
}

/** How many prompts of one owner are remembered. */
const REMEMBERED = 64

/**
 * The ideal reads the longest beginning that a prompt shares with any of the last 64 of its owner, to the byte: it needs
 * no marks, has no minimum, no steps and no look back, and forgets nothing by time. It does not keep answers: a prompt
 * must have been sent. The last token is always read anew, as there is nothing to answer otherwise.
 */
export function createIdealCache(): IdealCache {
  const owners = new Map<string, CachedPrompt[]>()
  return {
    read(prompt) {
      const known = owners.get(prompt.owner) ?? []
      owners.set(prompt.owner, [...known, prompt].slice(-REMEMBERED))
      const total = prompt.segments.reduce((sum, { tokens }) => sum + tokens, 0)
      const shared = Math.max(0, ...known.map((before) => sharedTokens(before, prompt)))
      return Math.max(0, Math.min(total - 1, shared))
    },
  }
}
