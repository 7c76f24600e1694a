import { costOf, freePrice, type PaidTokens } from '@holdfast/provider'
import { createCatalog, plainModelName } from '@holdfast/provider/catalog'
import { calcPrice, findProvider } from '@pydantic/genai-prices'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const AT_MS = Date.parse('2026-11-21T12:00:00Z')
const catalog = createCatalog({ overrides: [], atMs: AT_MS })

function tokens(some: Partial<PaidTokens>): PaidTokens {
  return {
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheCreation5mTokens: 0,
    cacheCreation1hTokens: 0,
    outputTokens: 0,
    ...some,
  }
}

describe('the catalog', () => {
  it.each([
    ['anthropic', 'claude-sonnet-4-5-20250929', 200_000],
    ['anthropic', 'claude-opus-4-6', 1_000_000],
    ['aws', 'us.anthropic.claude-haiku-4-5-20251001-v1:0', 200_000],
    ['openrouter', 'anthropic/claude-sonnet-4.5', 1_000_000],
    ['openai', 'gpt-4.1-mini-2025-04-14', 1_000_000],
  ])('[COST3] knows %s %s', (seller, modelId, window) => {
    const facts = catalog.factsOf({ providerId: 'p', seller, modelId })
    expect(facts.contextWindowTokens).toBe(window)
    expect(facts.price?.input?.usdPerMillion).toBeGreaterThan(0)
    expect(facts.price?.reference).toContain('genai-prices')
  })

  it.each([
    ['anthropic', 'claude-haiku-4-5-20251001', 64_000, true],
    ['anthropic', 'claude-opus-5-5', 128_000, true],
    ['aws', 'us.anthropic.claude-haiku-4-5-20251001-v1:0', 64_000, true],
    ['openai', 'gpt-5.2', 128_000, true],
    ['openai', 'gpt-4o', 16_384, false],
    ['google', 'gemini-3.8-flash', 65_536, true],
    ['openrouter', 'anthropic/claude-3.5-haiku', 8_192, false],
  ])('[COST11] knows how much %s %s writes at most, and whether it thinks', (seller, modelId, most, thinking) => {
    const facts = catalog.factsOf({ providerId: 'p', seller, modelId })
    expect(facts.maxOutputTokens).toBe(most)
    expect(facts.capabilities.thinking).toBe(thinking)
  })

  it('[COST11] knows it of each model that its own vendor sells for conversations', () => {
    const spoken =
      /embed|image|tts|transcribe|audio|realtime|live|whisper|moderation|davinci|curie|babbage|ada$|ft:|ft-|sonic/
    const unknown = ['anthropic', 'openai', 'google'].flatMap((seller) =>
      (findProvider({ providerId: seller })?.models ?? [])
        .map(({ id }) => id)
        .filter((id) => !spoken.test(id))
        .filter((modelId) => catalog.factsOf({ providerId: 'p', seller, modelId }).maxOutputTokens === null),
    )
    // Nothing is published of these.
    const unpublished = [
      'gemini-1.0-pro-vision-001',
      'gemini-omni-flash-preview',
      'gemma-3n',
      'gemma-4-26b-a4b-it-maas',
    ]
    expect(unknown).toEqual(unpublished)
  })

  it.each([
    ['anthropic', 'claude-nonsense'],
    ['anthropic', 'claude-sonnet-4-9'],
    ['ollama', 'qwen3:30b-a3b-q4_K_M'],
    ['openrouter', 'anthropic/claude-sonnet-4.5:nitro'],
    ['nobody', 'gpt-5.2'],
    [null, 'gpt-5.2'],
  ])('[COST3] leaves %s %s unknown, and does not take the price of a name that begins alike', (seller, modelId) => {
    expect(catalog.factsOf({ providerId: 'p', seller, modelId })).toEqual({
      contextWindowTokens: null,
      maxOutputTokens: null,
      price: null,
      capabilities: { tools: null, images: null, thinking: null, promptCache: null },
    })
  })

  it('[COST3] takes local models as free and the demo as demo, by any name', () => {
    for (const seller of ['local', 'demo'] as const) {
      const { price } = catalog.factsOf({ providerId: 'p', seller, modelId: 'hf.co/a/b:c:d' })
      expect(price?.reference).toBe(seller)
      expect(costOf(tokens({ inputTokens: 1_000_000, outputTokens: 5, cacheCreation1hTokens: 9 }), price)).toBe(0)
    }
  })

  it('[COST3] puts what a person says over what it knows, for that provider and that model', () => {
    const said = createCatalog({
      atMs: AT_MS,
      overrides: [
        { providerId: 'mine', modelId: 'a:b:c', facts: { contextWindowTokens: 4_096, capabilities: { images: true } } },
        { providerId: 'mine', modelId: 'gpt-4.1', facts: { price: freePrice('local') } },
      ],
    })
    const unknown = said.factsOf({ providerId: 'mine', seller: null, modelId: 'a:b:c' })
    expect([unknown.contextWindowTokens, unknown.price, unknown.capabilities.images]).toEqual([4_096, null, true])
    const known = said.factsOf({ providerId: 'mine', seller: 'openai', modelId: 'gpt-4.1' })
    expect([known.price?.reference, known.contextWindowTokens]).toEqual(['local', 1_000_000])
    expect(said.factsOf({ providerId: 'other', seller: 'openai', modelId: 'gpt-4.1' }).price?.reference).not.toBe(
      'local',
    )
  })

  it('[COST3] takes a name for another only where vendor, region, version and day differ', () => {
    expect(
      new Set(
        [
          'us.anthropic.claude-haiku-4-5-20251001-v1:0',
          'anthropic/claude-haiku-4.5',
          'claude-haiku-4-5-latest',
          'claude-haiku-4-5@20251001',
        ].map(plainModelName),
      ),
    ).toEqual(new Set(['claude-haiku-4-5']))
    expect(new Set(['qwen3:30b', 'qwen3:8b', 'qwen3', 'x/qwen3:free'].map(plainModelName)).size).toBe(4)
  })
})

describe('the cost', () => {
  const sonnet = catalog.factsOf({ providerId: 'p', seller: 'anthropic', modelId: 'claude-sonnet-4-5' }).price

  it('[COST1] counts each kind of token at its own price', () => {
    const usage = tokens({
      inputTokens: 1_000,
      cacheReadTokens: 10_000,
      cacheCreation5mTokens: 2_000,
      cacheCreation1hTokens: 3_000,
      outputTokens: 500,
    })
    expect(costOf(usage, sonnet)).toBeCloseTo(
      (1_000 * 3 + 10_000 * 0.3 + 2_000 * 3.75 + 3_000 * 6 + 500 * 15) / 1_000_000,
      12,
    )
  })

  it('[COST1] agrees with the price package, also where long prompts cost more', () => {
    const count = fc.integer({ min: 0, max: 400_000 })
    fc.assert(
      fc.property(
        count,
        count,
        count,
        fc.integer({ min: 0, max: 60_000 }),
        (inputTokens, cacheReadTokens, cacheCreation5mTokens, outputTokens) => {
          const theirs = calcPrice(
            {
              input_tokens: inputTokens + cacheReadTokens + cacheCreation5mTokens,
              cache_read_tokens: cacheReadTokens,
              cache_write_tokens: cacheCreation5mTokens,
              output_tokens: outputTokens,
            },
            'claude-sonnet-4-5',
            { providerId: 'anthropic', timestamp: new Date(AT_MS) },
          )
          expect(
            costOf(tokens({ inputTokens, cacheReadTokens, cacheCreation5mTokens, outputTokens }), sonnet),
          ).toBeCloseTo(theirs?.total_price ?? -1, 9)
        },
      ),
    )
  })

  it('[COST3] is unknown when the price of any token that was used is not known', () => {
    expect(costOf(tokens({ inputTokens: 1 }), null)).toBeNull()
    const price = sonnet && { ...sonnet, cacheCreation1h: null }
    expect(costOf(tokens({ inputTokens: 1_000_000 }), price)).toBeGreaterThan(0)
    expect(costOf(tokens({ inputTokens: 1, cacheCreation1hTokens: 1 }), price)).toBeNull()
  })
})
