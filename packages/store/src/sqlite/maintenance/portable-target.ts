import { crc32 } from 'node:zlib'
import { blobsOf, type Entry, listing } from '@holdfast/conversation'
import type { Database } from 'better-sqlite3'
import { entryChecksum } from '../../shared/checksum.ts'
import {
  numberCell as number,
  type PortableRow,
  type PortableTable,
  type PortableTarget,
  textCell as text,
} from '../../shared/portable-rows.ts'
import type { EntryRow } from '../../shared/prepare-append.ts'
import { readRow } from '../../shared/read-rows.ts'
import type { Conversation } from '../tables/conversation-table.ts'
import { draftChecksum } from '../tables/draft-table.ts'
import { indexedText } from '../tables/indexed-text.ts'
import { recordChecksum } from '../tables/record-table.ts'
import { createWriterTables, type WriterTables } from '../tables/writer-tables.ts'
import { createPortableSource } from './portable-source.ts'

/** Size of the pieces in which a blob is stored. */
const PIECE_BYTES = 256 * 1024

/** Takes rows into an empty database, on a connection that is in a transaction. */
export function createPortableTarget(database: Database): PortableTarget {
  const tables = createWriterTables(database, (error) => {
    throw error
  })
  const owners = new Map<string, string>()
  const writeEntries = createEntryWriter(tables, owners)
  const writers = createWriters(database, owners)
  const blobs = createContentWriter(database)
  return {
    ...createPortableSource(database, null),
    async write(table, rows) {
      if (table === 'entries') return writeEntries(rows)
      const write = writers[table]
      for (const row of rows) write(row)
    },
    async writeContent({ ownerId, hash }, content) {
      const blobKey = blobs.keyOf(ownerId, hash)
      let piece = 0
      for await (const bytes of content) {
        for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
          blobs.addPiece(blobKey, piece, bytes.subarray(from, from + PIECE_BYTES))
          piece += 1
        }
      }
    },
    // The list, the search and the references are written with the entries.
    derive: async () => {},
  }
}

type Writers = Readonly<Record<Exclude<PortableTable, 'entries'>, (row: PortableRow) => void>>

function createWriters(database: Database, owners: Map<string, string>): Writers {
  const addBlob = database.prepare<[string, string, number]>(
    'INSERT INTO blobs (owner_id, hash, size_bytes) VALUES (?, ?, ?)',
  )
  const addCommand = database.prepare<[string, string, number, number, string]>(
    `INSERT INTO commands (conversation_key, command_id, fingerprint, first_seq, last_seq)
     SELECT conversation_key, ?, ?, ?, ? FROM conversations WHERE conversation_id = ?`,
  )
  const addLease = database.prepare<[string, number, string | null, number]>(
    'INSERT INTO leases (conversation_id, epoch, holder, expires_at) VALUES (?, ?, ?, ?)',
  )
  const addUsage = database.prepare<[string, number, string, number, number, string]>(
    'INSERT INTO usage (owner_id, at, conversation_id, seq, checksum, body) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const addUpload = database.prepare<[string, string, string | null, string, number, number, string, string]>(
    `INSERT INTO uploads (upload_id, media_type, conversation_id, owner_id, at, used, blob_key)
     SELECT ?, ?, ?, ?, ?, ?, blob_key FROM blobs WHERE owner_id = ? AND hash = ?`,
  )
  return {
    conversations: ([id, ownerId]) => void owners.set(text(id), text(ownerId)),
    blobs: ([ownerId, hash, sizeBytes]) => void addBlob.run(text(ownerId), text(hash), number(sizeBytes)),
    commands: ([id, commandId, fingerprint, first, last]) =>
      void addCommand.run(text(commandId), text(fingerprint), number(first), number(last), text(id)),
    leases: ([id, epoch, holder, expiresAt]) =>
      void addLease.run(text(id), number(epoch), holder === null ? null : text(holder), number(expiresAt)),
    drafts: createDraftWriter(database),
    usage([ownerId, at, id, seq, body]) {
      const place = { conversationId: text(id), seq: number(seq) }
      const checksum = entryChecksum(place, text(body))
      addUsage.run(text(ownerId), number(at), place.conversationId, place.seq, checksum, text(body))
    },
    records: createRecordWriter(database),
    uploads([uploadId, ownerId, hash, mediaType, conversationId, at, used]) {
      const owner = text(ownerId)
      const named = conversationId === null ? null : text(conversationId)
      addUpload.run(text(uploadId), text(mediaType), named, owner, number(at), number(used), owner, text(hash))
    },
  }
}

/** Entries come log by log: the row of the list grows with what came of it at once. */
function createEntryWriter(
  tables: WriterTables,
  owners: ReadonlyMap<string, string>,
): (rows: readonly PortableRow[]) => void {
  let conversation: Conversation | null = null
  const writeOfOne = (conversationId: string, rows: readonly EntryRow[]): void => {
    const entries = rows.map((row) => readRow(conversationId, row))
    const known = conversation?.conversationId === conversationId ? conversation : null
    const state = listing.reduce(known?.listing ?? listing.initial, entries)
    const grown = known ? tables.conversations.update(known, state) : tables.conversations.insert(conversationId, state)
    conversation = grown
    const ownerId = owners.get(conversationId) ?? grown.ownerId
    rows.forEach((row, index) => {
      const entry = entries[index]
      if (entry) addEntry(tables, { key: grown.key, ownerId, row, entry })
    })
  }
  return (rows) => {
    for (const [conversationId, own] of Map.groupBy(rows, ([id]) => text(id))) {
      writeOfOne(
        conversationId,
        own.map(([, seq, checksum, body]) => ({ seq: number(seq), checksum: number(checksum), body: text(body) })),
      )
    }
  }
}

function addEntry(
  tables: WriterTables,
  {
    key,
    ownerId,
    row,
    entry,
  }: { readonly key: number; readonly ownerId: string; readonly row: EntryRow; readonly entry: Entry },
): void {
  const found = indexedText(entry)
  const foundId = found === null ? null : tables.search.place(entry.at)
  tables.entries.insert(key, row, { type: entry.type, foundId })
  if (found !== null && foundId !== null) tables.search.add(foundId, ownerId, found)
  for (const blob of tables.blobs.requireAll(ownerId, blobsOf(entry))) tables.blobs.refer(key, blob)
}

function createDraftWriter(database: Database): (row: PortableRow) => void {
  const addStep = database.prepare<[string, string, string]>(
    'INSERT INTO draft_steps (conversation_id, run_id, step_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const addChunk = database.prepare<[number, string, string, string]>(
    `INSERT INTO draft_chunks (step_key, checksum, deltas)
     SELECT step_key, ?, ? FROM draft_steps WHERE conversation_id = ? AND step_id = ?`,
  )
  return ([id, run, step, written]) => {
    const conversationId = text(id)
    const chunk = { runId: text(run), stepId: text(step), deltas: text(written) }
    addStep.run(conversationId, chunk.runId, chunk.stepId)
    addChunk.run(draftChecksum(conversationId, chunk), chunk.deltas, conversationId, chunk.stepId)
  }
}

function createRecordWriter(database: Database): (row: PortableRow) => void {
  const addChange = database.prepare<[number, string, string, string, number]>(
    'INSERT INTO record_changes (change, kind, owner_id, id, deleted) VALUES (?, ?, ?, ?, ?)',
  )
  const addRecord = database.prepare<[string, string, string, number, number, number, number, string]>(
    `INSERT INTO records (kind, owner_id, id, revision, change, updated_at, checksum, value)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return ([kind, owner, id, revision, change, updatedAt, value]) => {
    const ofKind = text(kind)
    addChange.run(number(change), ofKind, text(owner), text(id), value === null ? 1 : 0)
    if (value === null) return
    const row = {
      ownerId: text(owner),
      id: text(id),
      revision: number(revision),
      change: number(change),
      updatedAt: number(updatedAt),
      value: text(value),
    }
    const checksum = recordChecksum(ofKind, row)
    addRecord.run(ofKind, row.ownerId, row.id, row.revision, row.change, row.updatedAt, checksum, row.value)
  }
}

function createContentWriter(database: Database): {
  keyOf(ownerId: string, hash: string): number
  addPiece(blobKey: number, piece: number, bytes: Uint8Array): void
} {
  const find = database.prepare<[string, string], { blobKey: number }>(
    'SELECT blob_key AS blobKey FROM blobs WHERE owner_id = ? AND hash = ?',
  )
  const add = database.prepare<[number, number, number, Uint8Array]>(
    'INSERT INTO blob_pieces (blob_key, piece, checksum, bytes) VALUES (?, ?, ?, ?)',
  )
  return {
    keyOf(ownerId, hash) {
      const blob = find.get(ownerId, hash)
      if (!blob) throw new Error(`The row of blob ${hash} is written before its content`)
      return blob.blobKey
    },
    addPiece: (blobKey, piece, bytes) => void add.run(blobKey, piece, crc32(bytes), bytes),
  }
}
