import { join } from 'node:path'
import { type Clock, createKeyedTurns, type Records } from '@holdfast/conversation'
import type { CommitRoom } from '@holdfast/toolbox'
import { createWorktreeBook, type Worktree } from './book.ts'
import { createCommitRoom } from './commit-room.ts'
import { isThere } from './entry-of.ts'
import { type FinishDeps, type Finished, type FinishHow, finishWorktree } from './finish-worktree.ts'
import { createGauge, type WorktreeBounds, type WorktreeStanding } from './gauge.ts'
import type { Git } from './git.ts'
import { type MakingDeps, makeWorktree, undoMaking, type WorktreeWish } from './make-worktree.ts'
import { endRemoving, removeWorktree, restoreWorktree, undoRestoring } from './remove-worktree.ts'
import { findRepository } from './repository.ts'
import { clearRoom } from './room-folder.ts'
import { createSnapshotShelf } from './snapshot-shelf.ts'
import { removeMarks } from './steps.ts'
import { type WorkDone, workDone } from './work-done.ts'
import { WorktreeRefusal } from './worktree-refusal.ts'

/** The worktrees that were made here. Those of anybody else are never touched. [WS8] */
export interface Worktrees {
  /**
   * Where the files of a conversation are: the folder in its worktree that the workspace is in the repository; null
   * where it has none. Known without waiting.
   */
  folderOf(conversationId: string): string | null
  /** The worktree of a conversation, or null. */
  of(conversationId: string): Worktree | null
  /** Makes the worktree of a conversation, or gives the one that it has. @throws {WorktreeRefusal} */
  make(wish: WorktreeWish): Promise<Worktree>
  /** Why no worktree can be made of a folder whatever is done here; null where one can, or is refused for now. [AGENT58] */
  whyNone(folder: string): Promise<string | null>
  /** What was done in one since it began; committed to its branch where a message for that is given. @throws {WorktreeRefusal} */
  workDone(id: string, message: string | null): Promise<WorkDone>
  /** Where commands in one commit; null where there is none. */
  commitRoomOf(id: string): CommitRoom | null
  /** One, or null. */
  find(id: string): Worktree | null
  /** The one whose top is or was this folder, or null. */
  at(folder: string): Worktree | null
  /** All, with how they stand now; those of one owner where one is given. The newest first. */
  list(of: {
    readonly ownerId: string | null
    readonly conversationId: string | null
  }): Promise<readonly WorktreeStanding[]>
  /** Removes one, after a snapshot of what is not committed. @throws {WorktreeRefusal} */
  remove(id: string): Promise<Worktree>
  /** Brings a removed one back. @throws {WorktreeRefusal} */
  restore(id: string): Promise<Worktree>
  /** Forgets a removed one for good, with its snapshot. @throws {WorktreeRefusal} where it is still there. */
  forget(id: string): Promise<void>
  /** Ends the work in the worktree of a conversation; the same command again is answered the same. @throws {WorktreeRefusal} */
  finish(asked: FinishAsked): Promise<Finished>
}

/** What a conversation's worktree is finished with. */
export interface FinishAsked {
  readonly conversationId: string
  readonly commandId: string
  readonly how: FinishHow
  /** The message of what is committed. */
  readonly title: string
}

/** What they are made with. */
export interface WorktreesDeps extends Pick<MakingDeps, 'runSetup' | 'beforeStep'>, Pick<FinishDeps, 'gh'> {
  readonly records: Records
  readonly clock: Clock
  /** Null where git is not installed. */
  readonly git: Git | null
  /** Where worktrees lie: a folder of the server that nothing else is in. */
  readonly root: string
  /** Names the disk: servers that share a store have each their own worktrees. */
  readonly machine: string
  readonly bounds: () => WorktreeBounds
}

/** Reads what there is, and ends or undoes what a crash has left in the middle. [WS8] */
export async function openWorktrees(deps: WorktreesDeps): Promise<Worktrees> {
  const { records, clock, machine } = deps
  const book = createWorktreeBook({ records, clock, machine })
  const shelf = createSnapshotShelf({ records, clock })
  const inTurn = createKeyedTurns()
  const known = new Map<string, Worktree>()
  const gauge = createGauge(deps.git)
  const rooms = new Map<string, CommitRoom>()
  let beingMade = 0

  const work = (git: Git) => ({ ...deps, git, book, shelf, mostSnapshotBytes: () => deps.bounds().mostSnapshotBytes })

  function gitOr(): Git {
    if (deps.git) return deps.git
    throw new WorktreeRefusal(
      'no-git',
      'git is not installed on the server, and worktrees are made by it. Install it, then start Holdfast again.',
    )
  }

  function knownOr(id: string): Worktree {
    const found = known.get(id)
    if (found) return found
    throw new WorktreeRefusal('unknown', `There is no worktree ${id}; GET /worktrees lists them.`)
  }

  function noted(worktree: Worktree): Worktree {
    known.set(worktree.id, worktree)
    return worktree
  }

  /** What became of one in an act that failed is what is written down of it. */
  async function reread(id: string): Promise<void> {
    const found = await book.find(id)
    if (found) known.set(id, found)
    else known.delete(id)
  }

  async function changing<Value>(worktree: Worktree, act: () => Promise<Value>): Promise<Value> {
    return inTurn(worktree.commonDir, async () => {
      try {
        return await act()
      } finally {
        await reread(worktree.id)
      }
    })
  }

  function standing(): readonly Worktree[] {
    return [...known.values()].filter(({ state }) => state !== 'removed')
  }

  function of(conversationId: string): Worktree | null {
    return standing().find((one) => one.conversationId === conversationId && one.state === 'ready') ?? null
  }

  function commitRoomOf(id: string): CommitRoom | null {
    const worktree = known.get(id)
    if (worktree === undefined || deps.git === null) return null
    const room = rooms.get(id) ?? createCommitRoom(deps.git, worktree)
    rooms.set(id, room)
    return room
  }

  function tooMany(): string | null {
    return gauge.tooMany(standing(), { bounds: deps.bounds(), beingMade })
  }

  /** What is refused because there are too many names those that nobody would miss. [WS41] */
  async function refusal(why: string, ownerId: string): Promise<WorktreeRefusal> {
    const spent: string[] = []
    for (const worktree of standing()) {
      if (worktree.ownerId !== ownerId || worktree.state !== 'ready') continue
      const { now } = await gauge.standingOf(worktree)
      if (now?.hasOwnWork === false) spent.push(worktree.branch)
    }
    return new WorktreeRefusal('too-many', `${why} ${remedyFor(spent)}`)
  }

  async function recover(): Promise<void> {
    for (const worktree of await book.all()) {
      known.set(worktree.id, worktree)
      if (deps.git === null) continue
      const { id, state } = worktree
      if (state === 'ready') await clearRoom(worktree)
      if (state === 'making') await undoMaking(work(deps.git), worktree)
      if (state === 'removing') await endRemoving(work(deps.git), worktree)
      if (state === 'restoring') await undoRestoring(work(deps.git), worktree)
      await reread(id)
    }
  }

  await recover()
  return {
    of,
    folderOf(conversationId) {
      const worktree = of(conversationId)
      return worktree && join(worktree.folder, worktree.prefix)
    },
    make: (wish) =>
      inTurn(wish.conversationId, async () => {
        const there = of(wish.conversationId)
        if (there) return there
        const git = gitOr()
        await gauge.measured()
        const why = tooMany()
        if (why !== null) throw await refusal(why, wish.ownerId)
        beingMade += 1
        try {
          const worktree = noted(await makeWorktree(work(git), wish))
          gauge.begin(worktree)
          return worktree
        } finally {
          beingMade -= 1
        }
      }),
    async whyNone(folder) {
      try {
        await findRepository(gitOr(), folder)
        return null
      } catch (error) {
        if (error instanceof WorktreeRefusal && NOTHING_TO_BEGIN_AT.has(error.code)) return error.message
        if (error instanceof WorktreeRefusal) return null
        throw error
      }
    },
    workDone: (id, message) => changing(knownOr(id), () => workDone(gitOr(), knownOr(id), message)),
    commitRoomOf,
    find: (id) => known.get(id) ?? null,
    at: (folder) => [...known.values()].find((one) => one.folder === folder) ?? null,
    async list({ ownerId, conversationId }) {
      const wanted = [...known.values()].filter(
        (one) =>
          (ownerId === null || one.ownerId === ownerId) &&
          (conversationId === null || one.conversationId === conversationId),
      )
      const found: WorktreeStanding[] = []
      for (const worktree of wanted.reverse()) found.push(await gauge.standingOf(worktree))
      return found
    },
    async remove(id) {
      const worktree = knownOr(id)
      return changing(worktree, async () => {
        const now = knownOr(id)
        if (now.state !== 'ready') throw notReady(now)
        return removeWorktree(work(gitOr()), now, { removedBy: 'removed', keepsBranch: await hasCommits(gitOr(), now) })
      })
    },
    async restore(id) {
      const worktree = knownOr(id)
      return changing(worktree, async () => {
        const now = knownOr(id)
        if (now.state !== 'removed')
          throw new WorktreeRefusal('busy', `The worktree ${id} is there; there is nothing to restore.`)
        if (of(now.conversationId))
          throw new WorktreeRefusal(
            'busy',
            `The conversation of the worktree ${id} has another one now; remove that first.`,
          )
        await gauge.measured()
        const why = tooMany()
        if (why !== null) throw await refusal(why, now.ownerId)
        return restoreWorktree(work(gitOr()), now)
      })
    },
    async forget(id) {
      const worktree = knownOr(id)
      await changing(worktree, async () => {
        if (knownOr(id).state !== 'removed')
          throw new WorktreeRefusal('busy', `The worktree ${id} is still there; remove it first.`)
        await removeMarks(work(gitOr()), worktree)
        await shelf.forget(id)
        await book.remove(id)
      })
    },
    async finish(asked) {
      const { conversationId } = asked
      const before = answeredBefore([...known.values()], asked)
      if (before) return before
      const worktree = of(conversationId)
      if (!worktree)
        throw new WorktreeRefusal(
          'unknown',
          'The conversation has no worktree, so there is nothing to finish: what it did is in the workspace.',
        )
      return changing(worktree, async () => {
        // Who came first may have finished it meanwhile.
        const now = knownOr(worktree.id)
        const same = answeredBefore([now], asked)
        if (same) return same
        if (now.state !== 'ready') throw notReady(now)
        return finishNow(work(gitOr()), now, asked)
      })
    },
  }
}

/** What to do where there are too many; of those without work of their own three are named. */
function remedyFor(spent: readonly string[]): string {
  const more = 'Finish or remove some (Settings, Workspaces; or: holdfast worktrees list), or raise the setting.'
  if (spent.length === 0) return more
  const rest = spent.length > 3 ? ` and ${spent.length - 3} more` : ''
  return `${spent.length} hold nothing of their own (${spent.slice(0, 3).join(', ')}${rest}): remove them in Settings, Workspaces, or with: holdfast worktrees clear. Or raise the setting.`
}

/** There is no commit of a repository that a worktree could begin at. */
const NOTHING_TO_BEGIN_AT: ReadonlySet<WorktreeRefusal['code']> = new Set([
  'no-git',
  'no-repository',
  'no-commits',
  'bare',
])

/** What the same command was answered. */
function answeredBefore(
  all: readonly Worktree[],
  { conversationId, commandId }: Pick<FinishAsked, 'conversationId' | 'commandId'>,
): Finished | null {
  const done = all.flatMap((one) => (one.conversationId === conversationId ? one.finished : []))
  const same = done.find((one) => one.commandId === commandId)
  return same === undefined ? null : JSON.parse(same.answer)
}

async function finishNow(
  deps: FinishDeps,
  worktree: Worktree,
  { commandId, how, title }: FinishAsked,
): Promise<Finished> {
  const finished = await finishWorktree(deps, worktree, { how, title })
  const now = await deps.book.find(worktree.id)
  if (now)
    await deps.book.put({ ...now, finished: [...now.finished, { commandId, how, answer: JSON.stringify(finished) }] })
  return finished
}

function notReady({ id, state }: Worktree): WorktreeRefusal {
  return state === 'removed'
    ? new WorktreeRefusal('gone', `The worktree ${id} is removed already.`)
    : new WorktreeRefusal('busy', `The worktree ${id} is being changed; try again in a moment.`)
}

/** Whether something was committed in it that nothing else has. */
async function hasCommits(git: Git, { folder, commonDir, baseCommit, branch }: Worktree): Promise<boolean> {
  const at = (await isThere(folder)) ? folder : commonDir
  const counted = await git.run({ folder: at, args: ['rev-list', '--count', `${baseCommit}..refs/heads/${branch}`] })
  return counted.exitCode === 0 && counted.stdout.trim() !== '0'
}
