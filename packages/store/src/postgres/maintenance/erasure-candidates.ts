import { erasureCandidates as candidatesFrom, type Entry } from '@holdfast/conversation'
import type { EntryRow } from '../../shared/prepare-append.ts'
import { readRow } from '../../shared/read-rows.ts'
import type { Sql } from '../connection/database.ts'
import { logPages } from '../tables/log-pages.ts'

const NAMED_AND_CHECKPOINTS = `
  SELECT seq, checksum, body FROM holdfast.entries
  WHERE conversation_id = $1 AND (seq = ANY($2::bigint[]) OR is_checkpoint) ORDER BY seq`

/** The entries that an erasure may touch: those it names, all checkpoints, and what may hold the same words. */
export async function erasureCandidates(
  sql: Sql,
  { log, seqs }: { readonly log: LogEnd; readonly seqs: readonly number[] },
): Promise<readonly Entry[]> {
  const rows = await sql<EntryRow>(NAMED_AND_CHECKPOINTS, [log.conversationId, seqs])
  const first = rows.map((row) => readRow(log.conversationId, row))
  const candidates = candidatesFrom(first)
  for (let grew = true; grew; ) {
    grew = false
    for await (const entries of logPages(sql, log)) grew = candidates.take(entries) || grew
  }
  return candidates.found()
}

interface LogEnd {
  readonly conversationId: string
  readonly head: number
}
