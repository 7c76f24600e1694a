import type { EntryOf, UsageIndex } from '@holdfast/conversation'

/** Whose records, and when they were written: from `from` on and before `to`, in milliseconds since the Unix epoch. */
export interface UsageRange {
  readonly ownerId: string
  readonly from: number
  readonly to: number
}

const PAGE = 1_000

/** What an owner's requests cost, oldest first, page by page. What was carried from elsewhere counts there. [COST8] */
export async function* usageRecords(
  store: UsageIndex,
  range: UsageRange,
): AsyncGenerator<readonly EntryOf<'usage-recorded'>[]> {
  let after: EntryOf<'usage-recorded'> | undefined
  for (;;) {
    const page = await store.readUsage({ ...range, limit: PAGE, ...(after ? { after } : {}) })
    yield page.filter(({ carried }) => !carried)
    after = page.at(-1)
    if (page.length < PAGE || !after) return
  }
}
