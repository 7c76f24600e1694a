import type { Worktree } from './book.ts'
import { isThere, markerOf } from './entry-of.ts'
import { bringBack, takeSnapshot } from './snapshot.ts'
import { checkOut, takeAway, type WorktreeDeps } from './steps.ts'
import { WorktreeRefusal } from './worktree-refusal.ts'

/**
 * Removes a worktree. What was not committed is in a durable snapshot before anything goes; what was committed stays
 * reachable. [WS8]
 *
 * @throws {WorktreeRefusal} where it cannot be kept: then it stands as it stood.
 */
export async function removeWorktree(
  deps: WorktreeDeps,
  worktree: Worktree,
  why: { readonly removedBy: string; readonly keepsBranch: boolean },
): Promise<Worktree> {
  const { git, book, beforeStep } = deps
  const { id, folder, commonDir, branch } = worktree
  await beforeStep('keep-snapshot', worktree)
  const isStanding = await isThere(folder)
  // Without its folder there is nothing that could be kept, and nothing that could be lost.
  const snapshot = isStanding
    ? await takeSnapshot({ ...deps, mostBytes: deps.mostSnapshotBytes }, { worktreeId: id, folder })
    : null
  const head = isStanding
    ? (await git.text({ folder, args: ['rev-parse', '--verify', 'HEAD^{commit}'] })).trim()
    : await tipOf(deps, { commonDir, branch })
  // Where a person has moved it to another commit, that one is kept too.
  if (head !== null) await git.text({ folder: commonDir, args: ['update-ref', markerOf(id), head] })
  const removing: Worktree = { ...worktree, ...why, state: 'removing', head, snapshot: snapshot === null ? null : id }
  await beforeStep('note-removing', worktree)
  await book.put(removing)
  return endRemoving(deps, removing)
}

/** Goes on with a removal, from the beginning or from where a crash left it. */
export async function endRemoving(deps: WorktreeDeps, removing: Worktree): Promise<Worktree> {
  await takeAway(deps, removing)
  await deps.beforeStep('note-removed', removing)
  return deps.book.put({ ...removing, state: 'removed' })
}

/**
 * Makes a removed worktree again, byte for byte as it was, with its branch. [WS8]
 *
 * @throws {WorktreeRefusal} where its repository or its snapshot is gone: then it stays removed.
 */
export async function restoreWorktree(deps: WorktreeDeps, worktree: Worktree): Promise<Worktree> {
  const { book, shelf, beforeStep } = deps
  const { id, head, commonDir, folder } = worktree
  if (!(await isThere(commonDir)))
    throw new WorktreeRefusal('gone', `The repository ${commonDir} is not there any more; put it back, then try again.`)
  if (head === null) throw new WorktreeRefusal('gone', `Nothing of the worktree ${id} was kept.`)
  const snapshot = worktree.snapshot === null ? null : await shelf.get(id)
  if (worktree.snapshot !== null && snapshot === null)
    throw new WorktreeRefusal('gone', `The snapshot of the worktree ${id} is not in the store. Restore a backup.`)
  const restoring: Worktree = { ...worktree, state: 'restoring' }
  await beforeStep('note-restoring', worktree)
  await book.put(restoring)
  try {
    await beforeStep('make-branch', worktree)
    const at = (await standBranch(deps, restoring, head)) ? restoring : { commit: head }
    await beforeStep('make-worktree', worktree)
    await checkOut(deps, restoring, at)
    await beforeStep('bring-back', worktree)
    if (snapshot) await bringBack({ ...deps, mostBytes: deps.mostSnapshotBytes }, { worktreeId: id, folder }, snapshot)
    await beforeStep('note-ready', worktree)
    return await book.put({ ...restoring, state: 'ready', removedBy: null, keepsBranch: false })
  } catch (error) {
    await undoRestoring(deps, restoring)
    throw error
  }
}

/** Takes away what a restoration has made; the snapshot is where it was. */
export async function undoRestoring(deps: WorktreeDeps, restoring: Worktree): Promise<void> {
  await takeAway(deps, restoring)
  await deps.book.put({ ...restoring, state: 'removed' })
}

/** Makes the branch stand as it did. @returns false where it stands at another commit: then it is left alone. */
async function standBranch(deps: WorktreeDeps, { commonDir, branch }: Worktree, head: string): Promise<boolean> {
  const stands = await tipOf(deps, { commonDir, branch })
  if (stands !== null) return stands === head
  await deps.git.text({
    folder: commonDir,
    args: ['update-ref', `refs/heads/${branch}`, head, ''],
    settings: [['core.logAllRefUpdates', 'false']],
  })
  return true
}

/** The commit of a branch, or null. */
async function tipOf(
  { git }: Pick<WorktreeDeps, 'git'>,
  { commonDir, branch }: Pick<Worktree, 'commonDir' | 'branch'>,
): Promise<string | null> {
  if (!(await isThere(commonDir))) return null
  const end = await git.run({ folder: commonDir, args: ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`] })
  return end.exitCode === 0 ? end.stdout.trim() : null
}
