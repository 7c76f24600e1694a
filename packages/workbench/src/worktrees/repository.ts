import { realpathSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Git, refusedByGit } from './git.ts'
import { WorktreeRefusal } from './worktree-refusal.ts'

/** A repository as it is found at a folder. */
export interface Repository {
  /** Real path of the folder that was asked about. */
  readonly folder: string
  /** Real path of the top of the working tree that the folder is in. */
  readonly top: string
  /** From the top to the folder, empty for the top itself. */
  readonly prefix: string
  /** Real path of git's own folder of that working tree. */
  readonly gitDir: string
  /** Real path of what all working trees share. */
  readonly commonDir: string
  readonly head: string
  /** Short name of the branch that is checked out; null for none. */
  readonly branch: string | null
}

/** A working tree that git knows, whoever made it. */
export interface KnownTree {
  readonly folder: string
  /** Full name; null for a detached head. */
  readonly branch: string | null
}

/**
 * Looks at the repository that a folder is in.
 *
 * @throws {WorktreeRefusal} where a worktree cannot be made of it, with the reason and what to do.
 */
export async function findRepository(git: Git, folder: string): Promise<Repository> {
  const real = realFolder(folder)
  if (real === null)
    throw new WorktreeRefusal('gone', `The folder ${folder} is not there any more; choose another workspace.`)
  const asked = {
    folder: real,
    args: ['rev-parse', '--is-bare-repository', '--absolute-git-dir', '--path-format=absolute', '--git-common-dir'],
  }
  const found = await git.run(asked)
  if (found.exitCode !== 0) throw notUsable(real, found.stderr)
  const [isBare = '', gitDir = '', commonDir = ''] = lines(found.stdout)
  if (isBare === 'true')
    throw new WorktreeRefusal(
      'bare',
      `The repository in ${real} is bare: it has no files to work on. Open a clone of it.`,
    )
  const [shown, head, branch] = await Promise.all([
    git.text({ folder: real, args: ['rev-parse', '--show-toplevel'] }),
    git.run({ folder: real, args: ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'] }),
    git.run({ folder: real, args: ['symbolic-ref', '--quiet', '--short', 'HEAD'] }),
  ])
  const top = lines(shown)[0] ?? ''
  if (!isIn(real, top))
    throw new WorktreeRefusal(
      'no-repository',
      `The files of the repository in ${real} lie elsewhere, in ${top}; open that folder.`,
    )
  if (head.exitCode !== 0)
    throw new WorktreeRefusal(
      'no-commits',
      `The repository in ${real} has no commit yet, and a worktree begins with one: commit once, then try again.`,
    )
  return {
    folder: real,
    top,
    prefix: relative(top, real),
    gitDir,
    commonDir: realpathSync(fromBytes(commonDir)),
    head: head.stdout.trim(),
    branch: branch.exitCode === 0 ? utf8(branch.stdout.trim()) : null,
  }
}

/** What git is in the middle of, such as `a rebase`; null for nothing. */
export function inProgress({ gitDir }: Pick<Repository, 'gitDir'>): string | null {
  const found = IN_PROGRESS.find(([name]) => isThere(join(gitDir, name)))
  return found === undefined ? null : found[1]
}

/** All working trees of a repository. */
export async function knownTrees(git: Git, folder: string): Promise<readonly KnownTree[]> {
  const asked = { folder, args: ['worktree', 'list', '--porcelain', '-z'] }
  const end = await git.run(asked)
  if (end.exitCode !== 0) throw refusedByGit(asked, end)
  return end.stdout
    .split('\0\0')
    .map(
      (block) =>
        new Map(block.split('\0').map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)])),
    )
    .flatMap((fields) => {
      const path = fields.get('worktree')
      const branch = fields.get('branch')
      return path === undefined ? [] : [{ folder: utf8(path), branch: branch === undefined ? null : utf8(branch) }]
    })
}

/** Text of bytes that are one character each. */
export function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** A path of bytes that are one character each, for the system. */
function fromBytes(bytes: string): Buffer {
  return Buffer.from(bytes, 'latin1')
}

/** Whether a path is a folder or lies in it. */
export function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}

const IN_PROGRESS: readonly (readonly [name: string, words: string])[] = [
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase or the application of patches'],
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['BISECT_LOG', 'a bisection'],
]

function notUsable(folder: string, said: string): WorktreeRefusal {
  if (/dubious ownership/.test(said))
    return new WorktreeRefusal(
      'not-trusted',
      `The repository in ${folder} belongs to another account, and git does not trust it. If you do: git config --global --add safe.directory '${folder}'`,
    )
  if (/not a git repository/i.test(said))
    return new WorktreeRefusal(
      'no-repository',
      `${folder} is in no git repository, so there is nothing to make a worktree of. Work in place, or run git init and commit.`,
    )
  return new WorktreeRefusal('system', `The repository in ${folder} cannot be read: ${said.slice(0, 2_000)}`)
}

function realFolder(folder: string): string | null {
  try {
    const real = realpathSync(folder)
    return statSync(real).isDirectory() ? real : null
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

function lines(text: string): readonly string[] {
  return text.split('\n')
}
