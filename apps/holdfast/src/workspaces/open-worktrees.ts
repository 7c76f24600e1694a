import { join } from 'node:path'
import type { Records, Settings } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import type { WorktreeRow } from '@holdfast/protocol'
import { RefusedError, type WorkspaceDirectory, type WorktreeDirectory } from '@holdfast/server'
import { findProgram } from '@holdfast/toolbox'
import {
  baseChanges,
  createGit,
  type Git,
  type HandedWorktrees,
  openWorktrees as openRoom,
  type ReadBase,
  type Roots,
  type Worktree,
  WorktreeRefusal,
  type WorktreeStanding,
  type Worktrees,
} from '@holdfast/workbench'
import type { Config } from '../config.ts'
import { machineOf } from '../machine-of.ts'
import { nearestReal } from '../places-apart.ts'
import { commandsOf } from '../tools/find-shell.ts'

/** Ignored files and folders that come along into a worktree: a project does not run without them. */
const BROUGHT = ['.env', '.env.local', '.envrc', 'node_modules', '.venv'] as const

const MOST_SNAPSHOT_BYTES = 500_000_000

/** What worktrees are opened with. */
export interface WorktreePorts {
  readonly records: Records
  readonly settings: () => Settings
  readonly rootOf: WorkspaceDirectory['rootOf']
}

/** The worktrees of this machine, as the server and the tools of agents see them. */
export interface OpenedWorktrees {
  readonly directory: WorktreeDirectory
  readonly worktreeOf: Roots['worktreeOf']
  readonly readBase: ReadBase
  /** Null where git is not there. */
  readonly git: Git | null
  /** Those of sub-agents that are programs. */
  readonly handedWorktrees: HandedWorktrees
}

/** Reads which worktrees there are, and ends or undoes what a crash has left in the middle. [WS8] */
export async function openWorktrees(
  config: Config,
  { records, settings, rootOf }: WorktreePorts,
): Promise<OpenedWorktrees> {
  const searchPath = config.environment['PATH'] ?? ''
  const [program, gh] = [await findProgram('git', searchPath), await findProgram('gh', searchPath)]
  const { register } = commandsOf(config)
  const signal = new AbortController().signal
  const git =
    program === null
      ? null
      : createGit({ program, environment: config.environment, register, clock: systemClock, signal })
  const worktrees = await openRoom({
    records,
    clock: systemClock,
    git,
    gh,
    root: nearestReal(config.worktreesDir),
    machine: machineOf(config),
    bounds: () => {
      const { mostWorktrees, worktreeBytes } = settings()
      return { mostWorktrees, mostWorktreeBytes: worktreeBytes, mostSnapshotBytes: MOST_SNAPSHOT_BYTES }
    },
    // No command is given below, so that none is run.
    runSetup: async ({ command }) => ({ command, exitCode: null, output: '', durationMs: 0 }),
    beforeStep: async () => {},
  })
  return {
    directory: directoryOf(worktrees, rootOf),
    worktreeOf: placeIn(worktrees),
    git,
    readBase: baseIn(worktrees, git),
    handedWorktrees: {
      whyNone: worktrees.whyNone,
      make: (wish) => worktrees.make({ ...wish, brought: BROUGHT, setupCommand: null, carries: true }),
      workDone: worktrees.workDone,
      remove: async (id) => void (await worktrees.remove(id)),
    },
  }
}

/** One of somebody else, of another repository or of none is nobody's place. */
function placeIn(worktrees: Worktrees): Roots['worktreeOf'] {
  return ({ worktreeId, root, userId }) => {
    const found = worktrees.find(worktreeId)
    if (found === null || found.state !== 'ready' || found.ownerId !== userId) return null
    if (!beganAt(worktrees, found, root)) return null
    const commitRoom = worktrees.commitRoomOf(worktreeId)
    return commitRoom && { folder: join(found.folder, found.prefix), repository: found.commonDir, commitRoom }
  }
}

/** Whether it was made of a folder, or of a worktree of the same person that was: that of a sub-agent begins in its caller's. */
function beganAt(worktrees: Worktrees, { top, prefix, ownerId }: Worktree, root: string): boolean {
  if (root === join(top, prefix)) return true
  const caller = worktrees.at(top)
  return caller !== null && caller.ownerId === ownerId && caller.prefix === prefix && beganAt(worktrees, caller, root)
}

/** What a worktree is compared with is the commit at which its branch left the one that it began at. [WS9] */
function baseIn(worktrees: Worktrees, git: Git | null): ReadBase {
  return async ({ ownerId, settings: { worktreeId } }, looking) => {
    const found = worktreeId === undefined ? null : worktrees.find(worktreeId)
    if (git === null || found === null || found.state !== 'ready' || found.ownerId !== ownerId) return null
    return refusing(() => baseChanges(git, found, looking))
  }
}

function directoryOf(worktrees: Worktrees, rootOf: WorktreePorts['rootOf']): WorktreeDirectory {
  return {
    list: async (of) => (await worktrees.list(of)).map(rowOf),
    find(worktreeId, ownerId) {
      const found = worktrees.find(worktreeId)
      return found === null || (ownerId !== null && found.ownerId !== ownerId) ? null : unmeasured(found)
    },
    make: ({ conversationId, ownerId, workspaceId, title }) =>
      refusing(async () => {
        const folder = rootOf({ workspaceId, userId: ownerId })
        if (folder === null)
          throw new WorktreeRefusal('no-repository', 'The conversation has no workspace; choose one first.')
        const wish = { conversationId, ownerId, folder, title, brought: BROUGHT, setupCommand: null, carries: false }
        return unmeasured(await worktrees.make(wish))
      }),
    finish: (asked) => refusing(() => worktrees.finish(asked)),
    restore: (id) => refusing(async () => unmeasured(await worktrees.restore(id))),
    remove: (id) => refusing(async () => unmeasured(await worktrees.remove(id))),
  }
}

/** A refusal of the worktrees as one of a request. */
async function refusing<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof WorktreeRefusal)) throw error
    if (error.code === 'unknown') throw new RefusedError(404, 'unknown-worktree', error.message)
    throw new RefusedError(409, 'worktree-refused', error.message)
  }
}

function unmeasured(worktree: Worktree): WorktreeRow {
  return rowOf({ worktree, now: null, problem: null })
}

function rowOf({ worktree, now, problem }: WorktreeStanding): WorktreeRow {
  const { id, conversationId, top, folder, branch, baseBranch, isCarried, state, removedBy, snapshot, createdAt } =
    worktree
  return {
    id,
    conversationId,
    repository: top,
    folder,
    branch,
    baseBranch,
    isCarried: isCarried === true,
    state: state === 'ready' || state === 'removed' ? state : 'busy',
    removedBy,
    hasSnapshot: snapshot !== null,
    now,
    problem,
    createdAt,
  }
}
