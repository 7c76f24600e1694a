import { createHash } from 'node:crypto'
import type { ImportEvent, ImportLimits, ImportReport } from '@holdfast/archive'
import type { EntryStore } from '@holdfast/conversation'
import type { Engine, LiveBus } from '@holdfast/engine'
import { countedBy, type Storage } from '../parts/storage.ts'
import type { StorageLimits } from '../parts/storage-limits.ts'
import type { ImportRecord } from './import-record.ts'
import { knownConversation } from './known-conversation.ts'
import { type FileSource, sourcesOf, UnreadableFileError } from './sources-of.ts'

/** What imports need. */
export interface ImportPorts {
  readonly storage: Storage
  readonly storageLimits: StorageLimits
  readonly store: Pick<EntryStore, 'read' | 'append' | 'putBlob' | 'deleteConversation'>
  readonly bus: Pick<LiveBus, 'publish'>
  /** `IMPORT_LIMITS` of the archive where it is absent; the archive is loaded for the first import. [ARCH13] */
  readonly importLimits?: ImportLimits
  /** Told of each write into a log, and of each log that is deleted: the engine has not done it. [RUN22] */
  readonly engine: Pick<Engine, 'forgetLog'>
  /** A conversation is there, or has grown. */
  readonly onConversation: (conversationId: string) => void
}

/** A file that is imported. */
export interface ImportWork {
  readonly userId: string
  readonly importId: string
  readonly path: string
  /** What is written here is what its owner is told. */
  readonly tally: ImportRecord
  readonly signal: AbortSignal
  /** A conversation that readers must not see is begun; resolves when that is written down. Null: it is whole. */
  readonly onOpen: (conversationId: string | null) => Promise<void>
}

/** Of each reason so many are named in the report of a file. */
const NAMED = 30
/** So many conversations are named in it. */
const NAMED_CONVERSATIONS = 20

/**
 * Imports a file into the store. It can be done again after any end: what is there is not doubled.
 *
 * @throws {UnreadableFileError} when nothing in it is of a known format, or it holds more than the limits allow.
 * @throws {RefusedError} when there is no room for an attachment. [SEC16]
 */
export async function runImport(ports: ImportPorts, work: ImportWork): Promise<void> {
  const { tally, path } = work
  let readBytes = 0
  const onRead = (sizeBytes: number): void => {
    readBytes += sizeBytes
    tally.readBytes = Math.min(tally.sizeBytes, Math.round(readBytes))
  }
  const sources = sourcesOf({ path, onRead, limits: ports.storageLimits })
  for await (const source of sources) await importSource(ports, work, source)
  if (tally.format === null) throw new UnreadableFileError(unknownFormat(tally))
  tally.readBytes = tally.sizeBytes
}

async function importSource(ports: ImportPorts, work: ImportWork, { file, content }: FileSource): Promise<void> {
  const { importArchive, IMPORT_LIMITS } = await import('@holdfast/archive')
  const { store, storage } = ports
  const { userId, importId, tally, signal } = work
  const events = importArchive(content, {
    ownerId: userId,
    name: file ?? tally.name,
    importedAt: tally.startedAt,
    limits: ports.importLimits ?? IMPORT_LIMITS,
    signal,
    only: { format: tally.only, since: tally.since },
    known: (conversationId) => knownConversation(store, conversationId),
    blobs: {
      has: () => Promise.resolve(false),
      async put({ uploadId, conversationId, mediaType, content: bytes }) {
        if (tally.isDryRun) return { hash: sha256(bytes), sizeBytes: bytes.length, mediaType }
        const reservation = await storage.reserve(userId)
        try {
          return await store.putBlob({
            uploadId: ownUploadId(userId, uploadId),
            ownerId: userId,
            conversationId,
            mediaType,
            at: tally.startedAt,
            content: countedBy(reservation, once(bytes)),
          })
        } finally {
          reservation.end()
        }
      },
    },
  })
  for await (const event of events) await take(ports, work, { event, file, importId })
}

interface Taken {
  readonly event: ImportEvent
  readonly file: string | null
  readonly importId: string
}

async function take(ports: ImportPorts, work: ImportWork, { event, file }: Taken) {
  const { store, bus, engine, onConversation, storageLimits } = ports
  const { tally, onOpen } = work
  switch (event.type) {
    case 'format-detected':
      tally.format ??= event.format
      return
    case 'entries': {
      const { conversationId, after, at, times, entries, isWhole } = event
      const { importEntryCount } = storageLimits
      if (tally.entryCount + entries.length > importEntryCount)
        throw new UnreadableFileError(`It holds more than ${importEntryCount} entries. Import it in parts`)
      if (tally.isDryRun) {
        tally.entryCount += entries.length
        return
      }
      if (after === 0 && !isWhole) await onOpen(conversationId)
      const appended = await store
        .append({ conversationId, after, at, times, entries })
        .finally(() => engine.forgetLog(conversationId))
      tally.entryCount += entries.length
      if (tally.openConversationId === null && after > 0)
        bus.publish({ type: 'entries', conversationId, entries: appended.entries })
      return
    }
    case 'conversation-finished': {
      const { conversationId, isNew } = event
      if (tally.openConversationId !== null) await onOpen(null)
      if (isNew) tally.imported++
      else tally.updated++
      if (tally.isDryRun) return
      if (tally.conversationIds.length < NAMED_CONVERSATIONS) tally.conversationIds.push(conversationId)
      onConversation(conversationId)
      return
    }
    case 'skipped': {
      const { reason, line, what } = event.skip
      const named = tally.skips.filter((skip) => skip.reason === reason).length
      if (named < NAMED) tally.skips.push({ reason, file, line, what })
      return
    }
    case 'progress':
      return
    case 'finished':
      addReport(tally, event.report)
  }
}

function addReport(tally: ImportRecord, { alreadyThere, unchanged, skippedCounts }: ImportReport): void {
  tally.alreadyThere += alreadyThere
  tally.unchanged += unchanged
  for (const [reason, count] of Object.entries(skippedCounts))
    tally.skippedCounts[reason] = (tally.skippedCounts[reason] ?? 0) + count
}

function unknownFormat({ name, skips }: ImportRecord): string {
  const first = skips.find(({ line }) => line !== null) ?? skips[0]
  const place = first?.line == null ? '' : `, line ${first.line}`
  const said = first ? `: ${first.what}` : ''
  return `${name}${place}${said}. Give the file as the other program wrote or exported it: a session log of Claude Code, Codex, pi, Copilot or Gemini CLI, the chat history of aider, an export of ChatGPT, LibreChat, Open WebUI, Chatbot UI or Holdfast, or a list of chat messages`
}

/** Attachments of two users may have one name in their files. */
function ownUploadId(userId: string, uploadId: string): string {
  return `upload_${sha256(JSON.stringify([userId, uploadId])).slice(0, 32)}`
}

function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
