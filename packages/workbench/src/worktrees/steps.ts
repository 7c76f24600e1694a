import { rename } from 'node:fs/promises'
import type { Clock } from '@holdfast/conversation'
import type { Worktree, WorktreeBook } from './book.ts'
import { isThere, markerOf, removeEntry, stagedOf } from './entry-of.ts'
import type { Git } from './git.ts'
import { removeFolder, roomOf } from './room-folder.ts'
import type { SnapshotShelf } from './snapshot-shelf.ts'
import { WorktreeRefusal } from './worktree-refusal.ts'

/** What is done to a repository or a folder; a process may end before each of them, and after. [WS8] */
export type WorktreeStep =
  | 'note-making'
  | 'make-branch'
  | 'make-worktree'
  | 'fill-submodules'
  | 'bring-along'
  | 'run-setup'
  | 'note-ready'
  | 'keep-snapshot'
  | 'note-removing'
  | 'set-folder-aside'
  | 'remove-entry'
  | 'remove-branch'
  | 'remove-folder'
  | 'note-removed'
  | 'note-restoring'
  | 'bring-back'

/** What all acts on worktrees are made with. */
export interface WorktreeDeps {
  readonly git: Git
  readonly book: WorktreeBook
  readonly shelf: SnapshotShelf
  readonly clock: Clock
  /** The most that a snapshot may hold, in bytes. */
  readonly mostSnapshotBytes: () => number
  /** Told before each step, which waits for it: what is done to a person's repository is written down. */
  readonly beforeStep: (step: WorktreeStep, worktree: Pick<Worktree, 'id' | 'folder' | 'branch'>) => Promise<void>
}

/** Makes a branch that nobody has, with our mark beside it, in one transaction. @throws {WorktreeRefusal} */
export async function makeBranch(
  { git }: WorktreeDeps,
  { id, commonDir, branch }: Worktree,
  commit: string,
): Promise<void> {
  const asked = {
    folder: commonDir,
    args: ['update-ref', '--stdin'],
    input: [
      'start',
      `create refs/heads/${branch} ${commit}`,
      `update ${markerOf(id)} ${commit}`,
      'prepare',
      'commit',
      '',
    ].join('\n'),
    settings: [['core.logAllRefUpdates', 'false']] as const,
  }
  const end = await git.run(asked)
  if (end.exitCode === 0) return
  const isTaken = /reference already exists|cannot lock ref|exists; cannot create/.test(end.stderr)
  const why = end.stderr.slice(0, 1_000)
  if (isTaken)
    throw new WorktreeRefusal(
      'name-taken',
      `The branch ${branch} cannot be made: ${why}. Where a branch is named holdfast, rename that one.`,
    )
  throw new WorktreeRefusal('system', `The branch ${branch} cannot be made in ${commonDir}: ${why}`)
}

/** Fills the folder of a worktree with the files of a branch, or of a commit without one. @throws {WorktreeRefusal} */
export async function checkOut(
  { git }: WorktreeDeps,
  { commonDir, folder }: Pick<Worktree, 'commonDir' | 'folder'>,
  at: { readonly branch: string } | { readonly commit: string },
): Promise<void> {
  const what = 'branch' in at ? [folder, at.branch] : ['--detach', folder, at.commit]
  await git.text({
    folder: commonDir,
    args: ['worktree', 'add', '--quiet', ...what],
    settings: [
      ['checkout.workers', '0'],
      ['core.logAllRefUpdates', 'false'],
    ],
  })
}

/**
 * Takes a worktree out of its repository and off the disk. Each step may be done again, so that what a crash left is
 * ended by the next start.
 */
export async function takeAway(deps: WorktreeDeps, worktree: Worktree): Promise<void> {
  const { folder } = worktree
  const aside = asideOf(worktree)
  await deps.beforeStep('set-folder-aside', worktree)
  // Under another name nobody begins to work in it, and it is gone at once for who looks.
  if (await isThere(folder)) await rename(folder, aside)
  await deps.beforeStep('remove-entry', worktree)
  if (await isThere(worktree.commonDir)) await removeEntry(worktree)
  await deps.beforeStep('remove-branch', worktree)
  if (!worktree.keepsBranch) await removeBranch(deps, worktree)
  await deps.beforeStep('remove-folder', worktree)
  await removeFolder(aside)
  await removeFolder(roomOf(worktree))
}

/** Where a folder stands while it is removed. */
function asideOf({ folder }: Pick<Worktree, 'folder'>): string {
  return `${folder}.removing`
}

/**
 * Removes a branch that is ours, by its mark. What was committed on it stays reachable by the mark.
 */
async function removeBranch({ git }: WorktreeDeps, { id, commonDir, branch, head }: Worktree): Promise<void> {
  if (!(await isThere(commonDir))) return
  const marked = await git.run({ folder: commonDir, args: ['rev-parse', '--verify', '--quiet', markerOf(id)] })
  const stands = await git.run({
    folder: commonDir,
    args: ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`],
  })
  if (marked.exitCode !== 0 || stands.exitCode !== 0) return
  const commit = stands.stdout.trim()
  // Somebody went on with it after it was looked at: then it is theirs.
  if (head !== null && commit !== head) return
  await git.text({
    folder: commonDir,
    args: ['update-ref', '--stdin'],
    input: [
      'start',
      `update ${markerOf(id)} ${commit}`,
      `delete refs/heads/${branch} ${commit}`,
      'prepare',
      'commit',
      '',
    ].join('\n'),
    settings: [['core.logAllRefUpdates', 'false']],
  })
}

/** Takes away what kept the commits of a worktree that is forgotten. */
export async function removeMarks({ git }: WorktreeDeps, { id, commonDir }: Worktree): Promise<void> {
  if (!(await isThere(commonDir))) return
  for (const ref of [markerOf(id), stagedOf(id)]) await git.text({ folder: commonDir, args: ['update-ref', '-d', ref] })
}
