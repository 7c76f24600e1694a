import type { Entry } from '@holdfast/conversation'
import type { EntryRow } from '../shared/prepare-append.ts'
import { readRow } from '../shared/read-rows.ts'
import type { Sql } from './database.ts'
import { logPages } from './log-pages.ts'

const NAMED_AND_CHECKPOINTS = `
  SELECT seq, checksum, body FROM holdfast.entries
  WHERE conversation_id = $1 AND (seq = ANY($2::bigint[]) OR is_checkpoint) ORDER BY seq`

/**
 * The entries that an erasure may touch, so that not the whole log is held: those it names, all checkpoints,
 * and what shares an input with the named or a run with either. Copies of words go from entry to entry by
 * these alone, as `entriesToErase` follows them.
 */
export async function erasureCandidates(
  sql: Sql,
  {
    log,
    seqs,
  }: { readonly log: { readonly conversationId: string; readonly head: number }; readonly seqs: readonly number[] },
): Promise<Entry[]> {
  const rows = await sql<EntryRow>(NAMED_AND_CHECKPOINTS, [log.conversationId, seqs])
  const first = rows.map((row) => readRow(log.conversationId, row))
  const firstSeqs = new Set(first.map(({ seq }) => seq))
  const ids = new Set(first.flatMap(idsOf))
  const others: Entry[] = []
  if (ids.size > 0) {
    for await (const entries of logPages(sql, log)) {
      others.push(...entries.filter((entry) => !firstSeqs.has(entry.seq) && idsOf(entry).some((id) => ids.has(id))))
    }
  }
  return [...first, ...others]
}

function idsOf(entry: Entry): string[] {
  return [
    ...('inputId' in entry ? [`input ${entry.inputId}`] : []),
    ...('runId' in entry && entry.runId !== undefined ? [`run ${entry.runId}`] : []),
  ]
}
