import { FileRefusal } from '../workspace/file-refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { isSameStood, type NetChange } from './change-set.ts'
import { inRestoreOrder } from './restore-order.ts'
import { type RestorePorts, restorePlace } from './restore-place.ts'

/** What a restoration did. */
export interface Restored {
  /** Paths that are again as they were before the changes. */
  readonly restored: readonly string[]
  /** Paths that were left alone because something else changed them since, with the reason. */
  readonly conflicts: readonly { readonly path: string; readonly reason: string }[]
}

/** The rights without which nobody can put anything into a folder. */
const FILLABLE = 0o300

/**
 * Brings back what stood in the folder before changes that are told by place. What is not as the changes left
 * it is not touched. What is restored is reported as a change like any other, so it can be undone too. [WS1]
 */
export async function restoreChanges(
  workspace: Workspace,
  changes: readonly NetChange[],
  restoring: RestorePorts,
): Promise<Restored> {
  const restored: string[] = []
  const conflicts: { readonly path: string; readonly reason: string }[] = []
  const net = inRestoreOrder(changes)
  for (const change of [...net.map(fillable), ...net.flatMap(rightsAfterwards).toReversed()]) {
    const { path } = change
    try {
      await restorePlace(workspace, change, restoring)
      if (!restored.includes(path)) restored.push(path)
    } catch (error) {
      // What was done before the signal is done, and has to be told.
      if (!(error instanceof FileRefusal) && !restoring.call.signal.aborted) throw error
      const reason = error instanceof FileRefusal ? error.message : `${path} was not reached in time; restore again.`
      conflicts.push({ path, reason })
    }
  }
  return { restored, conflicts }
}

/** A folder that nobody can write in comes back so that it can be filled first. */
function fillable(change: NetChange): NetChange {
  const { before, after } = change
  if (before?.entity !== 'folder' || before.mode === null || after?.entity === 'folder') return change
  return { ...change, before: { ...before, mode: before.mode | FILLABLE } }
}

function rightsAfterwards(change: NetChange): readonly NetChange[] {
  const after = fillable(change).before
  return isSameStood(after, change.before) ? [] : [{ ...change, after }]
}
