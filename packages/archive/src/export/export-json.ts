import { blobsOf, type Entry } from '@holdfast/conversation'
import { HOLDFAST_FORMAT, HOLDFAST_VERSION } from '../import/read-holdfast.ts'
import { watchMissing } from './missing-entries.ts'

/** What is exported. */
export interface ExportSource {
  readonly conversationId: string
  /** All entries, oldest first, set aside or not. */
  readonly entries: AsyncIterable<Entry>
  /** Reads a blob that an entry names, or null when it is not there. With null instead, blobs are only named. */
  readonly readBlob: ((hash: string) => Promise<{ mediaType: string; content: Uint8Array } | null>) | null
  /** The last place of the log, to say what of it is missing; null or absent where nobody knows it. */
  readonly head?: number | null
}

/**
 * The whole conversation as one JSON document, piece by piece: every entry of every branch as it stands in the log,
 * and each blob before the first entry that names it. What `importArchive` reads from it is the same log. The places of
 * a damaged log that could not be read stand at its end. [LOG7, LOG11]
 */
export async function* exportJson({
  conversationId,
  entries,
  readBlob,
  head: lastSeq,
}: ExportSource): AsyncGenerator<string> {
  const head = { format: HOLDFAST_FORMAT, version: HOLDFAST_VERSION, conversationId }
  yield `${JSON.stringify(head).slice(0, -1)},"records":[`
  const written = new Set<string>()
  const watch = watchMissing()
  let separator = '\n'
  for await (const entry of entries) {
    watch.see(entry.seq)
    for (const { hash } of readBlob ? blobsOf(entry) : []) {
      if (written.has(hash)) continue
      written.add(hash)
      const blob = await readBlob?.(hash)
      if (!blob) continue
      const base64 = Buffer.from(blob.content).toString('base64')
      yield `${separator}${JSON.stringify({ blob: { hash, mediaType: blob.mediaType, base64 } })}`
      separator = ',\n'
    }
    yield `${separator}${JSON.stringify({ entry })}`
    separator = ',\n'
  }
  const missing = watch.missing(lastSeq ?? null)
  yield missing.length === 0 ? '\n]}\n' : `\n],"missing":${JSON.stringify(missing)}}\n`
}
