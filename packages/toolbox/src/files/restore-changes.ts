import type { FileChange } from '@holdfast/tool'
import { FileRefusal } from '../workspace/file-refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { diffOf, isSameStood, type NetChange, netChanges, type ReadBlob } from './change-set.ts'
import { refuseConflict } from './restore-conflict.ts'
import { inRestoreOrder } from './restore-order.ts'
import { type RestorePorts, restorePlace, standingNow, stoodOf } from './restore-place.ts'

/** What a restoration would do in one place. */
export interface PlannedFile {
  readonly path: string
  /** Absent for a file. */
  readonly entity?: 'folder' | 'link'
  /** `nothing` for what is as it was before the changes already, and for a conflict. */
  readonly act: 'create' | 'change' | 'delete' | 'nothing'
  /** A unified diff from what the changes left to what stood there before them. */
  readonly diff: string
  /** Why it is left alone; null where nothing stands against it. */
  readonly conflict: string | null
  /** Present where no tool told the change: it was seen around a call, and comes back only where that is asked for too. [TOOL15] */
  readonly seenOnly?: true
}

/** What a restoration did. */
export interface Restored {
  /** Paths that are again as they were before the changes. */
  readonly restored: readonly string[]
  /** Paths that were left alone because something else changed them since, with the reason. */
  readonly conflicts: readonly { readonly path: string; readonly reason: string }[]
}

/** Characters of the diff of one file, and of all diffs together. */
const DIFF_CHARS = 100_000
const ALL_DIFF_CHARS = 2_000_000
/** The rights without which nobody can put anything into a folder. */
const FILLABLE = 0o300

/** Says what restoring these changes, oldest first, would do, and does nothing. [WS1] */
export async function planRestore(
  workspace: Workspace,
  changes: readonly FileChange[],
  { readBlob, signal }: { readonly readBlob: ReadBlob; readonly signal: AbortSignal },
): Promise<readonly PlannedFile[]> {
  const planned: PlannedFile[] = []
  let leftChars = ALL_DIFF_CHARS
  for (const change of inRestoreOrder(netChanges(changes))) {
    signal.throwIfAborted()
    const { path, before, after, seen } = change
    const shown = leftChars <= 0 ? null : await diffOrRefusal(change, readBlob)
    const { conflict, isDone } = await conflictNow(workspace, change)
    const why = conflict ?? (shown instanceof FileRefusal ? shown.message : null)
    const act = why !== null || isDone ? 'nothing' : before === null ? 'delete' : after === null ? 'create' : 'change'
    const diff = shown instanceof FileRefusal ? '' : bounded(shown, path)
    leftChars -= diff.length
    const { entity } = before ?? after ?? { entity: 'file' }
    planned.push({
      path,
      act,
      diff,
      conflict: why,
      ...(entity === 'file' ? {} : { entity }),
      ...(seen === undefined ? {} : { seenOnly: true as const }),
    })
  }
  return planned
}

/**
 * Brings back what stood in the folder before the changes, oldest first in the list. What is not as the changes left
 * it is not touched. What is restored is reported as a change like any other, so it can be undone too. [WS1]
 */
export async function restoreChanges(
  workspace: Workspace,
  changes: readonly FileChange[],
  restoring: RestorePorts,
): Promise<Restored> {
  const restored: string[] = []
  const conflicts: { readonly path: string; readonly reason: string }[] = []
  const net = inRestoreOrder(netChanges(changes))
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

async function conflictNow(
  workspace: Workspace,
  change: NetChange,
): Promise<{ readonly conflict: string | null; readonly isDone: boolean }> {
  try {
    const now = stoodOf(await standingNow(workspace, change.path))
    refuseConflict(change, now, 'restore')
    return { conflict: null, isDone: isSameStood(now, change.before) }
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error
    return { conflict: error.message, isDone: false }
  }
}

/** A diff of what restoring does, or why a body cannot be read any more. */
async function diffOrRefusal(
  { path, before, after, lost }: NetChange,
  readBlob: ReadBlob,
): Promise<string | FileRefusal> {
  if (lost !== null) return ''
  try {
    return await diffOf({ path, before: after, after: before }, readBlob)
  } catch (error) {
    if (error instanceof FileRefusal) return error
    throw error
  }
}

function bounded(diff: string | null, path: string): string {
  if (diff === null) return `--- a/${path}\n+++ b/${path}\n Not shown: there are too many changes to show all.\n`
  return diff.length <= DIFF_CHARS
    ? diff
    : `${diff.slice(0, DIFF_CHARS)}\n[… ${diff.length - DIFF_CHARS} more characters]\n`
}
