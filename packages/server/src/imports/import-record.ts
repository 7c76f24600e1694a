import type { RecordKind } from '@holdfast/conversation'
import { ImportAnswer, nothingImported } from '@holdfast/protocol'
import * as z from 'zod'

const ImportRecord = ImportAnswer.omit({ id: true }).extend({
  /** A conversation that is written in several appends and not whole yet. */
  openConversationId: z.string().nullable(),
})
export type ImportRecord = z.infer<typeof ImportRecord>

/** Imports that run or have ended; each belongs to who began it. */
export const IMPORT = { kind: 'import', schema: ImportRecord } as const satisfies RecordKind<ImportRecord>

/** An import that begins. */
export function newImportRecord(file: {
  readonly name: string
  readonly sizeBytes: number
  readonly startedAt: number
  readonly isDryRun: boolean
  readonly only: string | null
  readonly since: number | null
}): ImportRecord {
  const { name, sizeBytes, startedAt, isDryRun, only, since } = file
  return {
    name,
    sizeBytes,
    startedAt,
    isDryRun,
    only,
    since,
    state: 'running',
    ...nothingImported(),
    openConversationId: null,
  }
}

/** An import as its owner sees it. */
export function toImportAnswer(id: string, { openConversationId: _, ...shown }: ImportRecord): ImportAnswer {
  return { id, ...shown }
}
