import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { IMPORT_LIMITS, type ImportReport, importArchive } from '@holdfast/archive'
import { type BlobReference, type Entry, parseNewEntry, placeEntry } from '@holdfast/conversation'

/** A conversation as the import made it. */
export interface ImportedConversation {
  readonly conversationId: string
  readonly sourceId: string
  readonly log: readonly Entry[]
}

/** What came of one file. */
export interface ImportedFile {
  readonly report: ImportReport
  readonly conversations: readonly ImportedConversation[]
}

/** The blobs of all imports, by hash. */
export type BlobBodies = Map<string, Uint8Array>

/** Entries without a time in the source get this one. */
const IMPORTED_AT = Date.UTC(2026, 0, 1)

/** Imports bytes or text, checking that every batch fits the log and every entry its schema. */
export async function importText(
  chunks: AsyncIterable<string | Uint8Array>,
  { name, bodies }: { readonly name: string; readonly bodies: BlobBodies },
): Promise<ImportedFile> {
  const logs = new Map<string, Entry[]>()
  const conversations: ImportedConversation[] = []
  const put = ({ mediaType, content }: { mediaType: string; content: Uint8Array }): Promise<BlobReference> => {
    const hash = createHash('sha256').update(content).digest('hex')
    bodies.set(hash, content)
    return Promise.resolve({ hash, sizeBytes: content.length, mediaType })
  }
  const events = importArchive(chunks, {
    ownerId: 'user_corpus',
    name,
    importedAt: IMPORTED_AT,
    limits: IMPORT_LIMITS,
    blobs: { put, has: (hash) => Promise.resolve(bodies.has(hash)) },
    known: () => Promise.resolve(null),
    signal: new AbortController().signal,
  })
  for await (const event of events) {
    if (event.type === 'entries') {
      const log = logs.get(event.conversationId) ?? []
      logs.set(event.conversationId, log)
      if (log.length !== event.after)
        throw new Error(`A batch of ${event.conversationId} follows ${event.after}, its log ends at ${log.length}`)
      for (const [index, entry] of event.entries.entries()) {
        const at = event.times[index] ?? event.at
        log.push(placeEntry(parseNewEntry(entry), { conversationId: event.conversationId, seq: log.length + 1, at }))
      }
    }
    if (event.type === 'conversation-finished') {
      const { conversationId, sourceId } = event
      conversations.push({ conversationId, sourceId, log: logs.get(conversationId) ?? [] })
    }
    if (event.type === 'finished') return { report: event.report, conversations }
  }
  throw new Error(`The import of ${name} did not finish`)
}

/** Imports a file. */
export function importFile(
  path: string,
  options: { readonly name: string; readonly bodies: BlobBodies },
): Promise<ImportedFile> {
  return importText(createReadStream(path), options)
}
