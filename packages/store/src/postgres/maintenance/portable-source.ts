import { createHash } from 'node:crypto'
import { DamagedBlobError, StoreReadError } from '@holdfast/conversation'
import type { Bucket } from '../../bucket/bucket.ts'
import { noBucket, readContent } from '../../bucket/contents.ts'
import type { BlobName, PortableRow, PortableSource, PortableTable } from '../../shared/portable-rows.ts'
import type { SchemaClient } from '../connection/open-schema.ts'

/** How many rows are in memory at a time. */
const AT_ONCE = 500

/** Numbers as `float8`, which the driver gives as numbers: ours are far below 2^53. */
const ROWS: Readonly<Record<PortableTable, string>> = {
  conversations: 'SELECT conversation_id, owner_id, head::float8 FROM holdfast.conversations ORDER BY conversation_id',
  blobs: `
    SELECT owner_id, hash, size_bytes::float8, media_type, uploaded_at::float8
    FROM holdfast.blobs ORDER BY owner_id, hash`,
  entries: `
    SELECT conversation_id, seq::float8, checksum::float8, body FROM holdfast.entries ORDER BY conversation_id, seq`,
  commands: `
    SELECT conversation_id, command_id, fingerprint, from_seq::float8, to_seq::float8
    FROM holdfast.commands ORDER BY conversation_id, command_id`,
  leases: `
    SELECT conversation_id, epoch::float8, CASE WHEN is_released THEN NULL ELSE holder END, expires_at::float8
    FROM holdfast.leases ORDER BY conversation_id`,
  drafts: `
    SELECT conversation_id, run_id, step_id, deltas FROM holdfast.drafts ORDER BY conversation_id, draft_number`,
  usage: `
    SELECT owner_id, at::float8, conversation_id, seq::float8, body
    FROM holdfast.usage_records ORDER BY owner_id, at, conversation_id, seq`,
  records: `
    SELECT kind, owner_id, id, CASE WHEN value IS NOT NULL THEN revision::float8 END, change::float8,
      CASE WHEN value IS NOT NULL THEN updated_at::float8 END, value
    FROM holdfast.records ORDER BY kind, owner_id, id`,
  uploads: `
    SELECT upload_id, owner_id, hash, media_type, conversation_id, uploaded_at::float8, is_used::integer
    FROM holdfast.uploads ORDER BY upload_id`,
}

const BLOB = `
  SELECT content_id::float8 AS "contentId", object_id AS "objectId", hash, size_bytes::float8 AS "sizeBytes"
  FROM holdfast.blobs WHERE owner_id = $1 AND hash = $2`

const PIECE = 'SELECT bytes FROM holdfast.content_pieces WHERE content_id = $1 AND piece = $2'

interface FoundBlob {
  readonly contentId: number
  readonly objectId: string | null
  readonly hash: string
  readonly sizeBytes: number
}

/** The rows of a PostgreSQL store, as a connection in a transaction sees them. */
export function createPortableSource(client: SchemaClient, bucket: Bucket | null): PortableSource {
  async function* contentHere({ contentId, hash }: FoundBlob): AsyncGenerator<Uint8Array> {
    const sum = createHash('sha256')
    for (let piece = 0; ; piece++) {
      const { rows } = await client.query<{ bytes: Buffer }>(PIECE, [contentId, piece])
      const [row] = rows
      if (!row) break
      sum.update(row.bytes)
      yield row.bytes
    }
    if (sum.digest('hex') !== hash) throw new DamagedBlobError(hash)
  }
  return {
    async *rows(table) {
      const cursor = `move_${table}`
      await client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${ROWS[table]}`)
      for (;;) {
        const { rows } = await client.query<(string | number | null)[]>({
          text: `FETCH ${AT_ONCE} FROM ${cursor}`,
          rowMode: 'array',
        })
        const page: readonly PortableRow[] = rows
        if (page.length === 0) break
        yield page
      }
      await client.query(`CLOSE ${cursor}`)
    },
    async *content({ ownerId, hash }: BlobName) {
      const { rows } = await client.query<FoundBlob>(BLOB, [ownerId, hash])
      const [blob] = rows
      if (!blob) throw new StoreReadError(`Blob ${hash} is gone`)
      const { objectId } = blob
      if (objectId === null) yield* contentHere(blob)
      else if (bucket) yield* readContent(bucket, { ...blob, objectId })
      else throw noBucket(hash)
    },
  }
}
