import { describe, expect, it } from 'vitest'
import { CACHED_FORMATS } from './billed-formats.ts'
import { holdCacheConversation } from './cache-conversation.ts'

/** The quick count ends before the checkpoint of 60 turns; a smaller window brings one all the same. */
const [turnCount, windowTokens] = process.env['HOLDFAST_FULL'] === undefined ? [14, 27_000] : [60, 100_000]

describe('the prompt cache over a whole conversation with tools, notes and a checkpoint', { retry: 0 }, () => {
  it.each(CACHED_FORMATS.map((format) => [format.title, format] as const))(
    '[CACHE1, REQ5, REQ6] reads nineteen twentieths of what an ideal cache reads, and nothing is refused: %s',
    async (_, format) => {
      const figures = await holdCacheConversation(format, { turnCount, windowTokens, manner: 'noted' })
      const { readTokens, idealReadTokens, promptTokens } = figures
      expect(figures).toMatchObject({ breaks: [], refusals: [] })
      expect(figures.checkpointCount).toBeGreaterThan(0)
      expect(figures.noteCount).toBeGreaterThan(turnCount / 3)
      expect(readTokens / idealReadTokens).toBeGreaterThan(0.95)
      expect(idealReadTokens / promptTokens).toBeGreaterThan(0.6)
    },
    60_000,
  )
})
