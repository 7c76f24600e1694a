import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { WorktreeRefusal } from './worktree-refusal.ts'

/** Where git notes a worktree in its repository: the name of the folder, for that is an id which nobody else has. */
function entryOf({ commonDir, id }: { readonly commonDir: string; readonly id: string }): string {
  return join(commonDir, 'worktrees', id)
}

/** The ref that says that a branch and a worktree are ours, and keeps what they held. */
export function markerOf(id: string): string {
  return `refs/holdfast/worktrees/${id}`
}

/** The ref that keeps what was staged when a worktree was removed. */
export function stagedOf(id: string): string {
  return `refs/holdfast/staged/${id}`
}

/**
 * Takes git's note of a worktree away. One that leads elsewhere is not ours.
 *
 * @throws {WorktreeRefusal} for that.
 */
export async function removeEntry(record: {
  readonly commonDir: string
  readonly id: string
  readonly folder: string
}): Promise<void> {
  const entry = entryOf(record)
  const leads = await textOrNull(join(entry, 'gitdir'))
  if (leads !== null && leads.trim() !== join(record.folder, '.git'))
    throw new WorktreeRefusal('not-ours', `${entry} leads to ${leads.trim()} and was not made here; it is left alone.`)
  // One that git was killed in the middle of has no such file yet, and goes too.
  await rm(entry, { recursive: true, force: true })
}

/** Whether there is anything at a path. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return false
    throw error
  }
}

async function textOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}
