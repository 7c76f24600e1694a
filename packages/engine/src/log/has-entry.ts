import { BEYOND_ALL_LOGS, type Entry, entriesBefore } from '@holdfast/conversation'
import type { EnginePorts } from '../api/ports.ts'

const PAGE_ENTRIES = 500

/** Whether a log has an entry of which this is true, the newest looked at first: what is answered is seldom old. */
export async function hasEntry(
  { store }: Pick<EnginePorts, 'store'>,
  conversationId: string,
  isWanted: (entry: Entry) => boolean,
): Promise<boolean> {
  const log = { conversationId, before: BEYOND_ALL_LOGS, pageEntries: PAGE_ENTRIES }
  for await (const { entries } of entriesBefore(store, log)) if (entries.some(isWanted)) return true
  return false
}
