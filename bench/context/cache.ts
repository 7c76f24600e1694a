import { CACHED_FORMATS } from '../../tests/bill/billed-formats.ts'
import { type CacheFigures, holdCacheConversation } from '../../tests/bill/cache-conversation.ts'
import type { Benchmark, Figure } from '../lib/measure.ts'

const CONVERSATION = { turnCount: 60, windowTokens: 100_000 } as const
const GOAL = 0.95

/** How much of a conversation the provider's cache gave, of what an ideal cache gives. */
export const cache: Benchmark = {
  name: 'cache',
  about: `a conversation of ${CONVERSATION.turnCount} turns with tools, notes and one checkpoint over HTTP against the strict provider's caches; beside the same with its facts in the system text and no cache marks, the share of all prompt tokens that was read from the cache`,
  async run(report) {
    const figures: Figure[] = []
    for (const format of CACHED_FORMATS) {
      const noted = await holdCacheConversation(format, { ...CONVERSATION, manner: 'noted' })
      const plain = await holdCacheConversation(format, { ...CONVERSATION, manner: 'in-system' })
      const problems = [...noted.breaks, ...noted.refusals]
      for (const problem of problems) report(`${format.title}: ${problem}`)
      report(
        `${format.title}: ${noted.requestCount} requests, ${noted.checkpointCount} checkpoint, ${noted.noteCount} notes; of ${noted.promptTokens} prompt tokens an ideal cache reads ${noted.idealReadTokens}, this one read ${noted.readTokens}`,
      )
      const ofIdeal = noted.readTokens / noted.idealReadTokens
      const [read, plainly] = [shareRead(noted), shareRead(plain)]
      figures.push(
        {
          name: `cache-${format.name}`,
          value: ofIdeal,
          unit: 'of ideal',
          baseline: null,
          ratio: null,
          goal: `at least ${GOAL}, nothing refused`,
          met: ofIdeal >= GOAL && problems.length === 0,
        },
        {
          name: `cache-${format.name}-share`,
          value: read,
          unit: 'of all prompt tokens',
          baseline: plainly,
          ratio: plainly === 0 ? null : read / plainly,
          goal: 'more than the baseline',
          met: read > plainly,
        },
      )
    }
    return figures
  },
}

function shareRead({ readTokens, promptTokens }: CacheFigures): number {
  return readTokens / promptTokens
}
