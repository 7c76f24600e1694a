import { ledger, transcript } from '@holdfast/conversation'
import { checkpointMade, conversationCreated, logOf, usageRecorded } from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'

test('[CACHE4] the ledger sums what the cache lost, keeps the newest breaks at hand, and says of how many nobody knows the cost', () => {
  const records = Array.from({ length: 25 }, (_, index) => ({
    ...usageRecorded(`run_${index}`, `step_${index}`, { input: 10, output: 1 }),
    cacheBreak: {
      reason: 'expired' as const,
      sinceStepId: `step_${index - 1}`,
      lostTokens: 1_000,
      lostUsd: index === 0 ? null : 0.5,
    },
  }))
  const { cacheLosses } = ledger.reduce(ledger.initial, logOf('a', [conversationCreated('user_1'), ...records]))
  expect(cacheLosses).toMatchObject({ breakCount: 25, lostTokens: 25_000, lostUsd: 12, unpricedCount: 1 })
  expect(cacheLosses.newest).toHaveLength(20)
  expect(cacheLosses.newest.at(-1)).toMatchObject({ sinceStepId: 'step_23', seq: 26 })
})

test('[CHK4] the item of a summary says what it carries over and what it does not', () => {
  const made = { ...checkpointMade({ fromSeq: 1, toSeq: 9 }, 'Said so'), verbatimSeqs: [2], listedSeqs: [4, 6] }
  const { items } = transcript.reduce(transcript.initial, logOf('a', [conversationCreated('user_1'), made]))
  expect(items.at(-1)).toMatchObject({ verbatimSeqs: [2], listedSeqs: [4, 6] })
})
