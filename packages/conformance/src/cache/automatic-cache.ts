import type { Segment } from '../segment.ts'
import type { CachedPrompt, CacheUsage } from './prompt-cache.ts'
import { sharedTokens } from './shared-tokens.ts'

/** What a model says of prefixes that the server finds by itself. */
export interface AutomaticRules {
  readonly minimumTokens: number
  readonly stepTokens: number
  readonly lifetimeMs: number
}

/** A cache that needs no marks (OpenAI, Gemini). */
export interface AutomaticCache {
  use(prompt: CachedPrompt, rules: AutomaticRules): CacheUsage
}

/** How many prompts of one owner are remembered. */
const REMEMBERED = 64

interface Known {
  readonly segments: readonly Segment[]
  readonly hashes: readonly string[]
  expiresAt: number
}

/**
 * The longest prefix shared with any earlier prompt of the owner counts as read, from the minimum on and in whole steps.
 * Inside the first block that differs the prefix goes on to the first byte that differs.
 */
export function createAutomaticCache(): AutomaticCache {
  const owners = new Map<string, Known[]>()

  return {
    use({ owner, segments, hashes, at }, rules) {
      const alive = (owners.get(owner) ?? []).filter(({ expiresAt }) => expiresAt > at)
      let best = 0
      for (const known of alive) {
        const shared = sharedTokens(known, { segments, hashes })
        if (shared >= rules.minimumTokens) known.expiresAt = at + rules.lifetimeMs
        best = Math.max(best, shared)
      }
      const total = segments.reduce((sum, { tokens }) => sum + tokens, 0)
      // The last token is always read anew: there is nothing to answer otherwise.
      const readTokens = inSteps(Math.min(best, total - 1), rules)
      owners.set(owner, [...alive, { segments, hashes, expiresAt: at + rules.lifetimeMs }].slice(-REMEMBERED))
      return {
        inputTokens: total - readTokens,
        cacheReadTokens: readTokens,
        cacheWrite5mTokens: 0,
        cacheWrite1hTokens: 0,
        readableTokens: inSteps(total, rules),
      }
    },
  }
}

function inSteps(tokens: number, { minimumTokens, stepTokens }: AutomaticRules): number {
  return tokens < minimumTokens ? 0 : Math.floor(tokens / stepTokens) * stepTokens
}
