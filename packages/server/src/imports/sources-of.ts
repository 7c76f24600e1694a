import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Entry } from 'yauzl'
import { inWords, type StorageLimits } from '../parts/storage-limits.ts'

/** What one file holds for an import: itself, or files inside an archive. */
export interface FileSource {
  /** For the report; null for the file itself. */
  readonly file: string | null
  readonly content: AsyncIterable<Uint8Array>
}

/** A file cannot be read as what it is. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
  readonly code = 'unreadable-file'
}

const LOGS = /\.(?:json|jsonl|ndjson|chat\.history\.md)$/i

/** A file to open. */
export interface SourceFile {
  readonly path: string
  /** Told how many bytes of it were read. */
  readonly onRead: (sizeBytes: number) => void
  readonly limits: Pick<StorageLimits, 'importUnpackedBytes' | 'importFileCount'>
}

/**
 * Opens a file, or one after another the logs inside a zip archive. What an archive says of its sizes is not believed:
 * bytes are counted as they are unpacked. [SEC17]
 *
 * @throws {UnreadableFileError} when it is damaged, packed in another way, or holds more than the limits allow.
 */
export async function* sourcesOf(source: SourceFile): AsyncGenerator<FileSource, void, undefined> {
  const { path, onRead } = source
  switch (await kindOf(path)) {
    case 'plain':
      yield { file: null, content: counted(createReadStream(path), onRead, 1) }
      return
    case 'gzip':
      throw new UnreadableFileError('It is packed with gzip. Unpack it, and import what is inside')
    case 'zip':
      yield* zipSources(source)
  }
}

async function* zipSources({ path, onRead, limits }: SourceFile): AsyncGenerator<FileSource> {
  const { importUnpackedBytes, importFileCount } = limits
  let fileCount = 0
  let unpackedBytes = 0
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(path).catch((cause: unknown) => {
    throw unreadable(cause)
  })
  try {
    for await (const entry of entriesOf(zip.eachEntry())) {
      fileCount += 1
      if (fileCount > importFileCount)
        throw new UnreadableFileError(`It holds more than ${importFileCount} files. Import it in parts`)
      if (!LOGS.test(entry.fileName) || entry.fileName.startsWith('__MACOSX/')) {
        onRead(entry.compressedSize)
        continue
      }
      const content = await zip.openReadStreamPromise(entry).catch((cause: unknown) => {
        throw unreadable(cause)
      })
      const packed = entry.compressedSize / Math.max(1, entry.uncompressedSize)
      yield { file: entry.fileName, content: counted(bounded(readable(content)), onRead, packed) }
    }
  } finally {
    zip.close()
  }

  async function* bounded(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      unpackedBytes += piece.length
      if (unpackedBytes > importUnpackedBytes)
        throw new UnreadableFileError(`It unpacks to more than ${inWords(importUnpackedBytes)}. Import it in parts`)
      yield piece
    }
  }
}

async function* entriesOf(entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  try {
    yield* entries
  } catch (error) {
    throw unreadable(error)
  }
}

async function* readable(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of content) yield piece
  } catch (error) {
    throw unreadable(error)
  }
}

async function* counted(
  content: AsyncIterable<Uint8Array>,
  onRead: (sizeBytes: number) => void,
  share: number,
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    onRead(piece.length * share)
    yield piece
  }
}

async function kindOf(path: string): Promise<'plain' | 'zip' | 'gzip'> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    if (buffer.readUInt32BE() === 0x504b0304 || buffer.readUInt32BE() === 0x504b0506) return 'zip'
    return buffer.readUInt16BE() === 0x1f8b ? 'gzip' : 'plain'
  } finally {
    await file.close()
  }
}

function unreadable(cause: unknown): Error {
  if (!(cause instanceof Error)) throw cause
  const why = cause.message.endsWith('.') ? cause.message.slice(0, -1) : cause.message
  return new UnreadableFileError(`It is a damaged zip archive: ${why}. Get it again, or unpack what can be`, { cause })
}
