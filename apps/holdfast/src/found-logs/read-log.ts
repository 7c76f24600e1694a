import { constants, open } from 'node:fs/promises'
import { opencodeContent } from './opencode-logs.ts'

const PIECE_BYTES = 256 * 1024

/**
 * The content of a log as an import takes it: the file as it is, or sessions of opencode. Null for what is not
 * there any more, may not be read, or has become a link.
 */
export async function readLog(path: string): Promise<AsyncIterable<Uint8Array> | null> {
  const file = await openFile(path)
  if (file === null) return null
  const content = opencodeContent(path)
  if (content === null) return piecesOf(file)
  await file.close()
  return content()
}

async function* piecesOf(file: NonNullable<Awaited<ReturnType<typeof openFile>>>): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of file.createReadStream({ highWaterMark: PIECE_BYTES, autoClose: false })) {
      if (!(piece instanceof Uint8Array)) throw new TypeError('a file without an encoding is read as bytes')
      yield piece
    }
  } finally {
    await file.close()
  }
}

async function openFile(path: string) {
  try {
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'EACCES', 'ELOOP'].includes(String(error.code)))
      return null
    throw error
  }
}
