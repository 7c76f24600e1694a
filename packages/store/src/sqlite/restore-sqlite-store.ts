import { resolve } from 'node:path'
import { fileSystemTypeOf, requireLocalFolder } from './files/file-system-kind.ts'
import { makeFolder } from './files/make-folder.ts'
import { runMaintenanceThread } from './threads/run-maintenance-thread.ts'

/** What to restore, and to where. */
export interface RestoreOptions {
  /** A file that `backup` wrote. */
  readonly from: string
  /** The folder of the store; no process may have it open. */
  readonly dataDir: string
  /** Whether a store that is there already is replaced. */
  readonly force: boolean
  /** Breaks off; what was there stays. */
  readonly signal?: AbortSignal
}

/**
 * Puts a backup in the place of a store. The copy is checked first, and takes the place at once or not at all.
 *
 * @throws {StoreOpenError} when the backup is missing, damaged or not ours, or the folder is in use.
 * @throws {StoreWriteError} when the folder holds a store and `force` is false, or the disk refused.
 */
export async function restoreSqliteStore({ from, dataDir, force, signal }: RestoreOptions): Promise<void> {
  const folder = resolve(dataDir)
  await makeFolder(folder)
  await requireLocalFolder(folder, fileSystemTypeOf)
  const options = { dataDir: folder, role: 'restore', now: 0, busyTimeoutMs: 5_000, maxPages: null } as const
  const neverAborted = new AbortController().signal
  await runMaintenanceThread(options, { args: { from: resolve(from), force }, signal: signal ?? neverAborted })
}
