import { existsSync } from 'node:fs'
import type { Worktree } from './book.ts'
import { beginningOf } from './carry.ts'
import { commitAll, identityOf } from './commit-all.ts'
import { compareLink, remoteOf } from './forge.ts'
import type { Git } from './git.ts'
import { removeWorktree } from './remove-worktree.ts'
import { findRepository, inProgress, knownTrees, utf8 } from './repository.ts'
import type { WorktreeDeps } from './steps.ts'
import { WorktreeRefusal } from './worktree-refusal.ts'

/** What becomes of the work in a worktree. [WS10] */
export type FinishHow = 'merge' | 'apply' | 'branch' | 'push' | 'pull-request' | 'discard'

/** What was done. */
export interface Finished {
  readonly how: FinishHow
  readonly branch: string
  /** The commit that the work ended with. */
  readonly commit: string
  /** The branch that it went into; null where it went into none. */
  readonly base: string | null
  /** Where a pull request is, or is opened; null for none. */
  readonly link: string | null
  /** Whether the worktree went. */
  readonly isRemoved: boolean
  /** What was done, for people. */
  readonly message: string
}

/** What finishing needs besides. */
export interface FinishDeps extends WorktreeDeps {
  /** Path of GitHub's command line; null where it is not installed. */
  readonly gh: string | null
}

/** How a worktree is to be finished. */
export interface FinishWish {
  readonly how: FinishHow
  /** What the work is, in a line: the message of what is committed. */
  readonly title: string
}

/**
 * Ends the work in a worktree as the person wants it. What was not committed is committed to its branch first, but for
 * `discard`, which keeps it in a snapshot.
 *
 * @throws {WorktreeRefusal} where it cannot be done: then nothing was changed but that commit.
 */
export async function finishWorktree(deps: FinishDeps, worktree: Worktree, wish: FinishWish): Promise<Finished> {
  const { git } = deps
  const { folder, branch } = worktree
  if (wish.how === 'discard') {
    const removed = await removeWorktree(deps, worktree, { removedBy: 'discarded', keepsBranch: false })
    const kept = removed.snapshot === null ? '' : ' What was not committed is kept and can be restored.'
    return {
      how: 'discard',
      branch,
      commit: removed.head ?? worktree.baseCommit,
      base: null,
      link: null,
      isRemoved: true,
      message: `The worktree was discarded.${kept}`,
    }
  }
  if (!existsSync(folder)) throw folderGone(worktree)
  const middle = inProgress({ gitDir: (await findRepository(git, folder)).gitDir })
  if (middle !== null)
    throw new WorktreeRefusal(
      'in-progress',
      `The worktree ${folder} is in the middle of ${middle}; have it ended, then finish.`,
    )
  // What can be known to be in the way is looked for before anything is committed.
  const commitWork = async () => (await commitAll(git, { folder, message: wish.title })).commit
  switch (wish.how) {
    case 'merge': {
      const base = await baseToMoveOf(git, worktree)
      return merge(deps, worktree, { base, commit: await commitWork() })
    }
    case 'apply':
      return apply(deps, worktree, await commitWork())
    case 'branch': {
      const commit = await commitWork()
      await pointBranch(git, worktree, commit)
      await removeWorktree(deps, worktree, { removedBy: 'kept as a branch', keepsBranch: true })
      const message = `The work is on the branch ${branch}; the worktree was removed.`
      return { how: 'branch', branch, commit, base: null, link: null, isRemoved: true, message }
    }
    case 'push':
      await remoteOf(git, worktree)
      return push(deps, worktree, await commitWork())
    case 'pull-request':
      await remoteOf(git, worktree)
      return pullRequest(deps, worktree, { commit: await commitWork(), title: wish.title })
  }
}

/** Its branch and its commits are there still: only the files are gone. */
function folderGone({ id, folder, branch }: Worktree): WorktreeRefusal {
  const back = `holdfast worktrees remove ${id}\` and then \`holdfast worktrees restore ${id}`
  return new WorktreeRefusal(
    'gone',
    `The folder ${folder} of this worktree is not there any more; what was committed is on the branch ${branch}. \`${back}\` brings it back, as *Workspaces* in the settings does.`,
  )
}

/** The branch of the worktree ends where its files do, also where somebody checked out another one in it. */
async function pointBranch(git: Git, { folder, branch }: Worktree, commit: string): Promise<void> {
  const on = await git.run({ folder, args: ['symbolic-ref', '--quiet', '--short', 'HEAD'] })
  if (on.exitCode === 0 && utf8(on.stdout.trim()) === branch) return
  await git.text({ folder, args: ['update-ref', `refs/heads/${branch}`, commit] })
}

/** A branch that is to move, its commit, and the folder where it is checked out; null where that is nowhere. */
interface BaseToMove {
  readonly baseBranch: string
  readonly old: string
  readonly at: string | null
}

/** @throws {WorktreeRefusal} where it cannot be moved, whatever the work is. */
async function baseToMoveOf(git: Git, { folder, branch, baseBranch }: Worktree): Promise<BaseToMove> {
  if (baseBranch === null)
    throw new WorktreeRefusal(
      'no-base',
      'The worktree began at a commit and not at a branch, so there is none to merge into. Keep the branch, and merge it where you like.',
    )
  const base = await git.run({
    folder,
    args: ['rev-parse', '--verify', '--quiet', `refs/heads/${baseBranch}^{commit}`],
  })
  if (base.exitCode !== 0)
    throw new WorktreeRefusal(
      'no-base',
      `The branch ${baseBranch} is not there any more. Keep the branch ${branch}, and merge it where you like.`,
    )
  const at = (await knownTrees(git, folder)).find((tree) => tree.branch === `refs/heads/${baseBranch}`)
  if (at) await checkClean(git, at.folder, baseBranch)
  return { baseBranch, old: base.stdout.trim(), at: at?.folder ?? null }
}

async function merge(
  deps: FinishDeps,
  worktree: Worktree,
  { base: { baseBranch, old, at }, commit }: { readonly base: BaseToMove; readonly commit: string },
): Promise<Finished> {
  const { git } = deps
  const { folder, branch, commonDir, isCarried } = worktree
  const carried = isCarried === true ? CARRIED : ''
  if ((await git.run({ folder, args: ['merge-base', '--is-ancestor', commit, old] })).exitCode === 0)
    throw new WorktreeRefusal(
      'nothing',
      `${baseBranch} holds all of ${branch} already; there is nothing to merge. Discard the worktree.`,
    )
  const merged = await mergedCommit(git, { folder, branch, baseBranch, old, commit })
  if (at !== null)
    await refuse(
      git.text({
        folder: at,
        args: [
          'merge',
          '--quiet',
          '--ff-only',
          '--no-verify-signatures',
          '--no-autostash',
          '--no-overwrite-ignore',
          merged,
        ],
      }),
      (said) => `${baseBranch} is checked out in ${at}, and git does not move it there: ${said}${carried}`,
      'system',
    )
  else
    await git.text({
      folder: commonDir,
      args: ['update-ref', '-m', `merge ${branch}`, `refs/heads/${baseBranch}`, merged, old],
    })
  await removeWorktree(deps, worktree, { removedBy: `merged into ${baseBranch}`, keepsBranch: false })
  return {
    how: 'merge',
    branch,
    commit: merged,
    base: baseBranch,
    link: null,
    isRemoved: true,
    message: `${branch} was merged into ${baseBranch}; the worktree was removed.`,
  }
}

const CARRIED =
  '. What was not committed there came along as the first commit of this branch; apply brings the work alone.'

/** @throws {WorktreeRefusal} where somebody works on the branch. */
async function checkClean(git: Git, folder: string, baseBranch: string): Promise<void> {
  const middle = inProgress(await findRepository(git, folder))
  if (middle !== null)
    throw new WorktreeRefusal(
      'in-progress',
      `${baseBranch} is checked out in ${folder}, which is in the middle of ${middle}; end it, then merge.`,
    )
  const changed = await git.text({ folder, args: ['status', '--porcelain=v2', '-z', '--untracked-files=no'] })
  if (changed !== '')
    throw new WorktreeRefusal(
      'dirty',
      `${baseBranch} is checked out in ${folder}, where changes are not committed; a merge would move it under them. Commit or stash them there, then merge, or open a pull request.`,
    )
}

/** The commit that the base moves to. @throws {WorktreeRefusal} where the two stand against each other. */
async function mergedCommit(
  git: Git,
  {
    folder,
    branch,
    baseBranch,
    old,
    commit,
  }: Readonly<Record<'folder' | 'branch' | 'baseBranch' | 'old' | 'commit', string>>,
): Promise<string> {
  if ((await git.run({ folder, args: ['merge-base', '--is-ancestor', old, commit] })).exitCode === 0) return commit
  const tried = await git.run({
    folder,
    args: ['merge-tree', '--write-tree', '--name-only', '-z', '--no-messages', old, commit],
  })
  const [tree = '', ...files] = tried.stdout.split('\0').filter((word) => word !== '')
  if (tried.exitCode === 1)
    throw new WorktreeRefusal(
      'conflict',
      `${branch} and ${baseBranch} have changed the same lines of ${listed(files.map(utf8))}. Have ${baseBranch} merged into the worktree first, or open a pull request. ${baseBranch} was not changed.`,
    )
  if (tried.exitCode !== 0)
    throw new WorktreeRefusal(
      'system',
      `git cannot merge here without touching files (it has to be 2.38 or newer): ${tried.stderr.slice(0, 500)}`,
    )
  const args = ['commit-tree', tree.trim(), '-p', old, '-p', commit, '-m', `Merge branch '${branch}'`]
  return (await git.text({ folder, args, environment: await identityOf(git, folder) })).trim()
}

async function apply(deps: FinishDeps, worktree: Worktree, commit: string): Promise<Finished> {
  const { git } = deps
  const { folder, branch, top } = worktree
  const { head } = await findRepository(git, top)
  const from = await git.run({ folder, args: ['merge-base', head, commit] })
  if (from.exitCode !== 0)
    throw new WorktreeRefusal(
      'no-base',
      `${branch} and what is checked out in ${top} have no commit in common. Keep the branch.`,
    )
  // What came along from there is there.
  const beginning = await beginningOf(git, worktree, from.stdout.trim())
  const patch = await git.text({
    folder,
    args: [
      ...['diff', '--binary', '--full-index', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames'],
      ...['--src-prefix=a/', '--dst-prefix=b/', '--submodule=short', beginning, commit],
    ],
  })
  if (patch === '')
    throw new WorktreeRefusal(
      'nothing',
      `${branch} differs in nothing from what it began with; there is nothing to apply. Discard the worktree.`,
    )
  await refuse(
    git.text({ folder: top, args: ['apply', '--binary', '--whitespace=nowarn', '-'], input: patch }),
    (said) => `The changes do not fit into ${top} as it is now, and nothing was changed there: ${said}`,
    'conflict',
  )
  await removeWorktree(deps, worktree, { removedBy: 'applied to the workspace', keepsBranch: false })
  return {
    how: 'apply',
    branch,
    commit,
    base: null,
    link: null,
    isRemoved: true,
    message: `The changes are in ${top}, not committed; the worktree was removed.`,
  }
}

async function push({ git }: FinishDeps, worktree: Worktree, commit: string): Promise<Finished> {
  const { folder, branch } = worktree
  const { name } = await remoteOf(git, worktree)
  await pointBranch(git, worktree, commit)
  const reference = `refs/heads/${branch}`
  await refuse(
    git.text({
      folder,
      args: ['push', '--quiet', '--no-verify', '--receive-pack=git-receive-pack', name, `${reference}:${reference}`],
      mayReach: true,
    }),
    (said) => `${branch} was not pushed to ${name}: ${said}`,
    'system',
  )
  const message = `${branch} was pushed to ${name}.`
  return { how: 'push', branch, commit, base: null, link: null, isRemoved: false, message }
}

async function pullRequest(
  deps: FinishDeps,
  worktree: Worktree,
  { commit, title }: { readonly commit: string; readonly title: string },
): Promise<Finished> {
  const { git, gh } = deps
  const { folder, branch, baseBranch } = worktree
  const pushed = await push(deps, worktree, commit)
  const { name, url } = await remoteOf(git, worktree)
  const made = { ...pushed, how: 'pull-request', base: baseBranch } as const
  if (gh !== null && /github/i.test(url)) {
    const args = [
      'pr',
      'create',
      '--head',
      branch,
      ...(baseBranch === null ? [] : ['--base', baseBranch]),
      '--title',
      title,
      '--body',
      '',
    ]
    const end = await git.other(gh, { folder, args, mayReach: true })
    const link = /https:\/\/\S+/.exec(end.stdout)?.[0] ?? null
    if (end.exitCode === 0 && link !== null) return { ...made, link, message: `The pull request is open: ${link}` }
  }
  const link = compareLink(url, { branch, base: baseBranch })
  const message =
    link === null
      ? `${branch} was pushed to ${name}; open the pull request there.`
      : `${branch} was pushed to ${name}. Open the pull request: ${link}`
  return { ...made, link, message }
}

/** Git's own words become those of a refusal. Passwords in addresses are left out. */
async function refuse(
  work: Promise<unknown>,
  words: (said: string) => string,
  code: WorktreeRefusal['code'],
): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof WorktreeRefusal)) throw error
    throw new WorktreeRefusal(code, words(error.message.replaceAll(/:\/\/[^/@\s]+@/g, '://')), { cause: error })
  }
}

function listed(files: readonly string[]): string {
  const shown = files.slice(0, 5).join(', ')
  return files.length > 5 ? `${shown} and ${files.length - 5} more` : shown
}
