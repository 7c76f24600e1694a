import type { Entry, EntryOf, UsageQuery } from '@holdfast/conversation'
import type { MemoryData } from './memory-data.ts'

type Usage = EntryOf<'usage-recorded'>

/** Keeps a usage record beside the log, where it outlives the conversation. [LOG9] */
export function keepUsage(data: MemoryData, ownerId: string, entry: Entry): void {
  if (entry.type !== 'usage-recorded') return
  const records = data.usage.get(ownerId)
  if (records) records.push(structuredClone(entry))
  else data.usage.set(ownerId, [structuredClone(entry)])
}

/** A page of the usage records of an owner, oldest first. */
export function readUsage(data: MemoryData, { ownerId, from, to, limit, after }: UsageQuery): Usage[] {
  const records = (data.usage.get(ownerId) ?? []).filter(({ at }) => at >= from && at < to).sort(byPlace)
  const start = after ? records.findIndex((record) => byPlace(record, after) > 0) : 0
  return start < 0 ? [] : structuredClone(records.slice(start, start + limit))
}

type Place = Pick<Usage, 'at' | 'conversationId' | 'seq'>

function byPlace(a: Place, b: Place): number {
  if (a.at !== b.at) return a.at - b.at
  if (a.conversationId !== b.conversationId) return a.conversationId < b.conversationId ? -1 : 1
  return a.seq - b.seq
}
