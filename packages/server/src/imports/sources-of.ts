import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Entry } from 'yauzl'

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

/** Opens a file, or one after another the logs inside a zip archive. `onRead` is told how many bytes of it were read. */
export async function* sourcesOf(
  path: string,
  onRead: (sizeBytes: number) => void,
): AsyncGenerator<FileSource, void, undefined> {
  switch (await kindOf(path)) {
    case 'plain':
      yield { file: null, content: counted(createReadStream(path), onRead, 1) }
      return
    case 'gzip':
      throw new UnreadableFileError('It is packed with gzip. Unpack it, and import what is inside')
    case 'zip':
      yield* zipSources(path, onRead)
  }
}

async function* zipSources(path: string, onRead: (sizeBytes: number) => void): AsyncGenerator<FileSource> {
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(path).catch((cause: unknown) => {
    throw unreadable(cause)
  })
  try {
    for await (const entry of entriesOf(zip.eachEntry())) {
      if (!LOGS.test(entry.fileName) || entry.fileName.startsWith('__MACOSX/')) {
        onRead(entry.compressedSize)
        continue
      }
      const content = await zip.openReadStreamPromise(entry).catch((cause: unknown) => {
        throw unreadable(cause)
      })
      const packed = entry.compressedSize / Math.max(1, entry.uncompressedSize)
      yield { file: entry.fileName, content: counted(readable(content), onRead, packed) }
    }
  } finally {
    zip.close()
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
  return new UnreadableFileError(`It is a damaged zip archive: ${cause.message}. Get it again, or unpack what can be`, {
    cause,
  })
}
