import { chmod, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Worktree } from './book.ts'

/** Where commands of a worktree commit; see `createCommitRoom`. */
export function roomOf({ folder }: Pick<Worktree, 'folder'>): string {
  return `${folder}.room`
}

/** Removes a folder with all in it. Folders that may not be written, as some packages are installed, are made writable. */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM'))) throw error
    for (const found of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (found.isDirectory()) await chmod(join(found.parentPath, found.name), 0o700)
    await rm(folder, { recursive: true, force: true })
  }
}
