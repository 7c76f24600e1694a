import type { BlobReference } from '@holdfast/conversation'
import { createTwoFilesPatch } from 'diff'
import type { FileChange } from '../workspace/file-change.ts'
import { readText } from './text-file.ts'

/** Reads a blob whole. @throws {FileRefusal} when it is not there: then the file is left alone. */
export type ReadBlob = (blob: BlobReference) => Promise<Uint8Array>

/** What changes do to one file, all in all. */
export interface NetChange {
  readonly path: string
  /** Null for no file. */
  readonly before: BlobReference | null
  readonly after: BlobReference | null
  /** Whether one of the changes did not begin where the one before it ended: something else changed the file between. */
  readonly isInterrupted: boolean
  /** Whether what stood there before or after was not kept, as with a log that came from elsewhere without it. */
  readonly isLost: boolean
}

/** What a list of changes, oldest first, does all in all, by file; what ended as it began is left out. */
export function netChanges(changes: readonly FileChange[]): readonly NetChange[] {
  const net = new Map<string, NetChange>()
  for (const { path, kind, before, after } of changes) {
    const known = net.get(path)
    const isInterrupted = known !== undefined && (known.isInterrupted || known.after?.hash !== before?.hash)
    const isKept = (kind === 'created' || before !== undefined) && (kind === 'deleted' || after !== undefined)
    net.set(path, {
      ...{ path, isInterrupted, isLost: known?.isLost === true || !isKept },
      ...{ before: known ? known.before : (before ?? null), after: after ?? null },
    })
  }
  return [...net.values()].filter(({ before, after, isLost }) => isLost || before?.hash !== after?.hash)
}

/** Edits after which two texts count as wholly different, so that a diff takes bounded time. */
const MOST_EDITS = 5_000

/** A unified diff of a set of changes. Files that are no text are named with their sizes. */
export async function diffChanges(changes: readonly FileChange[], readBlob: ReadBlob): Promise<string> {
  const parts: string[] = []
  for (const change of netChanges(changes)) parts.push(await diffOf(change, readBlob))
  return parts.join('\n')
}

/** A unified diff of what happened to one file; of what a restoration does, with `before` and `after` exchanged. */
export async function diffOf(
  { path, before, after }: Pick<NetChange, 'path' | 'before' | 'after'>,
  readBlob: ReadBlob,
): Promise<string> {
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
