import { blobsOf, type Entry } from '@holdfast/conversation'
import type pg from 'pg'
import {
  type BlobName,
  numberCell as number,
  type PortableRow,
  type PortableTable,
  type PortableTarget,
  textCell as text,
} from '../../shared/portable-rows.ts'
import { readRow } from '../../shared/read-rows.ts'
import type { Sql } from '../connection/database.ts'
import type { SchemaClient } from '../connection/open-schema.ts'
import { reindexLocked } from '../tables/reindex.ts'
import { createPortableSource } from './portable-source.ts'

/** Size of the pieces in which content is kept. */
const PIECE_BYTES = 256 * 1024

/** Each takes its columns as arrays of texts, in the order of the portable table. */
const WRITES: Readonly<Record<PortableTable, string>> = {
  conversations: `
    INSERT INTO holdfast.conversations (conversation_id, owner_id, head, archived, updated_at,
      listing_version, listing_shown, listing_state, listing_checksum)
    SELECT a, b, c::bigint, false, 0, 0, '', '', 0 FROM unnest($1::text[], $2::text[], $3::text[]) AS row (a, b, c)`,
  blobs: `
    INSERT INTO holdfast.blobs (owner_id, hash, content_id, size_bytes, media_type, uploaded_at)
    SELECT a, b, nextval(pg_get_serial_sequence('holdfast.incoming_contents', 'content_id')), c::bigint, d, e::bigint
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS row (a, b, c, d, e)`,
  entries: `
    INSERT INTO holdfast.entries (conversation_id, seq, is_checkpoint, checksum, body)
    SELECT a, b::bigint, e::boolean, c::bigint, d
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS row (a, b, c, d, e)`,
  commands: `
    INSERT INTO holdfast.commands (conversation_id, command_id, fingerprint, from_seq, to_seq)
    SELECT a, b, c, d::bigint, e::bigint
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS row (a, b, c, d, e)`,
  leases: `
    INSERT INTO holdfast.leases (conversation_id, epoch, holder, expires_at, is_released)
    SELECT a, b::bigint, coalesce(c, ''), d::bigint, c IS NULL
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS row (a, b, c, d)`,
  drafts: `
    INSERT INTO holdfast.drafts (conversation_id, run_id, step_id, deltas)
    SELECT a, b, c, d
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS row (a, b, c, d, place) ORDER BY place`,
  usage: `
    INSERT INTO holdfast.usage_records (owner_id, at, conversation_id, seq, body)
    SELECT a, b::bigint, c, d::bigint, e
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
      WITH ORDINALITY AS row (a, b, c, d, e, place) ORDER BY place`,
  records: `
    INSERT INTO holdfast.records (kind, owner_id, id, revision, change, updated_at, value)
    SELECT a, b, c, coalesce(d::bigint, 0), e::bigint, coalesce(f::bigint, 0), g
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
      AS row (a, b, c, d, e, f, g)`,
  uploads: `
    INSERT INTO holdfast.uploads (upload_id, owner_id, hash, media_type, conversation_id, uploaded_at, is_used)
    SELECT a, b, c, d, e, f::bigint, g = '1'
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
      AS row (a, b, c, d, e, f, g)`,
}

const REFERENCES = `
  INSERT INTO holdfast.blob_references (conversation_id, seq, owner_id, hash)
  SELECT DISTINCT named.conversation_id, named.seq, log.owner_id, named.hash
  FROM unnest($1::text[], $2::bigint[], $3::text[]) AS named (conversation_id, seq, hash)
  JOIN holdfast.conversations log USING (conversation_id)`

const WRITE_PIECE = `
  INSERT INTO holdfast.content_pieces (content_id, piece, bytes)
  SELECT content_id, $3, $4 FROM holdfast.blobs WHERE owner_id = $1 AND hash = $2`

const LOGS = 'SELECT conversation_id AS "conversationId", head::float8 AS head FROM holdfast.conversations ORDER BY 1'

/** Takes rows into the empty tables of a schema, in the transaction of a connection. */
export function createPortableTarget(client: SchemaClient): PortableTarget {
  const sql: Sql = async <Row extends pg.QueryResultRow>(statement: string, values: readonly unknown[]) =>
    (await client.query<Row>(statement, [...values])).rows
  const insert = async (table: PortableTable, rows: readonly PortableRow[]): Promise<void> => {
    const width = rows[0]?.length ?? 0
    await sql(
      WRITES[table],
      Array.from({ length: width }, (_, column) => rows.map((row) => toText(row[column] ?? null))),
    )
  }
  return {
    ...createPortableSource(client, null),
    async write(table, rows) {
      if (table !== 'entries') return insert(table, rows)
      const entries = rows.map(entryOf)
      await insert(
        table,
        rows.map((row, index) => [...row, String(entries[index]?.type === 'checkpoint-made')]),
      )
      const named = entries.flatMap((entry) => blobsOf(entry).map(({ hash }) => ({ entry, hash })))
      if (named.length === 0) return
      await sql(REFERENCES, [
        named.map(({ entry }) => entry.conversationId),
        named.map(({ entry }) => entry.seq),
        named.map(({ hash }) => hash),
      ])
    },
    async writeContent({ ownerId, hash }: BlobName, content) {
      let piece = 0
      for await (const bytes of content) {
        for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
          await sql(WRITE_PIECE, [ownerId, hash, piece, Buffer.from(bytes.subarray(from, from + PIECE_BYTES))])
          piece += 1
        }
      }
    },
    async derive() {
      for (const log of await sql<{ conversationId: string; head: number }>(LOGS, [])) await reindexLocked(sql, log)
    },
  }
}

function entryOf([id, seq, checksum, body]: PortableRow): Entry {
  return readRow(text(id), { seq: number(seq), checksum: number(checksum), body: text(body) })
}

function toText(cell: string | number | null): string | null {
  return cell === null ? null : String(cell)
}
