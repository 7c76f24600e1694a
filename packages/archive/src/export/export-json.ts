import { blobsOf, type Entry } from '@holdfast/conversation'
import { HOLDFAST_FORMAT, HOLDFAST_VERSION } from '../import/read-holdfast.ts'
import { watchMissing } from './missing-entries.ts'

/** What is exported. */
export interface ExportSource {
  readonly conversationId: string
  /** All entries, oldest first, set aside or not. */
  readonly entries: AsyncIterable<Entry>
  /** Finds a blob that an entry names, or null when it is not there. With null instead, blobs are only named. */
  readonly readBlob: ((hash: string) => Promise<ExportedBlob | null>) | null
  /** The last place of the log, to say what of it is missing; null or absent where nobody knows it. */
  readonly head?: number | null
}

/** A blob that is exported. */
export interface ExportedBlob {
  readonly mediaType: string
  /** The whole of it, read once and piece by piece: what fails here breaks the export off. */
  readonly content: AsyncIterable<Uint8Array>
}

/**
 * The whole conversation as one JSON document, piece by piece: every entry of every branch as it stands in the log,
 * and each blob before the first entry that names it. What `importArchive` reads from it is the same log. The places of
 * a damaged log that could not be read stand at its end. Of a blob no more than a piece is held. [LOG7, LOG11, LOG16]
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
      yield `${separator}{"blob":${JSON.stringify({ hash, mediaType: blob.mediaType }).slice(0, -1)},"base64":"`
      yield* inBase64(blob.content)
      yield '"}}'
      separator = ',\n'
    }
    yield `${separator}${JSON.stringify({ entry })}`
    separator = ',\n'
  }
  const missing = watch.missing(lastSeq ?? null)
  yield missing.length === 0 ? '\n]}\n' : `\n],"missing":${JSON.stringify(missing)}}\n`
}

/** Base64 piece by piece: three bytes are four letters, and what is left of a piece goes before the next. */
async function* inBase64(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest: Uint8Array = new Uint8Array()
  for await (const piece of content) {
    const bytes = Buffer.concat([rest, piece])
    const wholeLength = bytes.length - (bytes.length % 3)
    if (wholeLength > 0) yield bytes.toString('base64', 0, wholeLength)
    rest = bytes.subarray(wholeLength)
  }
  if (rest.length > 0) yield Buffer.from(rest).toString('base64')
}
