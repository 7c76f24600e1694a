import {
  type Json,
  type KindWrite,
  type RecordChange,
  type RecordKey,
  type RecordKind,
  type Records,
  RevisionConflictError,
  type StoredRecord,
} from '@holdfast/conversation'
import type { RecordText } from '../../shared/prepare-append.ts'
import type { Database, Sql } from '../connection/database.ts'

/** Names the lock of the change feed: "hold" and "feed" as numbers. */
const FEED_LOCK = [0x686f6c64, 0x66656564] as const

/**
 * Changes are numbered one writer at a time, each until its transaction has ended. Otherwise a number could
 * become visible after a greater one, and a reader that has gone on past it would never see that change.
 */
const LOCK_FEED = 'SELECT pg_advisory_xact_lock($1, $2)'

const CURRENT = `
  SELECT CASE WHEN value IS NULL THEN 0 ELSE revision END AS revision
  FROM holdfast.records WHERE kind = $1 AND owner_id = $2 AND id = $3`

const PUT = `
  INSERT INTO holdfast.records (kind, owner_id, id, revision, change, updated_at, value)
  VALUES ($1, $2, $3, $4, (SELECT coalesce(max(change), 0) + 1 FROM holdfast.records), $5, $6)
  ON CONFLICT (kind, owner_id, id) DO UPDATE SET
    revision = excluded.revision, change = excluded.change, updated_at = excluded.updated_at, value = excluded.value
  RETURNING change`

const REMOVE = `
  UPDATE holdfast.records SET value = NULL, change = (SELECT max(change) + 1 FROM holdfast.records)
  WHERE kind = $1 AND owner_id = $2 AND id = $3 AND value IS NOT NULL`

const COLUMNS = 'owner_id AS "ownerId", id, revision, change, updated_at AS "updatedAt", value'

const GET = `SELECT ${COLUMNS} FROM holdfast.records WHERE kind = $1 AND owner_id = $2 AND id = $3 AND value IS NOT NULL`

const LIST = `
  SELECT ${COLUMNS} FROM holdfast.records
  WHERE kind = $1 AND owner_id = $2 AND id > $3 AND value IS NOT NULL ORDER BY id LIMIT $4`

const CHANGES = `
  SELECT change, kind, owner_id AS "ownerId", id, value IS NULL AS deleted
  FROM holdfast.records WHERE change > $1 ORDER BY change LIMIT $2`

type RecordRow = Omit<StoredRecord<Json>, 'value'> & { readonly value: string }

/** The small tables, in the same database. */
export function createRecords(database: Database): Records {
  return {
    put: async (kind, write) => {
      const [written] = await putTogether(database, [{ kind, write }])
      if (!written) throw new Error(`Record ${write.id} was not kept`)
      return written
    },
    putTogether: (writes) => putTogether(database, writes),
    get: async (kind, { ownerId, id }) => {
      const rows = await database.read((sql) => sql<RecordRow>(GET, [kind.kind, ownerId, id]))
      return rows[0] ? toRecord(kind, rows[0]) : null
    },
    // No id is empty, so the empty one stands before all.
    list: async (kind, { ownerId, limit, afterId }) => {
      const rows = await database.read((sql) => sql<RecordRow>(LIST, [kind.kind, ownerId, afterId ?? '', limit]))
      return rows.map((row) => toRecord(kind, row))
    },
    remove: async ({ kind }, key) => {
      await database.write(async (sql) => {
        await checkRevision(sql, kind, key)
        await sql(REMOVE, [kind, key.ownerId, key.id])
      })
    },
    changes: (after, limit) => database.read((sql) => sql<RecordChange>(CHANGES, [after, limit])),
  }
}

async function putTogether<Value extends Json>(
  database: Database,
  writes: readonly KindWrite<Value>[],
): Promise<readonly StoredRecord<Value>[]> {
  const texts = writes.map(({ kind, write }) => ({
    kind,
    write,
    value: JSON.stringify(kind.schema.parse(write.value)),
  }))
  return database.write(async (sql) => {
    const written: StoredRecord<Value>[] = []
    for (const { kind, write, value } of texts) {
      const { ownerId, id, revision, at } = write
      const change = await putRecordWithin(sql, { kind: kind.kind, ownerId, id, revision, value, at })
      written.push(toRecord(kind, { ownerId, id, revision: revision + 1, change, updatedAt: at, value }))
    }
    return written
  })
}

/**
 * Writes a record in a transaction that may hold the row of a log: the lock of the feed is taken after that. @returns its change.
 *
 * @throws {RevisionConflictError}
 */
export async function putRecordWithin(
  sql: Sql,
  { kind, ownerId, id, revision, value, at }: RecordText,
): Promise<number> {
  await checkRevision(sql, kind, { ownerId, id, revision })
  const rows = await sql<{ change: number }>(PUT, [kind, ownerId, id, revision + 1, at, value])
  return rows[0]?.change ?? 0
}

/** Takes the feed's lock, so that the revision stays what it is until the transaction ends. */
async function checkRevision(
  sql: Sql,
  kind: string,
  { ownerId, id, revision }: RecordKey & { readonly revision: number },
): Promise<void> {
  await sql(LOCK_FEED, [...FEED_LOCK])
  const rows = await sql<{ revision: number }>(CURRENT, [kind, ownerId, id])
  const currentRevision = rows[0]?.revision ?? 0
  if (currentRevision !== revision) throw new RevisionConflictError({ kind, id, revision, currentRevision })
}

function toRecord<Value extends Json>(kind: RecordKind<Value>, { value, ...row }: RecordRow): StoredRecord<Value> {
  return { ...row, value: kind.schema.parse(JSON.parse(value)) }
}
