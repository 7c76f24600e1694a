import type { DraftChunk, StoredDraft } from '@holdfast/conversation'
import type { MemoryData, MemoryLog } from './memory-data.ts'
import { currentEpoch } from './memory-leases.ts'

/** Adds the chunks whose epoch is the present one and whose step is open; answers with the conversations of the others. [RUN3, LOG10, SCALE21] */
export function appendDrafts(data: MemoryData, chunks: readonly DraftChunk[]): string[] {
  const lost = new Set<string>()
  for (const chunk of chunks) {
    const log = data.logs.get(chunk.conversationId)
    const isCurrent = chunk.epoch === currentEpoch(data, chunk.conversationId)
    if (log && isCurrent && chunk.startedSeq > log.draftsAfter) addChunk(log, chunk)
    else lost.add(chunk.conversationId)
  }
  return [...lost]
}

/** The open steps of a conversation. */
export function readDrafts(data: MemoryData, conversationId: string): StoredDraft[] {
  const drafts = data.logs.get(conversationId)?.drafts ?? []
  return drafts.map(({ runId, stepId, deltas }) => ({ runId, stepId, deltas: deltas.map((json) => JSON.parse(json)) }))
}

/** Forgets the open step, if there is one. */
export function dropDraft(log: MemoryLog, stepId: string): void {
  const index = log.drafts.findIndex((draft) => draft.stepId === stepId)
  if (index >= 0) log.drafts.splice(index, 1)
}

function addChunk(log: MemoryLog, { runId, stepId, deltas }: DraftChunk): void {
  const known = log.drafts.find((draft) => draft.stepId === stepId)
  const draft = known ?? { runId, stepId, deltas: [] }
  if (!known) log.drafts.push(draft)
  for (const delta of deltas) draft.deltas.push(JSON.stringify(delta))
}
