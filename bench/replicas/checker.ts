import { type Audit, type AuditedWrite, writesOfTwo } from '@holdfast/store/testing'
import { stampsIn } from '../server/load-order.ts'
import type { Talk } from './talk.ts'

/** What PostgreSQL says of a conversation. */
export interface Kept {
  readonly id: string
  /** The seqs, in order. */
  readonly seqs: readonly number[]
  /** Where the turn ended, each time that it did. */
  readonly ends: readonly number[]
  /** The places of messages that were taken. */
  readonly admitted: readonly number[]
  /** Whether the turn came to its own end: nobody cut it. */
  readonly isCompleted: boolean
  /** The newest stamp of the answer; 0 for none. */
  readonly stamp: number
}

const LOGS = `
  SELECT conversation_id AS id, seq::int, body::json ->> 'type' AS type, body::json ->> 'runId' AS run,
    body::json ->> 'purpose' AS purpose, body::json ->> 'outcome' AS outcome, body
  FROM holdfast.entries WHERE conversation_id = ANY($1) ORDER BY conversation_id, seq`

/** Reads the logs of conversations past every server. */
export async function keptOf(audit: Audit, ids: readonly string[]): Promise<readonly Kept[]> {
  const rows = await audit.sql(LOGS, [ids])
  return ids.map((id) => {
    const own = rows.filter((row) => row['id'] === id)
    const ofType = (type: string) => own.filter((row) => row['type'] === type)
    const turns = new Set(ofType('run-started').flatMap((row) => (row['purpose'] === 'turn' ? [row['run']] : [])))
    const steps = ofType('step-finished').filter((row) => turns.has(row['run']))
    return {
      id,
      seqs: own.map((row) => Number(row['seq'])),
      ends: ofType('run-finished').flatMap((row) => (turns.has(row['run']) ? [Number(row['seq'])] : [])),
      isCompleted: ofType('run-finished').some((row) => turns.has(row['run']) && row['outcome'] === 'completed'),
      admitted: ofType('input-admitted').map((row) => Number(row['seq'])),
      stamp: Math.max(0, ...steps.flatMap((row) => stampsIn(String(row['body'])))),
    }
  })
}

/** The conversations that a role has, as the last lease of each says. */
export function ownedBy(writes: readonly AuditedWrite[], roles: readonly string[]): readonly string[] {
  const owners = new Map<string, string>()
  for (const { type, conversationId, writer } of writes) if (type === 'lease') owners.set(conversationId, writer)
  return [...owners].flatMap(([id, writer]) => (roles.includes(writer) ? [id] : []))
}

/** What is wrong with conversations that have ended, in words; nothing is what is to be. */
export async function wrongWith(audit: Audit, talks: readonly Talk[]): Promise<readonly string[]> {
  const ids = talks.map(({ id }) => id)
  const kept = await keptOf(audit, ids)
  const two = writesOfTwo(await audit.writes(ids)).map(
    ({ type, writer, conversationId }) => `${conversationId}: ${type} of ${writer}, who is not its owner`,
  )
  const own = talks.flatMap(({ id, seq, ends: seen }) => {
    const log = kept.find((other) => other.id === id)
    if (!log) return [`${id}: it is gone`]
    return [
      ...(log.admitted.includes(seq) ? [] : [`${id}: the message that was acknowledged at ${seq} is not there`]),
      ...(log.ends.length === 1 ? [] : [`${id}: ${log.ends.length} ends`]),
      ...(log.seqs.every((place, index) => place === index + 1) ? [] : [`${id}: seqs ${log.seqs.join()}`]),
      ...(log.ends.every((end) => seen().includes(end)) ? [] : [`${id}: its reader saw another end than ${log.ends}`]),
    ]
  })
  return [...two, ...own]
}
