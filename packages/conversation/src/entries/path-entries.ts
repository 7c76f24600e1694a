import * as z from 'zod'
import { entryOf } from '../envelope.ts'
import { LedgerTotals } from '../ledger-totals.ts'

/** Why a part of the path was set aside. */
export const RewindReason = z.enum(['edit', 'retry', 'retry-after-error', 'redo', 'rewind'])
export type RewindReason = z.infer<typeof RewindReason>

/** The path goes on after an earlier entry; what followed it is set aside, readable and paid for. The accounting line. [PRJ6] */
export const PathRewound = entryOf('path-rewound', {
  /** The last entry kept: 0, or the end of an exchange. */
  toSeq: z.int().nonnegative(),
  reason: RewindReason,
  /** Messages that this set aside. */
  setAsideCount: z.int().nonnegative(),
  /** What the conversation had cost by then; a copy for the reader, checked against the fold. */
  totals: LedgerTotals,
})

/** A branch that was set aside is the path again, up to and with `headSeq`. */
export const PathSelected = entryOf('path-selected', { headSeq: z.int().nonnegative() })
