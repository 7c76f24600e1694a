import { createHash } from 'node:crypto'
import { type Damage, DamagedBlobError, DamagedLogError, type IntegrityReport } from '@holdfast/conversation'
import type { Database } from 'better-sqlite3'
import type { BucketContent } from '../../bucket/contents.ts'
import { isIntact } from '../../shared/intact-row.ts'
import { isDamage } from '../files/sqlite-errors.ts'
import type { RecordRow, UsageRow } from '../messages/operations.ts'
import { firstBadSeq, type LogTables } from '../reading/log-reader.ts'
import { readOneState } from '../reading/read-one-state.ts'
import { isIntactPiece } from '../tables/blob-table.ts'
import { createConversationTable } from '../tables/conversation-table.ts'
import { draftChecksum } from '../tables/draft-table.ts'
import { createEntryTable } from '../tables/entry-table.ts'
import { recordChecksum } from '../tables/record-table.ts'
import { breathe } from './maintenance-thread.ts'

/** How many conversations or rows are looked at in one state of the database. */
const PAGE = 200

/** The most damages that are listed one by one. */
const MAX_DAMAGES = 1_000

/** How a store is checked. */
export interface StoreCheck {
  readonly signal: AbortSignal
  /** Reads content that is in a bucket and checks it; null where that is not looked at. */
  readonly readObject: ((content: BucketContent) => AsyncIterable<Uint8Array>) | null
}

/** Reads everything once: the structure of each table and index, and every checksum. [LOG7] */
export async function checkStore(database: Database, { signal, readObject }: StoreCheck): Promise<IntegrityReport> {
  const damages: Damage[] = []
  const found = (damage: Damage) => {
    if (damages.length < MAX_DAMAGES) damages.push(damage)
  }
  const ofStore = (what: string) => found({ conversationId: null, firstBadSeq: null, what })
  const steps = [...structureSteps(database, ofStore), ...rowSteps(database, ofStore)]
  for (const step of steps) {
    await breathe()
    signal.throwIfAborted()
    unlessUnreadable(step, ofStore)
  }
  const counts = await checkLogs(database, signal, found)
  await checkBlobs(database, { signal, readObject }, ofStore)
  return { ...counts, damages }
}

/** One step for each table, because SQLite cannot break off a check. */
function structureSteps(database: Database, ofStore: (what: string) => void): (() => void)[] {
  const tables = database
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search_%' ORDER BY name",
    )
    .all()
  const check = database.prepare<[string], { message: string }>(
    'SELECT integrity_check AS message FROM pragma_integrity_check(?)',
  )
  return tables.map(({ name }) => () => {
    for (const { message } of check.all(name)) if (message !== 'ok') ofStore(`table ${name}: ${message}`)
  })
}

/** Rows that have a checksum and belong to no log. */
function rowSteps(database: Database, ofStore: (what: string) => void): (() => void)[] {
  const records = database.prepare<[], RecordRow & { kind: string }>(
    'SELECT kind, owner_id AS ownerId, id, revision, change, updated_at AS updatedAt, checksum, value FROM records',
  )
  const drafts = database.prepare<
    [],
    { conversationId: string | null; runId: string; stepId: string; deltas: string; checksum: number }
  >(
    `SELECT conversation_id AS conversationId, run_id AS runId, step_id AS stepId, deltas, checksum
     FROM draft_chunks LEFT JOIN draft_steps USING (step_key)`,
  )
  const usage = database.prepare<[], UsageRow>(
    'SELECT conversation_id AS conversationId, seq, checksum, body FROM usage',
  )
  return [
    () => {
      for (const row of records.iterate()) {
        if (row.checksum !== recordChecksum(row.kind, row)) ofStore(`${row.kind} ${row.id} is not what was written`)
      }
    },
    () => {
      for (const row of drafts.iterate()) {
        if (row.conversationId === null) ofStore('a draft is there without its step')
        else if (row.checksum !== draftChecksum(row.conversationId, row))
          ofStore(`a draft of conversation ${row.conversationId} is not what was written`)
      }
    },
    () => {
      for (const row of usage.iterate()) {
        if (!isIntact(row.conversationId, row))
          ofStore(`a usage record of conversation ${row.conversationId} is not what was written`)
      }
    },
  ]
}

async function checkLogs(
  database: Database,
  signal: AbortSignal,
  found: (damage: Damage) => void,
): Promise<Pick<IntegrityReport, 'conversationCount' | 'entryCount'>> {
  const tables: LogTables = { entries: createEntryTable(database), conversations: createConversationTable(database) }
  let conversationCount = 0
  let entryCount = 0
  for (let after = 0; ; ) {
    const page = unlessUnreadable(
      () => tables.conversations.keys(after, PAGE),
      (what) =>
        found({ conversationId: null, firstBadSeq: null, what: `the conversations after key ${after}: ${what}` }),
    )
    const last = page?.at(-1)
    if (!page || !last) return { conversationCount, entryCount }
    after = last.key
    for (const { conversationId } of page) {
      await breathe()
      signal.throwIfAborted()
      // One state of the database: a log that grows or goes meanwhile is not damage.
      const count = readOneState(database, () => checkLog(tables, conversationId, found))
      if (count === null) continue
      conversationCount += 1
      entryCount += count
    }
  }
}

/** How many entries the log has; null when it was deleted meanwhile. */
function checkLog(tables: LogTables, conversationId: string, found: (damage: Damage) => void): number | null {
  try {
    const row = tables.conversations.find(conversationId)
    if (!row) return null
    const last = tables.entries.lastSeq(row.key)
    const bad = firstBadSeq(tables, conversationId, row.head)
    if (bad !== null) found({ conversationId, firstBadSeq: bad, what: 'the entry is missing or not what was written' })
    else if (last !== row.head)
      found({ conversationId, firstBadSeq: row.head + 1, what: `the log goes on to ${last}, its head is ${row.head}` })
    return row.head
  } catch (error) {
    if (error instanceof DamagedLogError) found({ conversationId, firstBadSeq: error.firstBadSeq, what: error.message })
    else if (isDamage(error)) found({ conversationId, firstBadSeq: 1, what: error.message })
    else throw error
    return 0
  }
}

interface CheckedBlob {
  readonly blobKey: number
  readonly hash: string
  readonly sizeBytes: number
  readonly objectId: string | null
}

async function checkBlobs(
  database: Database,
  { signal, readObject }: StoreCheck,
  ofStore: (what: string) => void,
): Promise<void> {
  const next = database.prepare<[number], CheckedBlob>(
    `SELECT blob_key AS blobKey, hash, size_bytes AS sizeBytes, object_id AS objectId
     FROM blobs WHERE blob_key > ? AND hash IS NOT NULL ORDER BY blob_key LIMIT 1`,
  )
  const isWholeHere = createPieceCheck(database)
  const isWhole = async ({ objectId, ...blob }: CheckedBlob): Promise<boolean> => {
    if (objectId !== null) return readObject === null || isReadWhole(readObject({ ...blob, objectId }))
    const whole = unlessUnreadable(
      () => isWholeHere(blob),
      () => undefined,
    )
    return whole === true
  }
  for (let blob = unlessUnreadable(() => next.get(0), ofStore); blob; ) {
    await breathe()
    signal.throwIfAborted()
    const known = blob
    const whole = await isWhole(known)
    const isThere = unlessUnreadable(
      () => next.get(known.blobKey - 1)?.blobKey === known.blobKey,
      () => undefined,
    )
    if (!whole && isThere === true) ofStore(`blob ${known.hash} is not what was stored`)
    blob = unlessUnreadable(() => next.get(known.blobKey), ofStore)
  }
}

function createPieceCheck(database: Database): (blob: Pick<CheckedBlob, 'blobKey' | 'hash'>) => boolean {
  const pieces = database.prepare<[number], { bytes: Uint8Array; checksum: number }>(
    'SELECT bytes, checksum FROM blob_pieces WHERE blob_key = ? ORDER BY piece',
  )
  return ({ blobKey, hash }) => {
    const sum = createHash('sha256')
    for (const piece of pieces.iterate(blobKey)) {
      if (!isIntactPiece(piece)) return false
      sum.update(piece.bytes)
    }
    return sum.digest('hex') === hash
  }
}

async function isReadWhole(content: AsyncIterable<Uint8Array>): Promise<boolean> {
  try {
    for await (const _ of content) {
      // Reading it through is what checks it.
    }
    return true
  } catch (error) {
    if (error instanceof DamagedBlobError) return false
    throw error
  }
}

/** What `read` gives, or null after it was told why the database cannot read it. */
function unlessUnreadable<Value>(read: () => Value, tell: (what: string) => void): Value | null {
  try {
    return read()
  } catch (error) {
    if (!isDamage(error)) throw error
    tell(error.message)
    return null
  }
}
