import type { Snapshot } from '@holdfast/conversation'
import type { MemoryData } from './memory-data.ts'

/** Keeps each snapshot unless there is one with a later cursor. [PRJ2] */
export function writeSnapshots(data: MemoryData, conversationId: string, snapshots: readonly Snapshot[]): void {
  const kept = data.logs.get(conversationId)?.snapshots
  if (!kept) return
  for (const snapshot of snapshots) {
    const known = kept.get(snapshot.projection)
    if (known && known.cursor > snapshot.cursor) continue
    kept.set(snapshot.projection, { cursor: snapshot.cursor, json: JSON.stringify(snapshot) })
  }
}

/** The snapshots of a conversation. */
export function readSnapshots(data: MemoryData, conversationId: string): Snapshot[] {
  const kept = data.logs.get(conversationId)?.snapshots ?? new Map<string, { json: string }>()
  return [...kept.values()].map(({ json }) => JSON.parse(json))
}
