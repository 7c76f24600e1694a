import { existsSync, renameSync, rmSync } from 'node:fs'
import type { StoreFiles } from './files.ts'
import { changeFolderState, readFolderState, syncFolder } from './folder-state.ts'

/**
 * Puts a checked copy in the database's place, if one waits for it. It may be done again after it broke
 * off anywhere: until the state says that it is over, the copy or the database in its place is the new one.
 */
export function finishRestore(files: StoreFiles): void {
  if (!readFolderState(files).restoring) return
  if (existsSync(files.restored)) {
    for (const old of [files.wal, files.sharedMemory]) rmSync(old, { force: true })
    renameSync(files.restored, files.database)
    syncFolder(files.dataDir)
  }
  changeFolderState(files, { restoring: false, established: true, open: false, searchDamaged: false, purging: false })
}
