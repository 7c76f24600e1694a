import { randomUUID } from 'node:crypto'
import { mkdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Worktree } from './book.ts'
import { bringAlong } from './bring-along.ts'
import { carriedCommit } from './carry.ts'
import { findRepository, inProgress, type Repository } from './repository.ts'
import { checkOut, makeBranch, removeMarks, takeAway, type WorktreeDeps } from './steps.ts'
import { fillSubmodules } from './submodules.ts'
import type { SetupEnd } from './worktree-record.ts'
import { WorktreeRefusal } from './worktree-refusal.ts'

/** A worktree that is wanted for a conversation. */
export interface WorktreeWish {
  readonly ownerId: string
  readonly conversationId: string
  /** The folder of the workspace. */
  readonly folder: string
  /** What it is for, such as the title of the conversation; its branch is named after it. */
  readonly title: string
  /** Names of ignored files and folders that come along, such as `.env` and `node_modules`. */
  readonly brought: readonly string[]
  /** Null for none. */
  readonly setupCommand: string | null
  /** Whether what is not committed where it begins comes along, as a commit of its own that it begins at. [AGENT58] */
  readonly carries: boolean
}

/** What making one needs besides. */
export interface MakingDeps extends WorktreeDeps {
  /** Where worktrees lie. */
  readonly root: string
  readonly machine: string
  /** Runs the setup command of a workspace in a worktree, as confined as the commands of agents. */
  readonly runSetup: (asked: { readonly folder: string; readonly command: string }) => Promise<SetupEnd>
}

/**
 * Makes a worktree: a branch of its own from the last commit, its files outside of the repository, and what of the
 * ignored files is wanted. Where a step fails, all that it made is taken away again. [WS7, WS8]
 *
 * @throws {WorktreeRefusal}
 */
export async function makeWorktree(deps: MakingDeps, wish: WorktreeWish): Promise<Worktree> {
  const { book, clock, beforeStep } = deps
  const repository = await findRepository(deps.git, wish.folder)
  const middle = inProgress(repository)
  if (middle !== null)
    throw new WorktreeRefusal(
      'in-progress',
      `The repository in ${repository.top} is in the middle of ${middle}; end it, then try again.`,
    )
  await mkdir(deps.root, { recursive: true, mode: 0o700 })
  const carried = wish.carries ? await carriedCommit(deps, repository) : null
  const worktree = newWorktree(deps, wish, { ...repository, carried })
  await beforeStep('note-making', worktree)
  await book.put(worktree)
  try {
    await beforeStep('make-branch', worktree)
    await makeBranch(deps, worktree, worktree.baseCommit)
    await beforeStep('make-worktree', worktree)
    await checkOut(deps, worktree, worktree)
    const { folder } = worktree
    await beforeStep('fill-submodules', worktree)
    await fillSubmodules(deps.git, { ...repository, folder })
    await beforeStep('bring-along', worktree)
    await bringAlong(deps.git, { top: repository.top, folder, names: wish.brought })
    await beforeStep('run-setup', worktree)
    const { setupCommand: command } = wish
    const setup = command === null ? null : await deps.runSetup({ folder: join(folder, worktree.prefix), command })
    await beforeStep('note-ready', worktree)
    return await book.put({ ...worktree, setup, state: 'ready', createdAt: clock.now() })
  } catch (error) {
    await undoMaking(deps, worktree)
    const freeBytes = await freeBytesAt(deps.root)
    throw asRefusal(error, { top: repository.top, root: deps.root, freeBytes })
  }
}

/** Takes away what there is of a worktree that was not made to its end. */
export async function undoMaking(deps: WorktreeDeps, worktree: Worktree): Promise<void> {
  await takeAway(deps, { ...worktree, keepsBranch: false, head: null })
  await removeMarks(deps, worktree)
  await deps.book.remove(worktree.id)
}

/** Where it begins, with the commit that was made of what is not committed there; null for none. */
interface Beginning extends Repository {
  readonly carried: string | null
}

function newWorktree({ root, machine, clock }: MakingDeps, wish: WorktreeWish, beginning: Beginning): Worktree {
  const id = `hf-${randomUUID().replaceAll('-', '').slice(0, 16)}`
  const { ownerId, conversationId } = wish
  const { commonDir, top, prefix, branch: baseBranch, head, carried } = beginning
  return {
    id,
    ownerId,
    conversationId,
    machine,
    commonDir,
    top,
    prefix,
    baseBranch,
    baseCommit: carried ?? head,
    ...(carried === null ? {} : { isCarried: true }),
    folder: join(root, id),
    branch: `holdfast/${slugOf(wish.title)}-${id.slice(3, 9)}`,
    state: 'making',
    setup: null,
    head: null,
    snapshot: null,
    keepsBranch: false,
    removedBy: null,
    finished: [],
    createdAt: clock.now(),
  }
}

/** A part of a name of a branch: letters and digits that every disk and every forge takes. */
function slugOf(title: string): string {
  const plain = title.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const slug = plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-|-$/g, '')
  return slug === '' ? 'work' : slug
}

async function freeBytesAt(root: string): Promise<number> {
  const { bavail, bsize } = await statfs(root)
  return bavail * bsize
}

interface Refused {
  readonly top: string
  readonly root: string
  readonly freeBytes: number
}

function asRefusal(error: unknown, { top, root, freeBytes }: Refused): unknown {
  if (error instanceof Error && 'code' in error && 'syscall' in error)
    return new WorktreeRefusal('system', `No worktree of ${top} was made: ${error.message}. Nothing of it is left.`, {
      cause: error,
    })
  // Git takes back what it wrote, and does not say that a disk is full.
  if (error instanceof WorktreeRefusal && /unable to (?:write|create)|no space/i.test(error.message))
    return new WorktreeRefusal(
      'system',
      `${error.message}. The disk of ${root} has ${freeBytes} bytes of space; nothing of the worktree is left.`,
      { cause: error },
    )
  return error
}
