import type { EntryOf } from '../entry.ts'

/** Which usage records to read, oldest first; those of the same time in an order of the store's own. */
export interface UsageQuery {
  readonly ownerId: string
  /** From this time on, in milliseconds since the Unix epoch. */
  readonly from: number
  /** Before this time. */
  readonly to: number
  readonly limit: number
  /** Goes on after this record of the page before. */
  readonly after?: Pick<EntryOf<'usage-recorded'>, 'at' | 'conversationId' | 'seq'>
}

/** What the requests of an owner cost: an index over all logs, written with the entries. [PRJ5] */
export interface UsageIndex {
  /** Usage records, those of conversations that were deleted since included. [COST1, LOG9] */
  readUsage(query: UsageQuery): Promise<readonly EntryOf<'usage-recorded'>[]>
}
