import { randomUUID } from 'node:crypto'
import { lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Worktree } from './book.ts'
import { identityOf } from './commit-all.ts'
import type { Git } from './git.ts'
import type { Repository } from './repository.ts'
import type { WorktreeDeps } from './steps.ts'
import { findUncommitted, type Uncommitted } from './uncommitted.ts'
import { WorktreeRefusal } from './worktree-refusal.ts'

/**
 * Makes a commit of all that is not committed in a working tree, on top of what is checked out there. Nothing there
 * changes: it is staged in a file of its own. What git ignores is not among it. [AGENT58]
 *
 * @returns null where everything is committed.
 * @throws {WorktreeRefusal} where it is too much, or cannot be committed.
 */
export async function carriedCommit(
  { git, root, mostSnapshotBytes }: Pick<WorktreeDeps, 'git' | 'mostSnapshotBytes'> & { readonly root: string },
  { top, head }: Repository,
): Promise<string | null> {
  const found = await findUncommitted(git, top)
  if (found.length === 0) return null
  const sizeBytes = await sizeOf(top, found)
  if (sizeBytes > mostSnapshotBytes())
    throw new WorktreeRefusal(
      'too-large',
      `What is not committed in ${top} is ${sizeBytes} bytes, and ${mostSnapshotBytes()} come along. Commit it, or have git ignore what is not wanted.`,
    )
  const index = join(root, `index-${randomUUID()}`)
  const environment = { GIT_INDEX_FILE: index }
  try {
    await git.text({ folder: top, args: ['read-tree', head], environment })
    const input = found.map(({ path }) => `${path}\0`).join('')
    const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin']
    await git.text({ folder: top, args, input, environment })
    const tree = (await git.text({ folder: top, args: ['write-tree'], environment })).trim()
    // Line ends that git takes for the same are no change.
    if (tree === (await git.text({ folder: top, args: ['rev-parse', `${head}^{tree}`] })).trim()) return null
    const commit = ['commit-tree', tree, '-p', head, '-m', MESSAGE]
    return (await git.text({ folder: top, args: commit, environment: await identityOf(git, top) })).trim()
  } finally {
    for (const path of [index, `${index}.lock`]) await rm(path, { force: true })
  }
}

const MESSAGE = 'What was not committed where this began'

/**
 * Where the work of a worktree begins: where its branch left another one, or behind what came along from there uncommitted.
 *
 * @param left - the commit at which its branch left the other one.
 */
export async function beginningOf(
  git: Git,
  { folder, baseCommit, isCarried }: Pick<Worktree, 'folder' | 'baseCommit' | 'isCarried'>,
  left: string,
): Promise<string> {
  if (isCarried !== true) return left
  const isBefore = await git.run({ folder, args: ['merge-base', '--is-ancestor', left, baseCommit] })
  return isBefore.exitCode === 0 ? baseCommit : left
}

async function sizeOf(top: string, found: readonly Uncommitted[]): Promise<number> {
  let sizeBytes = 0
  for (const { path, type } of found) {
    if (type === 'gone') continue
    const at = Buffer.concat([Buffer.from(`${top}/`), Buffer.from(path, 'latin1')])
    sizeBytes += (await lstat(at)).size
  }
  return sizeBytes
}
