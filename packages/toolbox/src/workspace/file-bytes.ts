import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { FileRefusal } from './file-refusal.ts'
import { isStillThere, OPEN_SAFELY } from './held-folder.ts'
import { absentInWords, changed, closedToTools, type Place, withPlace } from './walk-path.ts'
import type { Workspace } from './workspace.ts'

/** A file as it was at one moment. */
export interface FileBytes {
  /** Real path from the root. */
  readonly path: string
  readonly bytes: Buffer
  /** SHA-256 of the bytes, in lower-case hexadecimal. */
  readonly hash: string
  /** Rights, as the system counts them. */
  readonly mode: number
}

/** Reads a whole file of the workspace. @throws {FileRefusal} when there is none, or it is larger than the limit. */
export function readBytes(
  workspace: Workspace,
  { path, limitBytes }: { readonly path: string; readonly limitBytes: number },
): Promise<FileBytes> {
  return withPlace(workspace, { path, lastLink: 'follow', missingFolders: 'refuse' }, (place) =>
    readAt(workspace, { place, limitBytes }),
  )
}

/** Reads the file at a place; what is opened is what counts, not what was seen on the way. */
export function readAt(
  workspace: Workspace,
  { place, limitBytes }: { readonly place: Place; readonly limitBytes: number },
): Promise<FileBytes> {
  const { path } = place
  const refuse = (sizeBytes: number) =>
    new FileRefusal({ code: 'too-large', path: place.given, message: tooLarge(path, sizeBytes, limitBytes) })
  return openAt(workspace, place, async (handle, { size, mode }) => {
    if (size > limitBytes) throw refuse(size)
    const bytes = await readFrom(handle, { from: 0, limitBytes: limitBytes + 1, sizeBytes: size })
    if (bytes.byteLength > limitBytes) throw refuse(bytes.byteLength)
    return { path, bytes, hash: hashOf(bytes), mode }
  })
}

/** Opens the file at a place, and closes it after its use. @throws {FileRefusal} for what is none, or may not be read. */
export async function openAt<Value>(
  workspace: Workspace,
  place: Place,
  use: (handle: FileHandle, opened: Stats) => Promise<Value>,
): Promise<Value> {
  const { path, folder, name, stats } = place
  const refuse = (code: 'not-found' | 'not-a-file' | 'hard-linked', message: string) =>
    new FileRefusal({ code, path: place.given, message })
  if (stats === null && name !== null) throw refuse('not-found', await absentInWords(place.given, { folder, name }))
  if (name === null || stats?.isDirectory()) throw refuse('not-a-file', `${path} is a folder. Use \`list\`.`)
  const handle = await open(`${folder.at}/${name}`, constants.O_RDONLY | OPEN_SAFELY)
  try {
    if (!(await isStillThere(folder))) throw changed(path)
    const opened = await handle.stat()
    if (workspace.closed.are(opened)) throw closedToTools(place.given)
    if (!opened.isFile()) throw refuse('not-a-file', `${path} is not a file, but a pipe, a socket or a device.`)
    if (opened.nlink > 1 && workspace.hardLinks === 'refuse')
      throw refuse('hard-linked', `${path} has ${opened.nlink} names, and another may be outside. It is left alone.`)
    return await use(handle, opened)
  } finally {
    await handle.close()
  }
}

/** SHA-256 in lower-case hexadecimal, as blobs are named. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

const PIECE_BYTES = 1 << 20
/** Most files are small, and what is set aside for them costs more than it takes to read them. */
const FIRST_BYTES = 1 << 14

/** What is read of an open file. */
export interface FilePart {
  readonly from: number
  readonly limitBytes: number
  /** Of the whole file when it was opened: a read that ends there, and brings less than it could, is the last. */
  readonly sizeBytes: number
}

/** Reads from a place in a file on, up to so many bytes or its end. */
export async function readFrom(handle: FileHandle, { from, limitBytes, sizeBytes }: FilePart): Promise<Buffer> {
  const pieces: Buffer[] = []
  let count = 0
  let wantedBytes = FIRST_BYTES
  while (count < limitBytes) {
    const piece = Buffer.allocUnsafe(Math.min(wantedBytes, limitBytes - count))
    const { bytesRead } = await handle.read(piece, 0, piece.byteLength, from + count)
    if (bytesRead === 0) break
    pieces.push(piece.subarray(0, bytesRead))
    count += bytesRead
    if (bytesRead < piece.byteLength && from + count === sizeBytes) break
    wantedBytes = bytesRead < piece.byteLength ? FIRST_BYTES : PIECE_BYTES
  }
  return Buffer.concat(pieces)
}

function tooLarge(path: string, sizeBytes: number, limitBytes: number): string {
  return `${path} has ${sizeBytes} bytes or more; ${limitBytes} are allowed here. Use the shell for a part of it.`
}
