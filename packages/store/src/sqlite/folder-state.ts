import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
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
})
export type FolderState = z.infer<typeof FolderState>

/** The state of a folder in which nothing was opened yet. */
export const NEW_FOLDER: FolderState = {
  pid: 0,
  openedAt: 0,
  established: false,
  open: false,
  restoring: false,
  searchDamaged: false,
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

/** Writes the state so that a reader finds the old one or the new one, also after a loss of power. */
export function writeFolderState(files: StoreFiles, state: FolderState): void {
  const next = `${files.state}.next`
  const file = openSync(next, 'w', 0o600)
  try {
    writeSync(file, JSON.stringify(state))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(next, files.state)
  syncFolder(files.dataDir)
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
