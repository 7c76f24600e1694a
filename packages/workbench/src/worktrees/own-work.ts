import type { Stats } from 'node:fs'
import { lstat, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Worktree } from './book.ts'
import type { Git } from './git.ts'
import { workDone } from './work-done.ts'
import { WorktreeRefusal } from './worktree-refusal.ts'

/** Of more files, or more bytes, it is not looked whether they stand elsewhere. */
const MOST_FILES = 2_000
const MOST_BYTES = 64 << 20

/**
 * Whether a worktree holds something that stands nowhere else: neither in its base, nor in the folder that it was made of.
 * What git ignores is not looked at. [WS41]
 *
 * @param isMerged - whether its base has all of its commits: then only what is not committed is its own.
 */
export async function hasOwnWork(git: Git, worktree: Worktree, isMerged: boolean): Promise<boolean> {
  const { folder, top } = worktree
  try {
    const { files } = await workDone(git, isMerged ? { ...worktree, baseCommit: 'HEAD' } : worktree, null)
    if (files.length > MOST_FILES) return true
    let leftBytes = MOST_BYTES
    for (const { path } of files) {
      const [here, there] = [join(folder, path), join(top, path)]
      const [stats, others] = [await statsOf(here), await statsOf(there)]
      leftBytes -= stats?.size ?? 0
      if (leftBytes < 0 || !(await isSame({ path: here, stats }, { path: there, stats: others }))) return true
    }
    return false
  } catch (error) {
    // What cannot be looked at may be something.
    if (error instanceof WorktreeRefusal && error.code === 'nested') return true
    throw error
  }
}

interface Standing {
  readonly path: string
  /** Null where nothing is. */
  readonly stats: Stats | null
}

async function isSame(one: Standing, other: Standing): Promise<boolean> {
  const [a, b] = [one.stats, other.stats]
  if (a === null || b === null) return a === b
  if (a.isSymbolicLink() && b.isSymbolicLink()) return (await readlink(one.path)) === (await readlink(other.path))
  const mayBeSame = a.isFile() && b.isFile() && a.size === b.size && (a.mode & 0o100) === (b.mode & 0o100)
  return mayBeSame && (await readFile(one.path)).equals(await readFile(other.path))
}

async function statsOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}
