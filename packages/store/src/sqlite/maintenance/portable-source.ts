import { createHash } from 'node:crypto'
import { DamagedBlobError, StoreReadError } from '@holdfast/conversation'
import type { Database } from 'better-sqlite3'
import type { Bucket } from '../../bucket/bucket.ts'
import { noBucket, readContent } from '../../bucket/contents.ts'
import type { BlobName, PortableRow, PortableSource, PortableTable } from '../../shared/portable-rows.ts'
import { isIntactPiece } from '../tables/blob-table.ts'

/** How many rows are in memory at a time. */
const AT_ONCE = 500

const ROWS: Readonly<Record<PortableTable, string>> = {
  conversations: 'SELECT conversation_id, owner_id, head FROM conversations ORDER BY conversation_id',
  blobs: `
    SELECT owner_id, hash, size_bytes,
      coalesce((SELECT media_type FROM uploads u WHERE u.blob_key = b.blob_key ORDER BY at, upload_id LIMIT 1),
        (SELECT media_type FROM blob_references r WHERE r.blob_key = b.blob_key LIMIT 1), 'application/octet-stream'),
      coalesce((SELECT max(at) FROM uploads u WHERE u.blob_key = b.blob_key), 0)
    FROM blobs b WHERE hash IS NOT NULL ORDER BY owner_id, hash`,
  entries: `
    SELECT conversation_id, seq, e.checksum, body
    FROM conversations JOIN entries e USING (conversation_key) ORDER BY conversation_id, seq`,
  commands: `
    SELECT conversation_id, command_id, fingerprint, first_seq, last_seq
    FROM conversations JOIN commands USING (conversation_key) ORDER BY conversation_id, command_id`,
  leases: 'SELECT conversation_id, epoch, holder, expires_at FROM leases ORDER BY conversation_id',
  drafts: `
    SELECT conversation_id, run_id, step_id, deltas
    FROM draft_steps JOIN draft_chunks USING (step_key) ORDER BY conversation_id, chunk_id`,
  usage: 'SELECT owner_id, at, conversation_id, seq, body FROM usage ORDER BY owner_id, at, conversation_id, seq',
  records: `
    SELECT kind, owner_id, id, revision, c.change, updated_at, value
    FROM record_changes c LEFT JOIN records r USING (kind, owner_id, id) ORDER BY kind, owner_id, id`,
  uploads: `
    SELECT upload_id, u.owner_id, hash, media_type, conversation_id, at, used
    FROM uploads u JOIN blobs USING (blob_key) ORDER BY upload_id`,
}

/** The rows of a SQLite database, as a connection sees it; whoever opened that keeps it at one moment. */
export function createPortableSource(database: Database, bucket: Bucket | null): PortableSource {
  const find = database.prepare<
    [string, string],
    { blobKey: number; sizeBytes: number; objectId: string | null; hash: string }
  >(
    `SELECT blob_key AS blobKey, size_bytes AS sizeBytes, object_id AS objectId, hash
     FROM blobs WHERE owner_id = ? AND hash = ?`,
  )
  const pieces = database.prepare<[number, number], { bytes: Uint8Array; checksum: number }>(
    'SELECT bytes, checksum FROM blob_pieces WHERE blob_key = ? AND piece = ?',
  )
  async function* contentHere(blobKey: number, hash: string): AsyncGenerator<Uint8Array> {
    const sum = createHash('sha256')
    for (let piece = 0; ; piece++) {
      const row = pieces.get(blobKey, piece)
      if (!row) break
      if (!isIntactPiece(row)) throw new DamagedBlobError(hash)
      sum.update(row.bytes)
      yield row.bytes
    }
    if (sum.digest('hex') !== hash) throw new DamagedBlobError(hash)
  }
  return {
    async *rows(table) {
      let held: PortableRow[] = []
      for (const row of database.prepare<[], PortableRow>(ROWS[table]).raw(true).iterate()) {
        held.push(row)
        if (held.length < AT_ONCE) continue
        yield held
        held = []
      }
      if (held.length > 0) yield held
    },
    async *content({ ownerId, hash }: BlobName) {
      const blob = find.get(ownerId, hash)
      if (!blob) throw new StoreReadError(`Blob ${hash} is gone`)
      const { blobKey, objectId } = blob
      if (objectId === null) yield* contentHere(blobKey, hash)
      else if (bucket) yield* readContent(bucket, { ...blob, objectId })
      else throw noBucket(hash)
    },
  }
}
