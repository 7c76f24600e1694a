import { randomUUID } from 'node:crypto'
import { chmod, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startOfProcess } from '@holdfast/tool/process'
import type { Worktree } from './book.ts'

/** Where commands of a worktree commit; see `createCommitRoom`. */
export function roomOf({ folder }: Pick<Worktree, 'folder'>): string {
  return `${folder}.room`
}

/** A folder for one command there, named after the process that makes it. */
export function newRoom(worktree: Pick<Worktree, 'folder'>): string {
  return join(roomOf(worktree), `${process.pid}.${startOfProcess(process.pid)}.${randomUUID()}`)
}

/** Removes what processes that are gone have left there. Several may serve one disk: what one that runs has begun stays. [WS38] */
export async function clearRoom(worktree: Pick<Worktree, 'folder'>): Promise<void> {
  const room = roomOf(worktree)
  try {
    for (const name of await readdir(room)) if (!isOfRunning(name)) await removeFolder(join(room, name))
    await rmdir(room)
  } catch (error) {
    // There is none, somebody works in it, or it is for the next start: nothing waits for it.
    if (!(error instanceof Error && 'syscall' in error)) throw error
  }
}

function isOfRunning(name: string): boolean {
  const [pid = '', start] = name.split('.')
  return /^[1-9][0-9]*$/.test(pid) && startOfProcess(Number(pid)) === start
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
