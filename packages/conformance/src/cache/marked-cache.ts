import type { CacheLifetime } from '../segment.ts'
import type { CachedPrompt, CacheUsage } from './prompt-cache.ts'

const MINUTE_MS = 60_000
const LIFETIME_MS: Readonly<Record<CacheLifetime, number>> = { '5m': 5 * MINUTE_MS, '1h': 60 * MINUTE_MS }

interface Entry {
  readonly lifetime: CacheLifetime
  expiresAt: number
}

/** What a model says of marked prefixes. */
export interface MarkRules {
  readonly minimumTokens: number
  readonly lookBackBlocks: number
}

/** A cache whose prefixes are written at the client's marks (Anthropic, Bedrock). */
export interface MarkedCache {
  use(prompt: CachedPrompt, rules: MarkRules): CacheUsage
}

/**
 * A prefix is written at each mark that has the minimum of tokens. It is found from a mark by looking at that block and
 * at those before it, `lookBackBlocks` in all. Reading a prefix renews its lifetime.
 */
export function createMarkedCache(): MarkedCache {
  const owners = new Map<string, Map<string, Entry>>()

  return {
    use(prompt, rules) {
      const entries = owners.get(prompt.owner) ?? new Map<string, Entry>()
      owners.set(prompt.owner, entries)
      const sums = cumulativeTokens(prompt)
      const total = sums.at(-1) ?? 0
      const marks = prompt.segments.flatMap(({ mark }, index) =>
        mark !== undefined && (sums[index] ?? 0) >= rules.minimumTokens ? [{ index, lifetime: mark }] : [],
      )
      const hit = longestHit({ entries, prompt, marks: marks.map(({ index }) => index), rules })
      const readTokens = hit === undefined ? 0 : (sums[hit.index] ?? 0)
      if (hit !== undefined) hit.entry.expiresAt = prompt.at + LIFETIME_MS[hit.entry.lifetime]

      let written = readTokens
      const writes = { '5m': 0, '1h': 0 }
      for (const { index, lifetime } of marks) {
        const upTo = sums[index] ?? 0
        const hash = prompt.hashes[index]
        if (hash === undefined || (hit !== undefined && index <= hit.index)) continue
        writes[lifetime] += upTo - written
        written = upTo
        entries.set(hash, { lifetime, expiresAt: prompt.at + LIFETIME_MS[lifetime] })
      }
      return {
        inputTokens: total - written,
        cacheReadTokens: readTokens,
        cacheWrite5mTokens: writes['5m'],
        cacheWrite1hTokens: writes['1h'],
        readableTokens: written,
      }
    },
  }
}

function longestHit({
  entries,
  prompt,
  marks,
  rules,
}: {
  readonly entries: ReadonlyMap<string, Entry>
  readonly prompt: CachedPrompt
  readonly marks: readonly number[]
  readonly rules: MarkRules
}): { readonly index: number; readonly entry: Entry } | undefined {
  for (const mark of marks.toReversed()) {
    for (let index = mark; index >= 0 && index > mark - rules.lookBackBlocks; index -= 1) {
      const entry = entries.get(prompt.hashes[index] ?? '')
      if (entry !== undefined && entry.expiresAt > prompt.at) return { index, entry }
    }
  }
  return undefined
}

function cumulativeTokens({ segments }: CachedPrompt): readonly number[] {
  let sum = 0
  return segments.map(({ tokens }) => {
    sum += tokens
    return sum
  })
}
