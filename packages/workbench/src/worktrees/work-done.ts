import type { Worktree } from './book.ts'
import { commitAll } from './commit-all.ts'
import type { Git } from './git.ts'
import { findRepository, inProgress, utf8 } from './repository.ts'
import { findUncommitted } from './uncommitted.ts'

/** What was done in a worktree since it began. [AGENT58] */
export interface WorkDone {
  /** The commit that its branch ends with. */
  readonly commit: string
  /** Files that differ from the beginning, committed or not, each with what became of it: A, M or D. */
  readonly files: readonly ChangedPath[]
  /** Whether some of it is not committed. */
  readonly isUncommitted: boolean
}

/** One file that changed. */
export interface ChangedPath {
  readonly path: string
  readonly became: string
}

/**
 * Commits what was done in a worktree, where a message is given and git is in the middle of nothing, and says what it was.
 *
 * @throws {WorktreeRefusal}
 */
export async function workDone(git: Git, worktree: Worktree, message: string | null): Promise<WorkDone> {
  const { folder, baseCommit } = worktree
  if (message !== null && inProgress(await findRepository(git, folder)) === null)
    await commitAll(git, { folder, message })
  const commit = (await git.text({ folder, args: ['rev-parse', '--verify', 'HEAD^{commit}'] })).trim()
  const left = await findUncommitted(git, folder)
  const args = ['diff', '--name-status', '-z', '--no-renames', '--no-ext-diff', '--ignore-submodules=all', baseCommit]
  const words = (await git.text({ folder, args })).split('\0')
  const files = new Map<string, string>()
  for (let at = 0; at + 1 < words.length; at += 2) files.set(words[at + 1] ?? '', words[at] ?? '')
  for (const { path, type } of left) if (type === 'there' && !files.has(path)) files.set(path, 'A')
  return {
    commit,
    files: [...files].map(([path, became]) => ({ path: utf8(path), became })),
    isUncommitted: left.length > 0,
  }
}
