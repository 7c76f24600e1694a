import { type Entry, overview, transcript } from '@holdfast/conversation'
import { conversationCreated, logOf, wholeTurn } from '@holdfast/conversation/testing'
import { type Benchmark, inTurns } from '../lib/measure.ts'

const MESSAGES = 50_000

/** Folding a log into what a person reads and into all that must be known when it opens. */
export const fold: Benchmark = {
  name: 'fold',
  about: `folding a log of ${MESSAGES.toLocaleString('en')} messages, beside a bare loop that collects their texts`,
  async run() {
    const turns = Array.from({ length: MESSAGES / 2 }, (_, number) =>
      wholeTurn(number, { asked: `Question ${number}`, answered: `Answer ${number}. ${'word '.repeat(20)}` }),
    )
    const log = logOf('conversation_1', [conversationCreated('user_1'), ...turns.flat()])
    const figures = []
    const folds = [
      { name: 'fold transcript', run: () => transcript.reduce(transcript.initial, log) },
      { name: 'fold overview', run: () => overview.reduce(overview.initial, log) },
    ]
    for (const { name, run } of folds) {
      const { valueMs, baselineMs, ratio } = await inTurns(9, {
        value: run,
        baseline: () => collectTexts(log),
      })
      figures.push({
        name,
        value: valueMs,
        unit: 'ms',
        baseline: baselineMs,
        ratio,
        goal: 'well under 100 ms',
        met: valueMs < 100,
      })
    }
    return figures
  },
}

function collectTexts(log: readonly Entry[]): string[] {
  const texts: string[] = []
  for (const entry of log) {
    if (entry.type === 'user-message-sent')
      for (const part of entry.content) if (part.type === 'text') texts.push(part.text)
    if (entry.type === 'step-finished')
      for (const block of entry.blocks) if (block.type === 'text') texts.push(block.text)
  }
  return texts
}
