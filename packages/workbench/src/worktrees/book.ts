import { allRecords, type Clock, type Records } from '@holdfast/conversation'
import { WORKTREE_SHELF, WORKTREES, type WorktreeRecord } from './worktree-record.ts'

/** A record with its id. */
export interface Worktree extends WorktreeRecord {
  readonly id: string
}

/** The records of worktrees of one machine. */
export interface WorktreeBook {
  /** Those of this machine, the oldest first. */
  all(): Promise<readonly Worktree[]>
  /** One of this machine, or null. */
  find(id: string): Promise<Worktree | null>
  /** Writes one down; durable when it resolves. */
  put(worktree: Worktree): Promise<Worktree>
  remove(id: string): Promise<void>
}

/** Keeps them in the records of the store. */
export function createWorktreeBook({
  records,
  clock,
  machine,
}: {
  readonly records: Records
  readonly clock: Clock
  readonly machine: string
}): WorktreeBook {
  const keyOf = (id: string) => ({ ownerId: WORKTREE_SHELF, id })
  return {
    async all() {
      const found = await allRecords(records, WORKTREES, WORKTREE_SHELF)
      return found
        .flatMap(({ id, value }) => (value.machine === machine ? [{ ...value, id }] : []))
        .sort((one, other) => one.createdAt - other.createdAt)
    },
    async find(id) {
      const found = await records.get(WORKTREES, keyOf(id))
      return found && found.value.machine === machine ? { ...found.value, id } : null
    },
    async put(worktree) {
      const { id, ...value } = worktree
      const revision = (await records.get(WORKTREES, keyOf(id)))?.revision ?? 0
      await records.put(WORKTREES, { ...keyOf(id), revision, value, at: clock.now() })
      return worktree
    },
    async remove(id) {
      const found = await records.get(WORKTREES, keyOf(id))
      if (found) await records.remove(WORKTREES, { ...keyOf(id), revision: found.revision })
    },
  }
}
