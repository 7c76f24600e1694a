import {
  type Append,
  AppendConflictError,
  type Appended,
  blobsOf,
  CommandReusedError,
  type Entry,
  type EntryPage,
  type Lease,
  LeaseHeldError,
  listing,
  MAX_PAGE_ENTRIES,
  MalformedEntryError,
  MissingBlobError,
  type NewEntry,
  type PageQuery,
  parseNewEntry,
  placeEntry,
  readStoredEntry,
  StaleEpochError,
  UPCASTS,
} from '@holdfast/conversation'
import { requireLeaseNamed } from '../shared/prepare-append.ts'
import { blobKey, useUploads } from './memory-blobs.ts'
import type { MemoryData, MemoryLog } from './memory-data.ts'
import { dropDraft } from './memory-drafts.ts'
import { currentEpoch, keepLease, nextLease, releaseLease } from './memory-leases.ts'
import { keepRecord, requireRevision } from './memory-records.ts'
import { keepUsage } from './memory-usage.ts'

/** Appends all entries or throws; `now` is the time by which leases run out. Every check comes before the first change. [LOG2, LOG3] */
export function appendEntries(data: MemoryData, append: Append, now: number): Appended {
  const { conversationId, after, at, times, command } = append
  const known = data.logs.get(conversationId)

  const carriedOut = command && known?.commands.get(command.commandId)
  if (known && carriedOut) {
    if (carriedOut.fingerprint !== command.fingerprint) throw new CommandReusedError(conversationId, command.commandId)
    return { entries: entriesBetween(known, carriedOut.fromSeq, carriedOut.toSeq), repeated: true }
  }

  const lease = leaseOf(data, append, now)
  const head = known?.entries.length ?? 0
  if (after !== head) throw new AppendConflictError({ conversationId, after, head })
  if (times && times.length !== append.entries.length)
    throw new MalformedEntryError(`Not an append: ${times.length} times for ${append.entries.length} entries`)
  requireLeaseNamed(append)
  const entries = append.entries
    .map((entry) => parseNewEntry(entry))
    .map((entry, index) => placeEntry(entry, { conversationId, seq: head + index + 1, at: times?.[index] ?? at }))
  const ownerId = known?.ownerId ?? ownerOf(entries)
  checkBeginning(entries, { isCommand: command !== undefined })
  for (const { hash } of entries.flatMap(blobsOf)) {
    if (!data.blobs.has(blobKey(ownerId, hash))) throw new MissingBlobError(hash)
  }

  for (const record of append.records ?? []) requireRevision(data, record)

  const log = known ?? emptyLog(ownerId)
  data.logs.set(conversationId, log)
  for (const record of append.records ?? []) keepRecord(data, record, at)
  for (const entry of entries) {
    log.entries.push(JSON.stringify(entry))
    countBlobs(log, entry, 1)
    useUploads(data, ownerId, entry)
    keepUsage(data, ownerId, entry)
  }
  log.listing = listing.reduce(log.listing, structuredClone(entries))
  if (command)
    log.commands.set(command.commandId, {
      fingerprint: command.fingerprint,
      fromSeq: head + 1,
      toSeq: log.entries.length,
    })
  if (append.dropDraft !== undefined) {
    dropDraft(log, append.dropDraft)
    log.draftsAfter = log.entries.length
  }
  if (lease) keepLease(data, lease)
  const epoch = lease?.epoch ?? append.epoch
  if (append.release && epoch !== undefined) releaseLease(data, { conversationId, epoch })
  const written = { entries: entriesBetween(log, head + 1, log.entries.length), repeated: false }
  return lease ? { ...written, lease } : written
}

/** A page of a log, oldest first. [LOG5] */
export function readPage(data: MemoryData, query: PageQuery): EntryPage {
  const log = data.logs.get(query.conversationId)
  if (!log) return { entries: [], head: 0 }
  const head = log.entries.length
  const limit = Math.min(query.limit, MAX_PAGE_ENTRIES)
  if (query.before === undefined) {
    const from = Math.max(query.after, 0) + 1
    const rows = log.entries.slice(from - 1, from - 1 + limit)
    return { entries: rows.slice(0, fitting(rows, query.maxBytes)).map(toEntry), head }
  }
  const to = Math.min(query.before - 1, head)
  const rows = log.entries.slice(Math.max(0, to - limit), Math.max(0, to))
  return { entries: rows.slice(rows.length - fitting(rows.toReversed(), query.maxBytes)).map(toEntry), head }
}

/** The whole log, or nothing for a conversation that does not exist. */
export function allEntries(log: MemoryLog | undefined): Entry[] {
  return log ? entriesBetween(log, 1, log.entries.length) : []
}

/** Adds `change` to the count of each blob that the entry names. [LOG11] */
export function countBlobs(log: MemoryLog, entry: Entry, change: 1 | -1): void {
  for (const { hash } of blobsOf(entry)) {
    const count = (log.blobCounts.get(hash) ?? 0) + change
    if (count === 0) log.blobCounts.delete(hash)
    else log.blobCounts.set(hash, count)
  }
}

/** The lease that the append takes, if it takes one; the epoch that it names is that of the lease. [LOG10, LOG23] */
function leaseOf(data: MemoryData, { conversationId, epoch, acquire }: Append, now: number): Lease | null {
  const lease = acquire ? nextLease(data, { conversationId, ...acquire }, now) : null
  if (acquire && !lease && !acquire.mayBeHeld) throw new LeaseHeldError(conversationId)
  const current = lease?.epoch ?? currentEpoch(data, conversationId)
  if (epoch !== undefined && epoch !== current)
    throw new StaleEpochError({ conversationId, epoch, currentEpoch: current })
  return lease
}

function entriesBetween(log: MemoryLog, fromSeq: number, toSeq: number): Entry[] {
  return log.entries.slice(fromSeq - 1, Math.max(fromSeq - 1, toSeq)).map(toEntry)
}

function toEntry(json: string): Entry {
  return readStoredEntry(JSON.parse(json), UPCASTS)
}

/** How many of these rows go in a page of so many bytes: at least the first. */
function fitting(rows: readonly string[], maxBytes: number | undefined): number {
  if (maxBytes === undefined) return rows.length
  let bytes = 0
  const tooMany = rows.findIndex((row, index) => {
    bytes += Buffer.byteLength(row)
    return index > 0 && bytes > maxBytes
  })
  return tooMany === -1 ? rows.length : tooMany
}

function ownerOf(entries: readonly NewEntry[]): string {
  const first = entries[0]
  if (first?.type !== 'conversation-created') {
    throw new MalformedEntryError(`The first entry of a log is conversation-created, not ${first?.type ?? 'none'}`)
  }
  return first.ownerId
}

function checkBeginning(entries: readonly Entry[], { isCommand }: { readonly isCommand: boolean }): void {
  if (entries.length === 0 && !isCommand)
    throw new MalformedEntryError('An append has at least one entry; this one has none')
  const late = entries.find((entry) => entry.type === 'conversation-created' && entry.seq > 1)
  if (late) throw new MalformedEntryError(`conversation-created begins a log; it cannot stand at ${late.seq}`)
}

function emptyLog(ownerId: string): MemoryLog {
  return {
    ownerId,
    entries: [],
    commands: new Map(),
    drafts: [],
    draftsAfter: 0,
    snapshots: new Map(),
    blobCounts: new Map(),
    listing: listing.initial,
  }
}
