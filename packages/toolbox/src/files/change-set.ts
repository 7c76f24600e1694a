import type { BlobReference } from '@holdfast/conversation'
import { createTwoFilesPatch } from 'diff'
import { changeFile } from '../workspace/change-file.ts'
import type { FileBytes } from '../workspace/file-bytes.ts'
import type { ChangingCall, FileChange, FileChangePorts } from '../workspace/file-change.ts'
import { FileRefusal } from '../workspace/file-refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { readText } from './text-file.ts'

/** Reads a blob whole. @throws when it is not there: then nothing can be shown or restored. */
export type ReadBlob = (blob: BlobReference) => Promise<Uint8Array>

/** What changes do to one file, all in all. */
export interface NetChange {
  readonly path: string
  /** Null for no file. */
  readonly before: BlobReference | null
  readonly after: BlobReference | null
}

/** What a list of changes, oldest first, does all in all, by file; what ended as it began is left out. */
export function netChanges(changes: readonly FileChange[]): readonly NetChange[] {
  const net = new Map<string, NetChange>()
  for (const { path, before, after } of changes) {
    const first = net.get(path)
    net.set(path, { path, before: first ? first.before : (before ?? null), after: after ?? null })
  }
  return [...net.values()].filter(({ before, after }) => before?.hash !== after?.hash)
}

/** Edits after which two texts count as wholly different, so that a diff takes bounded time. */
const MOST_EDITS = 5_000

/** A unified diff of a set of changes. Files that are no text are named with their sizes. */
export async function diffChanges(changes: readonly FileChange[], readBlob: ReadBlob): Promise<string> {
  const parts: string[] = []
  for (const change of netChanges(changes)) parts.push(await diffOf(change, readBlob))
  return parts.join('\n')
}

async function diffOf({ path, before, after }: NetChange, readBlob: ReadBlob): Promise<string> {
  const [old, next] = [await textOf(before, readBlob), await textOf(after, readBlob)]
  const names = [before ? `a/${path}` : '/dev/null', after ? `b/${path}` : '/dev/null'] as const
  const sizes = `${before?.sizeBytes ?? 0} bytes before, ${after?.sizeBytes ?? 0} bytes after`
  if (old === null || next === null) return `--- ${names[0]}\n+++ ${names[1]}\nNot text: ${sizes}.\n`
  const patch = createTwoFilesPatch(...names, old, next, undefined, undefined, {
    maxEditLength: MOST_EDITS,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  })
  return patch ?? `--- ${names[0]}\n+++ ${names[1]}\nToo different for a diff: ${sizes}.\n`
}

/** Null when it is no text. */
async function textOf(blob: BlobReference | null, readBlob: ReadBlob): Promise<string | null> {
  return blob === null ? '' : (readText(await readBlob(blob))?.text ?? null)
}

/** What a restoration did. */
export interface Restored {
  /** Paths that are again as they were before the changes. */
  readonly restored: readonly string[]
  /** Paths that were left alone because something else changed them since, with the reason. */
  readonly conflicts: readonly { readonly path: string; readonly reason: string }[]
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
  for (const { path, before, after } of netChanges(changes)) {
    const decide = async (current: FileBytes | null) => {
      if ((current?.hash ?? null) !== (after?.hash ?? null)) {
        const message = `${path} is not what these changes left; something else changed it since.`
        throw new FileRefusal({ code: 'conflict', path, message })
      }
      return before === null ? null : readBlob(before)
    }
    try {
      await changeFile(workspace, { path, decide }, { ports, call })
      restored.push(path)
    } catch (error) {
      if (!(error instanceof FileRefusal)) throw error
      conflicts.push({ path, reason: error.message })
    }
  }
  return { restored, conflicts }
}
