import { createHash } from 'node:crypto'
import { IMPORT_LIMITS, type ImportEvent, type ImportLimits, type ImportReport, importArchive } from '@holdfast/archive'
import { type BlobReference, type Entry, type EntryStore, MAX_PAGE_ENTRIES } from '@holdfast/conversation'
import { createMemoryStore } from '@holdfast/store/memory'

/** Who imports. */
export const OWNER = 'user_1'

/** When everything is imported. */
const IMPORTED_AT = Date.UTC(2026, 4, 1)

/** A store and what was put into it. */
export interface Imports {
  readonly store: EntryStore
  /** How often something was appended. */
  appends: number
}

/** Opens an empty store in memory. */
export function openImports(): Imports {
  return {
    store: createMemoryStore({ clock: { now: () => IMPORTED_AT, monotonicMs: () => 0, after: () => () => {} } }).store,
    appends: 0,
  }
}

/** What an import did. */
export interface Imported {
  readonly report: ImportReport
  readonly events: readonly ImportEvent[]
  /** Conversations in the order in which they were finished. */
  readonly conversationIds: readonly string[]
}

/** Imports text into a store as the server would: each batch is one append. `stopAfter` ends it after so many batches. */
export async function importInto(
  imports: Imports,
  source: string | AsyncIterable<string | Uint8Array>,
  options: {
    readonly name?: string
    readonly limits?: Partial<ImportLimits>
    readonly stopAfter?: number
    readonly ownerId?: string
  } = {},
): Promise<Imported> {
  const { store } = imports
  const ownerId = options.ownerId ?? OWNER
  const events: ImportEvent[] = []
  const conversationIds: string[] = []
  let batches = 0
  const put = async (blob: {
    uploadId: string
    conversationId: string
    mediaType: string
    content: Uint8Array
  }): Promise<BlobReference> => store.putBlob({ ...blob, ownerId, at: IMPORTED_AT, content: pieces([blob.content]) })
  const chunks = typeof source === 'string' ? pieces([source]) : source
  for await (const event of importArchive(chunks, {
    ownerId,
    name: options.name ?? 'a file',
    importedAt: IMPORTED_AT,
    limits: { ...IMPORT_LIMITS, ...options.limits },
    blobs: { put, has: () => Promise.resolve(false) },
    known: async (conversationId) => {
      const { head, entries } = await store.read({ conversationId, after: 0, limit: MAX_PAGE_ENTRIES })
      if (head === 0) return null
      return {
        entryCount: head,
        imports: entries.filter((entry) => entry.type === 'imported'),
        entries: () => pieces(entries),
      }
    },
    signal: new AbortController().signal,
  })) {
    events.push(event)
    if (event.type === 'entries') {
      if (batches === options.stopAfter) break
      batches++
      imports.appends++
      const { conversationId, after, at, times, entries } = event
      await store.append({ conversationId, after, at, times, entries })
    }
    if (event.type === 'conversation-finished') conversationIds.push(event.conversationId)
  }
  const last = events.at(-1)
  const report =
    last?.type === 'finished'
      ? last.report
      : {
          name: '',
          format: null,
          conversations: 0,
          updated: 0,
          alreadyThere: 0,
          unchanged: 0,
          entries: 0,
          characters: 0,
          skippedCounts: {},
          skips: [],
        }
  return { report, events, conversationIds }
}

/** The log of a conversation, of at most one page. */
export async function logOf({ store }: Imports, conversationId: string | undefined): Promise<readonly Entry[]> {
  const { entries } = await store.read({ conversationId: conversationId ?? '', after: 0, limit: MAX_PAGE_ENTRIES })
  return entries
}

/** Imports a source that holds one conversation, and reads its log. */
export async function importOne(
  source: string,
  options: Parameters<typeof importInto>[2] = {},
): Promise<{ readonly log: readonly Entry[]; readonly report: ImportReport; readonly imports: Imports }> {
  const imports = openImports()
  const { report, conversationIds } = await importInto(imports, source, options)
  return { log: await logOf(imports, conversationIds[0]), report, imports }
}

/** Chunks as a stream gives them. */
export async function* pieces<Piece>(chunks: Iterable<Piece>): AsyncGenerator<Piece> {
  yield* chunks
}

/** The hash of text, as blobs are named. */
export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Records as lines. */
export function lines(...records: readonly unknown[]): string {
  return records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n')
}
