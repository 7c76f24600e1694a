import { canonicalText } from '@holdfast/context'
import type { ModelChoice } from '@holdfast/engine'
import type { ManualClock } from '@holdfast/engine/testing'
import { type ModelPrice, type ModelRequest, UNKNOWN_MODEL, withOverride } from '@holdfast/provider'

/** A model that answers, measures and keeps prefixes as a seller with cache marks does. */
export interface MeteredModel {
  readonly choice: ModelChoice
  readonly requests: readonly ModelRequest[]
  /** The cache of the provider is gone. */
  forget(): void
}

interface MeteredOptions {
  readonly modelId: string
  readonly clock: ManualClock
  readonly windowTokens: number | null
  readonly price: ModelPrice | null
  /** What it says to a request; absent: a few words. */
  readonly says?: (request: ModelRequest) => string
}

const CHARACTERS_PER_TOKEN = 3
const LIFETIME_MS = 300_000

/** Prices as a seller with cache marks has them, in US dollars per million tokens. */
export const LISTED_PRICE: ModelPrice = {
  input: usd(10),
  output: usd(50),
  cacheRead: usd(1),
  cacheCreation5m: usd(12.5),
  cacheCreation1h: usd(20),
  reference: 'list',
}

function usd(usdPerMillion: number): NonNullable<ModelPrice['input']> {
  return { usdPerMillion, tiers: [] }
}

/** Makes such a model. Every request is kept whole, and its head; both live five minutes after their last use. */
export function createMeteredModel({ modelId, clock, windowTokens, price, says }: MeteredOptions): MeteredModel {
  const requests: ModelRequest[] = []
  let kept = new Map<string, number>()

  function readTokens(text: string, now: number): number {
    const found = [...kept].filter(([prefix, usedAt]) => now - usedAt <= LIFETIME_MS && text.startsWith(prefix))
    const longest = found.reduce((length, [prefix]) => Math.max(length, prefix.length), 0)
    for (const [prefix] of found) kept.set(prefix, now)
    return Math.ceil(longest / CHARACTERS_PER_TOKEN)
  }

  return {
    requests,
    forget() {
      kept = new Map()
    },
    choice: {
      modelId,
      providerModelId: modelId,
      name: modelId,
      facts: withOverride(UNKNOWN_MODEL, { price, contextWindowTokens: windowTokens }),
      port: {
        providerId: 'metered',
        async stream(request, { onPart }) {
          requests.push(request)
          // The bound of the answer is no part of what a provider keeps.
          const text = canonicalText({ ...request, maxOutputTokens: null })
          const cacheReadTokens = readTokens(text, clock.now())
          kept.set(text, clock.now())
          kept.set(`${text.split('\n', 1)[0] ?? ''}\n`, clock.now())
          const words = says?.(request) ?? 'Said and done, as it was asked for.'
          await onPart({ type: 'block-started', block: 0, start: { type: 'text' } })
          await onPart({ type: 'block-delta', block: 0, text: words })
          await onPart({ type: 'block-ended', block: 0 })
          const whole = Math.ceil(text.length / CHARACTERS_PER_TOKEN)
          const outputTokens = Math.ceil(words.length / CHARACTERS_PER_TOKEN)
          const written = {
            cacheCreation5mTokens: whole - cacheReadTokens,
            cacheCreation1hTokens: 0,
            thinkingTokens: 0,
          }
          await onPart({ type: 'usage', usage: { inputTokens: 0, cacheReadTokens, outputTokens, ...written } })
          await onPart({ type: 'finish', finish: 'end' })
        },
      },
    },
  }
}
