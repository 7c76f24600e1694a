import {
  type Append,
  AppendConflictError,
  type Appended,
  blobsOf,
  CommandReusedError,
  DamagedLogError,
  type Entry,
  type Lease,
  LeaseHeldError,
  type ListingState,
  listing,
  MalformedEntryError,
  MissingBlobError,
  StaleEpochError,
} from '@holdfast/conversation'
import pg from 'pg'
import { type PreparedAppend, prepareAppend } from '../../shared/prepare-append.ts'
import { searchWords } from '../../shared/search-row.ts'
import type { Database, Sql } from '../connection/database.ts'
import { beginLog, type ConversationRow, listingStateOf, listingValues, lockLog } from './conversation-rows.ts'
import { acquireLeaseWithin, releaseLeaseWithin } from './leases.ts'
import { foldListing, readEntriesBetween } from './log-pages.ts'
import { putRecordWithin } from './records.ts'
import { searchPassages } from './search-passages.ts'

const COMMAND = `
  SELECT fingerprint, from_seq AS "fromSeq", to_seq AS "toSeq"
  FROM holdfast.commands WHERE conversation_id = $1 AND command_id = $2`

/** Whoever takes the lease over waits until this transaction has ended. [LOG10] */
const EPOCH = 'SELECT epoch FROM holdfast.leases WHERE conversation_id = $1 FOR SHARE'

/**
 * Asks for the epoch where a draft goes: deltas that are being written come first and go with it, and later ones find that their step
 * has ended. [SCALE21]
 */
const CLOSE_DRAFTS = 'UPDATE holdfast.leases SET drafts_after = $2 WHERE conversation_id = $1 RETURNING epoch'

/** Whoever collects these blobs waits, and then finds them named. [LOG11] */
const BLOBS = 'SELECT hash FROM holdfast.blobs WHERE owner_id = $1 AND hash = ANY($2) ORDER BY hash FOR KEY SHARE'

const USE_UPLOADS = `
  UPDATE holdfast.uploads u SET is_used = true
  FROM unnest($2::text[], $3::text[]) AS named (upload_id, hash)
  WHERE u.upload_id = named.upload_id AND u.owner_id = $1 AND u.hash = named.hash`

/**
 * All of an append in one statement. The plain insert fails as a whole where a row stands in its way:
 * with ON CONFLICT DO NOTHING the rows that did not collide would stay.
 */
const WRITE = `
  WITH entry AS (
    INSERT INTO holdfast.entries (conversation_id, seq, is_checkpoint, checksum, body)
    SELECT $1, new.* FROM unnest($2::bigint[], $3::boolean[], $4::bigint[], $5::text[]) AS new
  ), passage AS (
    INSERT INTO holdfast.search_passages (conversation_id, owner_id, at, seq, passage, is_whole, words)
    SELECT $1, $6, new.at, new.seq, new.passage, new.is_whole, new.words::tsvector
    FROM unnest($7::bigint[], $8::bigint[], $9::integer[], $10::boolean[], $11::text[]) AS new (at, seq, passage, is_whole, words)
  ), usage_record AS (
    INSERT INTO holdfast.usage_records (conversation_id, owner_id, at, seq, body)
    SELECT $1, $6, new.at, new.seq, new.body FROM unnest($2::bigint[], $5::text[], $26::bigint[]) AS new (seq, body, at)
    WHERE new.seq = ANY($12::bigint[])
  ), reference AS (
    INSERT INTO holdfast.blob_references (conversation_id, owner_id, seq, hash)
    SELECT DISTINCT $1, $6, new.seq, new.hash FROM unnest($13::bigint[], $14::text[]) AS new (seq, hash)
  ), made AS (
    UPDATE holdfast.uploads SET is_used = true
    WHERE owner_id = $6 AND hash = ANY($14) AND conversation_id = $1 AND NOT is_used
  ), command AS (
    INSERT INTO holdfast.commands (conversation_id, command_id, fingerprint, from_seq, to_seq)
    SELECT $1, $15, $16, $17, $18 WHERE $15::text IS NOT NULL
  ), draft AS (
    DELETE FROM holdfast.drafts WHERE conversation_id = $1 AND step_id = $19
  )
  UPDATE holdfast.conversations SET head = $18, owner_id = $6, archived = $20, updated_at = $21,
    listing_version = $22, listing_shown = $23, listing_state = $24, listing_checksum = $25
  WHERE conversation_id = $1`

/** Appends all entries or none, in one transaction that holds the row of the log. [LOG2, LOG3, LOG4, LOG10, LOG11] */
export async function append(database: Database, given: Append): Promise<Appended> {
  const { conversationId, after } = given
  const ready = preparedOr(given)
  return database.write(async (sql) => {
    const log = await lockedLog(sql, { conversationId, ready })
    const repeated = await carriedOut(sql, given)
    if (repeated) return { entries: repeated, repeated: true }
    const lease = await leaseOf(sql, given)
    const head = log?.head ?? 0
    // What is wrong with the entries is said after all that comes before them.
    if (head === after && ready instanceof MalformedEntryError) throw ready
    if (!log || head !== after || ready instanceof MalformedEntryError) {
      throw new AppendConflictError({ conversationId, after, head })
    }
    await checkBlobs(sql, { ownerId: log.ownerId, prepared: ready.prepared })
    const state = listingStateOf(log) ?? (await foldListing(sql, log))
    await writeAll(sql, { ...ready, state: listing.reduce(state, ready.entries) })
    await useUploads(sql, { ownerId: log.ownerId, prepared: ready.prepared })
    for (const record of ready.prepared.records) await putRecordWithin(sql, record)
    await giveBack(sql, given, lease)
    return { entries: ready.entries, repeated: false, ...(lease === null ? {} : { lease }) }
  })
}

type Ready = ReturnType<typeof prepareAppend>

function preparedOr(given: Append): Ready | MalformedEntryError {
  try {
    return prepareAppend(given)
  } catch (error) {
    if (error instanceof MalformedEntryError) return error
    throw error
  }
}

/** The row of the log; one that begins here has head 0. */
async function lockedLog(
  sql: Sql,
  { conversationId, ready }: { conversationId: string; ready: Ready | MalformedEntryError },
): Promise<ConversationRow | null> {
  const log = await lockLog(sql, conversationId)
  if (log || ready instanceof MalformedEntryError || ready.prepared.newOwnerId === null) return log
  return beginLog(sql, { conversationId, ownerId: ready.prepared.newOwnerId })
}

/** The entries of the command, when it was carried out before. [LOG4] */
async function carriedOut(sql: Sql, { conversationId, command }: Append): Promise<readonly Entry[] | null> {
  if (!command) return null
  const rows = await sql<{ fingerprint: string; fromSeq: number; toSeq: number }>(COMMAND, [
    conversationId,
    command.commandId,
  ])
  const known = rows[0]
  if (!known) return null
  if (known.fingerprint !== command.fingerprint) throw new CommandReusedError(conversationId, command.commandId)
  return readEntriesBetween(sql, { conversationId, fromSeq: known.fromSeq, toSeq: known.toSeq })
}

/**
 * The lease that the append takes, if it takes one; the epoch that it names is that of the lease. What is refused later
 * takes the lease back with everything else. [LOG10, LOG23]
 */
async function leaseOf(sql: Sql, given: Append): Promise<Lease | null> {
  const { conversationId, epoch, acquire } = given
  const lease = acquire ? await acquireLeaseWithin(sql, { conversationId, ...acquire }) : null
  // Not taken, its row is locked all the same until the entries are there: who holds it cannot give it back before. [SCALE24]
  if (acquire && !lease && !acquire.mayBeHeld) throw new LeaseHeldError(conversationId)
  const lockedEpoch = given.dropDraft === undefined ? null : await closeDrafts(sql, given)
  if (epoch === undefined) return lease
  const currentEpoch = lease?.epoch ?? lockedEpoch ?? (await epochOf(sql, conversationId))
  if (epoch !== currentEpoch) throw new StaleEpochError({ conversationId, epoch, currentEpoch })
  return lease
}

async function closeDrafts(sql: Sql, { conversationId, after, entries }: Append): Promise<number> {
  const rows = await sql<{ epoch: number }>(CLOSE_DRAFTS, [conversationId, after + entries.length])
  return rows[0]?.epoch ?? 0
}

async function epochOf(sql: Sql, conversationId: string): Promise<number> {
  const rows = await sql<{ epoch: number }>(EPOCH, [conversationId])
  return rows[0]?.epoch ?? 0
}

/** Nobody else gets the lease before the transaction with the entries has ended. [LOG23] */
async function giveBack(sql: Sql, { conversationId, epoch, release }: Append, lease: Lease | null): Promise<void> {
  const held = lease?.epoch ?? epoch
  if (release && held !== undefined) await releaseLeaseWithin(sql, { conversationId, epoch: held })
}

async function checkBlobs(
  sql: Sql,
  { ownerId, prepared }: { ownerId: string; prepared: PreparedAppend },
): Promise<void> {
  if (prepared.blobs.length === 0) return
  const hashes = prepared.blobs.map(({ hash }) => hash)
  const known = new Set((await sql<{ hash: string }>(BLOBS, [ownerId, hashes])).map(({ hash }) => hash))
  for (const hash of hashes) if (!known.has(hash)) throw new MissingBlobError(hash)
}

/** Marks what was uploaded to be sent, and is named by its id. Most appends name nothing. */
async function useUploads(
  sql: Sql,
  { ownerId, prepared }: { ownerId: string; prepared: PreparedAppend },
): Promise<void> {
  const { uploads } = prepared
  if (uploads.length === 0) return
  await sql(USE_UPLOADS, [ownerId, uploads.map(({ uploadId }) => uploadId), uploads.map(({ hash }) => hash)])
}

interface Write {
  readonly prepared: PreparedAppend
  readonly entries: readonly Entry[]
  /** The row of the list with the entries in it. */
  readonly state: ListingState
}

async function writeAll(sql: Sql, { prepared, entries, state }: Write): Promise<void> {
  const { conversationId, rows, command, dropDraft, after } = prepared
  const passages = entries.flatMap((entry) =>
    searchPassages(searchWords(entry) ?? [], state.ownerId).map((passage) => ({
      ...passage,
      seq: entry.seq,
      at: entry.at,
    })),
  )
  const references = entries.flatMap((entry) => blobsOf(entry).map(({ hash }) => ({ seq: entry.seq, hash })))
  const [ownerId, ...list] = listingValues(state)
  const values = [
    conversationId,
    rows.map(({ seq }) => seq),
    entries.map(({ type }) => type === 'checkpoint-made'),
    rows.map(({ checksum }) => checksum),
    rows.map(({ body }) => body),
    ownerId,
    passages.map(({ at }) => at),
    passages.map(({ seq }) => seq),
    passages.map(({ number }) => number),
    passages.map(({ isWhole }) => isWhole),
    passages.map(({ words }) => words),
    entries.filter(({ type }) => type === 'usage-recorded').map(({ seq }) => seq),
    references.map(({ seq }) => seq),
    references.map(({ hash }) => hash),
    command?.commandId,
    command?.fingerprint,
    after + 1,
    state.head,
    dropDraft,
    ...list,
    entries.map(({ at }) => at),
  ]
  try {
    await sql(WRITE, values)
  } catch (error) {
    if (isUniqueViolation(error)) {
      const what = 'an entry stands there already, beyond the end of the log'
      throw new DamagedLogError({ conversationId, firstBadSeq: after + 1, what }, { cause: error })
    }
    throw error
  }
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505'
}
