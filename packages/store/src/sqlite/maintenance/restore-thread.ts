import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { StoreOpenError } from '@holdfast/conversation'
import Database from 'better-sqlite3'
import type { StoreFiles } from '../files/files.ts'
import { lockFolder } from '../files/folder-lock.ts'
import { changeFolderState, syncFolder, syncOwnFile } from '../files/folder-state.ts'
import { MIGRATIONS } from '../files/migrations.ts'
import { damaged, requireOurs, toOpenError } from '../files/open-store.ts'
import { finishRestore } from '../files/restored-copy.ts'
import type { MaintenanceSignatures } from '../messages/operations.ts'
import { checkStore } from './check-store.ts'
import { runMaintenance } from './maintenance-thread.ts'

/** Runs the thread of one restore. */
export function runRestoreThread(port: MessagePort, files: StoreFiles): void {
  runMaintenance<MaintenanceSignatures['restore']['args']>(port, files, async (args, signal) => {
    const lock = lockFolder(files)
    try {
      await restore(files, args, signal)
      return null
    } catch (error) {
      throw toOpenError(error, files)
    } finally {
      lock.close()
    }
  })
}

async function restore(
  files: StoreFiles,
  { from, force }: MaintenanceSignatures['restore']['args'],
  signal: AbortSignal,
): Promise<void> {
  if (!force && existsSync(files.database) && statSync(files.database).size > 0) {
    throw new StoreOpenError('exists', `${files.dataDir} holds a store already, and nothing was changed`)
  }
  if (!existsSync(from)) throw new StoreOpenError('missing', `There is no backup ${from}`)
  requireOurs(from, MIGRATIONS.length)
  try {
    await copyChecked(from, files.restored, signal)
    // From here on the next start finishes what breaks off.
    changeFolderState(files, { restoring: true })
  } catch (error) {
    rmSync(files.restored, { force: true })
    throw error
  }
  finishRestore(files)
}

/** Checks the copy and not its source: what will be opened is what was checked. */
async function copyChecked(from: string, to: string, signal: AbortSignal): Promise<void> {
  rmSync(to, { force: true })
  closeSync(openSync(to, 'wx', 0o600))
  const source = new Database(from, { readonly: true, fileMustExist: true })
  try {
    await source.backup(to)
  } finally {
    source.close()
  }
  const copy = new Database(to)
  try {
    copy.pragma('journal_mode = DELETE')
    const { damages } = await checkStore(copy, { signal, readObject: null })
    const [first] = damages
    if (first) throw damaged(from, `${first.what}${damages.length > 1 ? `, and ${damages.length - 1} more` : ''}`)
  } finally {
    copy.close()
  }
  syncOwnFile(to)
  syncFolder(dirname(to))
}
