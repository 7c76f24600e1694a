import type { DraftDelta, StoredDraft } from '@holdfast/conversation'

/** Deltas of an open step, as a table has them. */
export interface DraftRow {
  readonly runId: string
  readonly stepId: string
  /** The deltas of one write as a JSON array. */
  readonly deltas: string
}

/** The open steps of rows in the order of writing. */
export function toDrafts(rows: readonly DraftRow[]): StoredDraft[] {
  const drafts = new Map<string, { runId: string; stepId: string; deltas: DraftDelta[] }>()
  for (const { runId, stepId, deltas } of rows) {
    const draft = drafts.get(stepId) ?? { runId, stepId, deltas: [] }
    drafts.set(stepId, draft)
    const parsed: DraftDelta[] = JSON.parse(deltas)
    draft.deltas.push(...parsed)
  }
  return [...drafts.values()]
}
