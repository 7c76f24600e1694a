import type { Worktree } from './book.ts'
import { isThere } from './entry-of.ts'
import { sizeOnDisk } from './folder-size.ts'
import type { Git } from './git.ts'
import { hasOwnWork } from './own-work.ts'
import { isDirty } from './uncommitted.ts'
import { WorktreeRefusal } from './worktree-refusal.ts'

/** A worktree and how it stands. */
export interface WorktreeStanding {
  readonly worktree: Worktree
  /** Null where it has no folder now. */
  readonly now: {
    readonly sizeBytes: number
    readonly isDirty: boolean
    /** Commits that its base does not have, but for what came along uncommitted, and the other way round. [WS40] */
    readonly ahead: number
    readonly behind: number
    /** Whether something in it stands nowhere else, neither in its base nor in the folder that it was made of. [WS41] */
    readonly hasOwnWork: boolean
  } | null
  /** Why it cannot be looked at; null where it can. */
  readonly problem: string | null
}

/** How many there may be, and how big. */
export interface WorktreeBounds {
  readonly mostWorktrees: number
  readonly mostWorktreeBytes: number
  readonly mostSnapshotBytes: number
}

/** How worktrees stand, and what they take. */
export interface Gauge {
  /** Begins to measure one that was made: whoever makes the next one waits for it. */
  begin(worktree: Worktree): void
  standingOf(worktree: Worktree): Promise<WorktreeStanding>
  /** Waits until all that was begun is measured. */
  measured(): Promise<void>
  /** Why one more is too many, by the sizes of the last measuring; null where it is not. */
  tooMany(
    all: readonly Worktree[],
    limits: { readonly bounds: WorktreeBounds; readonly beingMade: number },
  ): string | null
}

/** Looks at worktrees. `git`: null where it is not installed. */
export function createGauge(git: Git | null): Gauge {
  /** What each took on the disk when it was last measured. */
  const sizes = new Map<string, number>()
  /** Those that are being measured; what went wrong is told to whoever waits. */
  const begun = new Map<string, Promise<PromiseSettledResult<number>[]>>()

  async function measure({ id, folder }: Worktree): Promise<number> {
    const sizeBytes = await sizeOnDisk(folder)
    sizes.set(id, sizeBytes)
    return sizeBytes
  }

  return {
    begin(worktree) {
      begun.set(worktree.id, Promise.allSettled([measure(worktree)]))
    },
    async standingOf(worktree) {
      const { folder, baseBranch, baseCommit, isCarried, state } = worktree
      if (state === 'removed' || git === null) return { worktree, now: null, problem: null }
      if (!(await isThere(folder))) return { worktree, now: null, problem: `Its folder ${folder} is gone.` }
      try {
        const dirty = await isDirty(git, folder)
        const base = baseBranch === null ? baseCommit : `refs/heads/${baseBranch}`
        const count = async (of: string, ...without: readonly string[]): Promise<number> => {
          const range = [of, ...without.map((one) => `^${one}`)]
          const counted = await git.run({ folder, args: ['rev-list', '--count', ...range] })
          return counted.exitCode === 0 ? Number(counted.stdout.trim()) : 0
        }
        const ahead = await count('HEAD', base, ...(isCarried === true ? [baseCommit] : []))
        const behind = await count(base, 'HEAD')
        const isOwn = (ahead > 0 || dirty) && (await hasOwnWork(git, worktree, ahead === 0))
        const sizeBytes = await measure(worktree)
        return { worktree, now: { sizeBytes, isDirty: dirty, ahead, behind, hasOwnWork: isOwn }, problem: null }
      } catch (error) {
        if (!(error instanceof WorktreeRefusal)) throw error
        return { worktree, now: null, problem: error.message }
      }
    },
    async measured() {
      for (const [id, measuring] of begun) {
        const [end] = await measuring
        begun.delete(id)
        if (end?.status === 'rejected') throw end.reason
      }
    },
    tooMany(all, { bounds: { mostWorktrees, mostWorktreeBytes }, beingMade }) {
      const count = all.length + beingMade
      if (count >= mostWorktrees) return `There are ${count} worktrees, and ${mostWorktrees} may be.`
      const sizeBytes = all.reduce((sum, { id }) => sum + (sizes.get(id) ?? 0), 0)
      if (sizeBytes < mostWorktreeBytes) return null
      return `The worktrees take ${sizeBytes} bytes, and ${mostWorktreeBytes} may be taken.`
    },
  }
}
