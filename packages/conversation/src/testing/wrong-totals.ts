import type { Entry } from '../entry.ts'
import { LedgerTotals } from '../ledger-totals.ts'
import { ledger } from '../projections/ledger.ts'

/** An accounting line whose copy of the totals is not what the records before it sum up to. */
export interface WrongTotals {
  readonly seq: number
  readonly written: LedgerTotals
  readonly folded: LedgerTotals
}

/** The accounting lines of a whole log that differ from the fold of its usage records. [PRJ5, PRJ6] */
export function wrongTotals(log: readonly Entry[]): WrongTotals[] {
  const wrong: WrongTotals[] = []
  let state = ledger.initial
  for (const entry of log) {
    state = ledger.reduce(state, [entry])
    if (entry.type !== 'path-rewound' && entry.type !== 'conversation-archived') continue
    const { seq, totals: written } = entry
    const folded = state.total
    if (!isSame(written, folded)) wrong.push({ seq, written, folded })
  }
  return wrong
}

function isSame(one: LedgerTotals, other: LedgerTotals): boolean {
  return LedgerTotals.keyof().options.every((figure) => one[figure] === other[figure])
}
