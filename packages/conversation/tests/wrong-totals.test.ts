import { type LedgerTotals, ledger, noTotals } from '@holdfast/conversation'
import { conversationCreated, logOf, usageRecorded } from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'

const engine = { type: 'engine' } as const

function logWith(totals: LedgerTotals) {
  return logOf('conversation_1', [
    conversationCreated('user_1'),
    usageRecorded('run_1', 'step_1', { input: 10, output: 2 }),
    { type: 'path-rewound', actor: engine, toSeq: 0, reason: 'edit', setAsideCount: 0, totals },
    usageRecorded('run_2', 'step_2', { input: 10, output: 2 }),
  ])
}

function wrongIn(log: Parameters<typeof ledger.reduce>[1]) {
  return ledger.reduce(ledger.initial, log).wrongTotals
}

test('[COST13] the totals of an accounting line are those that the records before it sum up to', () => {
  const { total } = ledger.reduce(ledger.initial, logWith(noTotals).slice(0, 2))
  expect(wrongIn(logWith(total))).toEqual([])
  for (const [figure, value] of Object.entries(total)) {
    const written = { ...total, [figure]: value + 1 }
    expect(wrongIn(logWith(written))).toEqual([{ seq: 3, written, folded: total }])
  }
})
