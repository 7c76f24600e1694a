import { createHash } from 'node:crypto'
import {
  type Entry,
  MalformedEntryError,
  type NewEntry,
  NewerEntryError,
  type Overview,
  overview,
  parseKnownFields,
  placeEntry,
  readStoredEntry,
  UPCASTS,
} from '@holdfast/conversation'
import * as z from 'zod'
import { readJson } from '../log/bounded.ts'
import { idsOf } from '../log/ids-of.ts'
import type { DatedEntry } from '../log/pending-step.ts'
import type { JsonMember } from '../source/json-members.ts'
import { closingEntries } from './closing-entries.ts'
import { createEntryBatches } from './entry-batches.ts'
import { foreignEntry, withoutMissingBlobs } from './foreign-entry.ts'
import type { ImportEvent } from './import-event.ts'
import { fallbackName, type ImportRun, takesFormat, takesTime } from './import-run.ts'
import { importedEntry, importsOf, noteThere } from './open-conversation.ts'
import { createStoredLog, DivergedError } from './stored-log.ts'

/** What an export of ours says of itself. */
export const HOLDFAST_FORMAT = 'holdfast-conversation'

/** The newest version of the export's own form; entries have versions of their own. */
export const HOLDFAST_VERSION = 1

const BlobRecord = z.object({
  blob: z.object({ hash: z.string(), mediaType: z.string().min(1), base64: z.string() }),
})
const EntryRecord = z.object({
  entry: z.looseObject({ seq: z.int().positive(), type: z.string(), at: z.number().optional().catch(undefined) }),
})

/** Entries that are missing in a row, beyond which a file is not ours any more. */
const GAP_LIMIT = 10_000

/**
 * Imports an export of ours: every entry at its own place, so that what names an entry still names it. An entry that
 * cannot be read leaves a tombstone. What the conversation may do here is not taken over: see `foreignEntry`.
 */
export async function* readHoldfast(
  run: ImportRun,
  members: AsyncIterableIterator<JsonMember>,
): AsyncGenerator<ImportEvent> {
  try {
    yield* readRecords(run, members)
  } catch (error) {
    if (!(error instanceof DivergedError)) throw error
    run.unchanged++
    run.notes.note({ reason: 'changed-here', what: `${error.message}; nothing was added to it` })
    yield* run.notes.take()
  }
}

async function* readRecords(run: ImportRun, members: AsyncIterableIterator<JsonMember>): AsyncGenerator<ImportEvent> {
  const { notes, options } = run
  if (!takesFormat(run, 'holdfast')) return yield* notes.take()
  run.format = 'holdfast'
  yield { type: 'format-detected', format: 'holdfast' }
  const available = new Set<string>()
  let conversation: HoldfastConversation | null = null
  let sourceId: string | null = null
  for await (const { key, text, line, fault } of members) {
    notes.line = line
    const value = text === null ? undefined : readJson(text)
    if (key === 'version' && value !== HOLDFAST_VERSION) {
      notes.note({
        reason: 'unknown-format',
        what: `The export has version ${String(value)}; ${HOLDFAST_VERSION} is known here. Install the Holdfast that wrote it, or a later one`,
      })
      yield* notes.take()
      return
    }
    if (key === 'conversationId' && typeof value === 'string') sourceId = value
    if (key !== 'records') continue
    if (value === undefined) notes.note({ reason: fault ?? 'damaged', what: 'A record that cannot be read' })
    const blob = BlobRecord.safeParse(value)
    if (blob.success) {
      await putBlob(run, { blob: blob.data.blob, sourceId: sourceId ?? fallbackName(run), available })
      continue
    }
    const record = EntryRecord.safeParse(value)
    if (value !== undefined && !record.success) notes.note({ reason: 'malformed', what: 'A record of no kind' })
    if (record.success) {
      const { at } = record.data.entry
      if (conversation === null && at !== undefined && !takesTime(run, sourceId ?? fallbackName(run), at)) break
      conversation ??= await beginHoldfast(run, sourceId ?? fallbackName(run))
      if (!conversation) break
      const fits = yield* conversation.add(record.data.entry, { available, line })
      if (!fits) break
    }
    yield* notes.take()
    if (options.signal.aborted) options.signal.throwIfAborted()
  }
  notes.line = null
  if (conversation) yield* conversation.finish()
  yield* notes.take()
}

interface HoldfastConversation {
  /** @returns false when the rest cannot be placed. */
  add(
    value: Readonly<Record<string, unknown>> & { readonly seq: number; readonly type: string },
    at: { readonly available: ReadonlySet<string>; readonly line: number },
  ): AsyncGenerator<ImportEvent, boolean>
  finish(): AsyncGenerator<ImportEvent>
}

async function beginHoldfast(run: ImportRun, sourceId: string): Promise<HoldfastConversation | null> {
  const { options, notes, seen } = run
  const { ownerId, importedAt } = options
  const { conversationId } = idsOf({ ownerId, format: 'holdfast', sourceId })
  seen.add(conversationId)
  const known = await options.known(conversationId)
  const [imported] = importsOf(known, { format: 'holdfast', sourceId })
  if (imported) return importedBefore(run, { sourceId, ...imported })
  const batches = createEntryBatches({
    conversationId,
    stored: known && createStoredLog(known),
    limits: options.limits,
  })
  let state: Overview = overview.initial
  let head = 0
  let lastAt = importedAt
  let sourceHead = 0
  const put = async function* (dated: DatedEntry): AsyncGenerator<ImportEvent> {
    head++
    lastAt = dated.at
    state = overview.reduce(state, [placeEntry(dated.entry, { conversationId, seq: head, at: dated.at })])
    yield* batches.add([dated], run.characters)
  }
  const lost = (erasedType: string, reason: string): DatedEntry => ({
    at: lastAt,
    entry: {
      type: 'body-erased',
      actor: { type: 'engine' },
      erasedType,
      of: {},
      reason,
      erasedAt: importedAt,
    },
  })
  return {
    async *add(value, { available, line }) {
      if (value.seq <= head) {
        notes.note({ reason: 'repeated', what: `Entry ${value.seq} stands here a second time, or out of order` })
        return true
      }
      if (value.seq - head - 1 > GAP_LIMIT || (head === 0 && value.type !== 'conversation-created')) {
        notes.note({
          reason: 'malformed',
          what: `Entry ${value.seq} cannot follow entry ${head}; nothing after it is read`,
        })
        return false
      }
      while (head + 1 < value.seq) {
        notes.note({ reason: 'damaged', what: `Entry ${head + 1} is missing` })
        yield* put(lost('unknown', 'It was missing in the imported file.'))
      }
      const read = readEntry(value, conversationId)
      if ('fault' in read) {
        notes.note({ reason: read.reason, what: `Line ${line}: ${read.fault}` })
        if (head === 0) return false
        yield* put(lost(value.type || 'unknown', 'It could not be read in the imported file.'))
        return true
      }
      const { entry, missing } = await withoutMissingBlobs(foreignEntry(read.entry, ownerId), (hash) =>
        available.has(hash) ? Promise.resolve(true) : options.blobs.has(hash),
      )
      for (const hash of missing)
        notes.note({
          reason: 'missing-attachment',
          what: `Entry ${value.seq} names blob ${hash}, which is not in the file`,
        })
      yield* put({ at: read.at, entry })
      sourceHead = value.seq
      return true
    },
    async *finish() {
      for (const entry of closingEntries(state, ownerId)) yield* put({ at: lastAt, entry })
      const skippedCount = notes.contentCount()
      const entry = importedEntry(run, { format: 'holdfast', sourceId, recordCount: sourceHead, skippedCount })
      yield* put({ at: lastAt, entry })
      yield* batches.finish()
      run.conversations++
      run.entries += batches.newCount()
      yield { type: 'conversation-finished', conversationId, sourceId, entryCount: head, isNew: known === null }
    },
  }
}

/** An export names its entries by their places, so it cannot be continued: it is only seen whether it has grown. */
function importedBefore(
  run: ImportRun,
  { sourceId, recordCount }: { readonly sourceId: string; readonly recordCount: number },
): HoldfastConversation {
  let head = 0
  return {
    // biome-ignore lint/correctness/useYield: there is nothing to write
    async *add({ seq }) {
      head = Math.max(head, seq)
      return true
    },
    // biome-ignore lint/correctness/useYield: there is nothing to write
    async *finish() {
      if (head <= recordCount) return noteThere(run, sourceId)
      run.unchanged++
      run.notes.note({
        reason: 'changed-source',
        what: `Conversation ${sourceId} has ${head} entries now and had ${recordCount} when it was imported; an export is imported once. Delete the imported one to import it anew`,
      })
    },
  }
}

type ReadEntry =
  | { readonly entry: NewEntry; readonly at: number }
  | { readonly fault: string; readonly reason: 'malformed' | 'unknown-kind' }

/** An entry of a file is nobody's word: it is checked in whole, also in the newest version. */
function readEntry(value: Readonly<Record<string, unknown>>, conversationId: string): ReadEntry {
  try {
    const stored: Entry = readStoredEntry({ ...value, conversationId }, UPCASTS)
    const { at } = stored
    if (!Number.isSafeInteger(at) || at < 0) return { fault: 'An entry without a time', reason: 'malformed' }
    return { entry: parseKnownFields(stored), at }
  } catch (error) {
    if (error instanceof NewerEntryError) return { fault: error.message, reason: 'unknown-kind' }
    if (error instanceof MalformedEntryError) return { fault: error.message, reason: 'malformed' }
    throw error
  }
}

interface BlobOfSource {
  readonly blob: z.infer<typeof BlobRecord>['blob']
  readonly sourceId: string
  /** The hashes of what was put already. */
  readonly available: Set<string>
}

async function putBlob(
  { notes, options }: ImportRun,
  { blob: { hash, mediaType, base64 }, sourceId, available }: BlobOfSource,
): Promise<void> {
  const content = Buffer.from(base64, 'base64')
  if (createHash('sha256').update(content).digest('hex') !== hash) {
    notes.note({ reason: 'damaged-attachment', what: `Blob ${hash.slice(0, 64)} is not what its hash says` })
    return
  }
  available.add(hash)
  const { conversationId } = idsOf({ ownerId: options.ownerId, format: 'holdfast', sourceId })
  await options.blobs.put({ uploadId: `upload_${hash.slice(0, 24)}`, conversationId, mediaType, content })
}
