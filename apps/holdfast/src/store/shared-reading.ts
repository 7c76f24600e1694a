import { endOfFeed, type Records } from '@holdfast/conversation'

/**
 * Keeps what parts hold in memory of a shared database at what others have written: they read it at the first call, and
 * later when any record was written since. So a replica at rest asks one question. [SCALE11]
 */
export function createSharedReading(
  records: Pick<Records, 'changes'>,
  parts: readonly { refresh(): Promise<void> }[],
): () => Promise<void> {
  let readTo: number | null = null
  return async () => {
    const end = await endOfFeed(records, readTo ?? 0)
    if (end === readTo) return
    await Promise.all(parts.map((part) => part.refresh()))
    readTo = end
  }
}
