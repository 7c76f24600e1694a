import type { Ledger } from '@holdfast/conversation'
import type { Diagnostics } from './diagnostics.ts'

/** Says in the server's log which accounting lines of a conversation that is read do not agree with its records. [COST13] */
export function tellWrongTotals(
  log: Diagnostics,
  conversationId: string,
  { wrongTotals }: Pick<Ledger, 'wrongTotals'>,
): void {
  for (const { seq, written, folded } of wrongTotals)
    log.warn('The totals of an accounting line are not those of the records before it', {
      conversationId,
      seq,
      written,
      folded,
    })
}
