import { CHANGEABLE_BYTES, changeFile } from '../workspace/change-file.ts'
import { readBytes } from '../workspace/file-bytes.ts'
import type { ChangingCall, FileChange, FileChangePorts } from '../workspace/file-change.ts'
import { FileRefusal } from '../workspace/file-refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { diffOf, type NetChange, netChanges, type ReadBlob } from './change-set.ts'

/** What a restoration would do to one file. */
export interface PlannedFile {
  readonly path: string
  /** `nothing` for a file that is as it was before the changes already, and for a conflict. */
  readonly act: 'create' | 'change' | 'delete' | 'nothing'
  /** A unified diff from what the changes left to what stood there before them. */
  readonly diff: string
  /** Why it is left alone; null where nothing stands against it. */
  readonly conflict: string | null
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

/** Says what restoring these changes, oldest first, would do, and does nothing. [WS1] */
export async function planRestore(
  workspace: Workspace,
  changes: readonly FileChange[],
  { readBlob, signal }: { readonly readBlob: ReadBlob; readonly signal: AbortSignal },
): Promise<readonly PlannedFile[]> {
  const planned: PlannedFile[] = []
  let leftChars = ALL_DIFF_CHARS
  for (const change of inOrder(changes)) {
    signal.throwIfAborted()
    const { path, before, after } = change
    const shown = leftChars <= 0 ? '' : await diffOrRefusal({ path, before: after, after: before }, readBlob)
    const conflict = shown instanceof FileRefusal ? shown.message : await conflictNow(workspace, change)
    const isDone = conflict === null && (await hashNow(workspace, path)) === (before?.hash ?? null)
    const isLeft = conflict !== null || isDone
    const act = isLeft ? 'nothing' : before === null ? 'delete' : after === null ? 'create' : 'change'
    const diff = shown instanceof FileRefusal ? '' : shown
    leftChars -= diff.length
    planned.push({ path, act, diff: shown instanceof FileRefusal ? '' : bounded(diff, path), conflict })
  }
  return planned
}

/**
 * Brings files back to what they were before the changes, oldest first in the list. A file that is not what the
 * changes left is not touched. What is restored is reported as a change like any other, so it can be undone too.
 * [WS1]
 */
export async function restoreChanges(
  workspace: Workspace,
  changes: readonly FileChange[],
  {
    readBlob,
    ports,
    call,
  }: { readonly readBlob: ReadBlob; readonly ports: FileChangePorts; readonly call: ChangingCall },
): Promise<Restored> {
  const restored: string[] = []
  const conflicts: { readonly path: string; readonly reason: string }[] = []
  for (const change of inOrder(changes)) {
    const { path, before } = change
    try {
      await changeFile(
        workspace,
        {
          path,
          decide: async (current) => {
            refuseConflict(change, current?.hash ?? null)
            // What stands there already is not read: it may be gone by now.
            if (before === null || current?.hash === before.hash)
              return before === null ? null : (current?.bytes ?? null)
            return readBlob(before)
          },
        },
        { ports, call },
      )
      restored.push(path)
    } catch (error) {
      // What was done before the signal is done, and has to be told.
      if (!(error instanceof FileRefusal) && !call.signal.aborted) throw error
      const reason = error instanceof FileRefusal ? error.message : `${path} was not reached in time; restore again.`
      conflicts.push({ path, reason })
    }
  }
  return { restored, conflicts }
}

/** What is to go goes first: it may stand where a folder of what comes back stood. */
function inOrder(changes: readonly FileChange[]): readonly NetChange[] {
  const net = netChanges(changes)
  return [...net.filter(({ before }) => before === null), ...net.filter(({ before }) => before !== null)]
}

/** A diff, or why a body cannot be read any more. */
async function diffOrRefusal(change: Parameters<typeof diffOf>[0], readBlob: ReadBlob): Promise<string | FileRefusal> {
  try {
    return await diffOf(change, readBlob)
  } catch (error) {
    if (error instanceof FileRefusal) return error
    throw error
  }
}

async function conflictNow(workspace: Workspace, change: NetChange): Promise<string | null> {
  try {
    refuseConflict(change, await hashNow(workspace, change.path))
    return null
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error
    return error.message
  }
}

/** @throws {FileRefusal} when restoring would overwrite what something else did. */
function refuseConflict({ path, before, after, isInterrupted, isLost }: NetChange, hash: string | null): void {
  const refuse = (message: string) => new FileRefusal({ code: 'conflict', path, message })
  if (isLost) throw refuse(`What stood in ${path} is not kept here, so it cannot be brought back.`)
  if (hash === (before?.hash ?? null)) return
  if (hash !== (after?.hash ?? null))
    throw refuse(`${path} is not what these changes left; something else changed it since.`)
  if (isInterrupted)
    throw refuse(`${path} was also changed by something else between these changes, which restoring would undo.`)
}

/** Null for no file, also where a file stands in place of its folder. @throws {FileRefusal} when something else than a file stands there. */
async function hashNow(workspace: Workspace, path: string): Promise<string | null> {
  try {
    return (await readBytes(workspace, { path, limitBytes: CHANGEABLE_BYTES })).hash
  } catch (error) {
    if (error instanceof FileRefusal && ['not-found', 'not-a-folder'].includes(error.code)) return null
    throw error
  }
}

function bounded(diff: string, path: string): string {
  if (diff === '') return `--- a/${path}\n+++ b/${path}\nNot shown: there are too many changes to show all.\n`
  return diff.length <= DIFF_CHARS
    ? diff
    : `${diff.slice(0, DIFF_CHARS)}\n[… ${diff.length - DIFF_CHARS} more characters]\n`
}
