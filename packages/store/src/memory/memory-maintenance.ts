import {
  blobsOf,
  type Entry,
  type Erasure,
  ErasureRefusedError,
  erasedEntries,
  type IntegrityReport,
  tombstones,
} from '@holdfast/conversation'
import { dropUnnamed } from './memory-blobs.ts'
import type { MemoryData } from './memory-data.ts'
import { dropDraft } from './memory-drafts.ts'
import { reindexLog } from './memory-index.ts'
import { allEntries, countBlobs } from './memory-log.ts'

/** Puts tombstones in the place of entries and drops every copy of what they said. [LOG9] */
export function eraseEntries(data: MemoryData, erasure: Erasure): Entry[] {
  const log = data.logs.get(erasure.conversationId)
  const entries = allEntries(log)
  if (!log) throw new ErasureRefusedError(erasure.seqs[0] ?? 0, 'there is no such entry')
  const erased = erasedEntries(entries, erasure.seqs)
  const stones = tombstones(erased, erasure)

  for (const stone of stones) log.entries[stone.seq - 1] = JSON.stringify(stone)
  for (const entry of erased) {
    countBlobs(log, entry, -1)
    if ('stepId' in entry && entry.stepId !== undefined) dropDraft(log, entry.stepId)
  }
  const { conversationId, at } = erasure
  for (const { hash } of erased.flatMap(blobsOf)) dropUnnamed(data, { ownerId: log.ownerId, hash, conversationId, at })
  log.snapshots.clear()
  reindexLog(log)
  return stones
}

/** Forgets a conversation. What it cost is kept beside the logs. [LOG9] */
export function deleteLog(data: MemoryData, conversationId: string, at: number): void {
  const log = data.logs.get(conversationId)
  data.logs.delete(conversationId)
  data.leases.delete(conversationId)
  if (!log) return
  for (const hash of log.blobCounts.keys()) dropUnnamed(data, { ownerId: log.ownerId, hash, conversationId, at })
}

/** Reads everything once. What cannot be read would throw. */
export function checkData(data: MemoryData): IntegrityReport {
  const counts = [...data.logs.values()].map((log) => allEntries(log).length)
  return { conversationCount: counts.length, entryCount: counts.reduce((sum, count) => sum + count, 0), damages: [] }
}
