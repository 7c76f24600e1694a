import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import * as z from 'zod'
import { isFileError } from './file-errors.ts'
import type { StoreFiles } from './files.ts'

/** What a folder's state file says. It is a witness: what it names and is not there has been lost. */
const FolderState = z.object({
  /** The process that opened the store last. */
  pid: z.int(),
  /** When it did, in milliseconds since the Unix epoch. */
  openedAt: z.int(),
  /** Whether a database was made here: from then on an empty or missing file is a loss. */
  established: z.boolean(),
  /** Whether the store was not closed: from then on its write-ahead file must be there. */
  open: z.boolean(),
  /** Whether a restored copy is about to take the database's place. */
  restoring: z.boolean(),
  /** Whether the search index was found damaged: it is made anew at the next start. */
  searchDamaged: z.boolean(),
  /** Whether words that were erased may still be in the search index's old parts: they are driven out at the next start. */
  purging: z.boolean(),
  /** The generation that the database must have while the store is open; null in a state of an older Holdfast. */
  generation: z.int().nullable().default(null),
  /** From where a store is being moved into this folder, in words; null where none is. [CLI14] */
  movingFrom: z.string().max(200).nullable().default(null),
})
export type FolderState = z.infer<typeof FolderState>

/** The state of a folder in which nothing was opened yet. */
const NEW_FOLDER: FolderState = {
  pid: 0,
  openedAt: 0,
  established: false,
  open: false,
  restoring: false,
  searchDamaged: false,
  purging: false,
  generation: null,
  movingFrom: null,
}

/** Reads the state; that of a new folder when there is none or it cannot be read. */
export function readFolderState({ state }: StoreFiles): FolderState {
  try {
    const parsed = FolderState.safeParse(JSON.parse(readFileSync(state, 'utf8')))
    return parsed.success ? parsed.data : NEW_FOLDER
  } catch (error) {
    if (error instanceof SyntaxError || isFileError(error, 'ENOENT')) return NEW_FOLDER
    throw error
  }
}

/** Longer than any state: the file has always this size, so that one write in place replaces it. */
const STATE_BYTES = 512

/** Writes the state; durable when it returns. A torn write reads as the state of a new folder. */
export function writeFolderState(files: StoreFiles, state: FolderState): void {
  const isNew = !existsSync(files.state)
  const file = openSync(files.state, isNew ? 'wx' : 'r+', 0o600)
  try {
    writeSync(file, Buffer.from(JSON.stringify(state).padEnd(STATE_BYTES)), 0, STATE_BYTES, 0)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  if (isNew) syncFolder(files.dataDir)
}

/** Changes a part of the state. */
export function changeFolderState(files: StoreFiles, change: Partial<FolderState>): void {
  writeFolderState(files, { ...readFolderState(files), ...change })
}

/** Makes what a file holds durable, and readable for its owner alone. */
export function syncOwnFile(file: string): void {
  chmodSync(file, 0o600)
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Makes the names in a folder durable. */
export function syncFolder(folder: string): void {
  // Windows cannot sync a folder; its file systems keep names in order themselves.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
