import type { Snapshot } from '@holdfast/conversation'
import { rowChecksum } from '../../shared/checksum.ts'
import type { Database } from '../connection/database.ts'

/** A conversation that is being deleted keeps its row until this has ended, or has none: then nothing is kept. */
const WRITE = `
  WITH log AS (SELECT conversation_id FROM holdfast.conversations WHERE conversation_id = $1 FOR KEY SHARE)
  INSERT INTO holdfast.snapshots AS kept (conversation_id, projection, version, cursor, state, checksum)
  SELECT log.conversation_id, new.*
  FROM log, unnest($2::text[], $3::integer[], $4::bigint[], $5::text[], $6::bigint[]) AS new
  ON CONFLICT (conversation_id, projection) DO UPDATE SET
    version = excluded.version, cursor = excluded.cursor, state = excluded.state, checksum = excluded.checksum
  WHERE kept.cursor <= excluded.cursor`

const READ = 'SELECT projection, version, cursor, state, checksum FROM holdfast.snapshots WHERE conversation_id = $1'

interface SnapshotRow {
  readonly projection: string
  readonly version: number
  readonly cursor: number
  readonly state: string
  readonly checksum: number
}

/** Keeps each snapshot unless there is one with a later cursor. [PRJ2] */
export async function writeSnapshots(
  database: Database,
  conversationId: string,
  snapshots: readonly Snapshot[],
): Promise<void> {
  const rows = latest(snapshots).map(({ state, ...snapshot }) =>
    withChecksum({ ...snapshot, state: JSON.stringify(state) }),
  )
  if (rows.length === 0) return
  await database.writeOnce(WRITE, [
    conversationId,
    rows.map(({ projection }) => projection),
    rows.map(({ version }) => version),
    rows.map(({ cursor }) => cursor),
    rows.map(({ state }) => state),
    rows.map(({ checksum }) => checksum),
  ])
}

/** The snapshots of a conversation, without those that are not what was written. */
export async function readSnapshots(database: Database, conversationId: string): Promise<readonly Snapshot[]> {
  const rows = await database.read((sql) => sql<SnapshotRow>(READ, [conversationId]))
  return rows.filter((row) => row.checksum === withChecksum(row).checksum).map(toSnapshot)
}

/** One for each projection: a statement writes a row once only. */
function latest(snapshots: readonly Snapshot[]): Snapshot[] {
  const byProjection = new Map<string, Snapshot>()
  for (const snapshot of snapshots) {
    const known = byProjection.get(snapshot.projection)
    if (!known || known.cursor <= snapshot.cursor) byProjection.set(snapshot.projection, snapshot)
  }
  return [...byProjection.values()]
}

function withChecksum(row: Omit<SnapshotRow, 'checksum'>): SnapshotRow {
  const { projection, version, cursor, state } = row
  return { projection, version, cursor, state, checksum: rowChecksum([projection, version, cursor, state]) }
}

function toSnapshot({ projection, version, cursor, state }: SnapshotRow): Snapshot {
  return { projection, version, cursor, state: JSON.parse(state) }
}
