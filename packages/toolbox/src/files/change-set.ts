import type { BlobReference, NotKept } from '@holdfast/conversation'
import type { FileChange } from '@holdfast/tool'
import { createTwoFilesPatch } from 'diff'
import { readText } from './text-file.ts'

/** Reads a blob whole. @throws {FileRefusal} when it is not there: then the file is left alone. */
export type ReadBlob = (blob: BlobReference) => Promise<Uint8Array>

/** What stood in a place, as a log names it. */
export interface Stood {
  readonly entity: 'file' | 'link' | 'folder'
  /** The body of a link is where it leads; null for a folder. */
  readonly blob: BlobReference | null
  /** Null where nobody wrote it down. */
  readonly mode: number | null
}

/** What changes do to one file, link or folder, all in all. */
export interface NetChange {
  readonly path: string
  /** Null for nothing. */
  readonly before: Stood | null
  readonly after: Stood | null
  /** Whether one of the changes did not begin where the one before it ended: something else changed the file between. */
  readonly isInterrupted: boolean
  /** Why what stood there before or after cannot be had; `not-here` with a log that came from elsewhere without it. */
  readonly lost: NotKept | 'not-here' | null
  /** Present where one of the changes was told by no tool. */
  readonly seen?: 'alone' | 'with-others'
}

/** What a list of changes, oldest first, does all in all, by path; what ended as it began is left out. */
export function netChanges(changes: readonly FileChange[]): readonly NetChange[] {
  const net = new Map<string, NetChange>()
  for (const change of changes) {
    const { path, seen } = change
    const [before, after] = [stoodBefore(change), stoodAfter(change)]
    const known = net.get(path)
    const isInterrupted = known !== undefined && (known.isInterrupted || !isSameStood(known.after, before))
    const doubt = known?.seen === 'with-others' ? known.seen : (seen ?? known?.seen)
    net.set(path, {
      path,
      isInterrupted,
      before: known ? known.before : before,
      after,
      lost: known?.lost ?? lostIn(change),
      ...(doubt === undefined ? {} : { seen: doubt }),
    })
  }
  return [...net.values()].filter(({ before, after, lost }) => lost !== null || !isSameStood(before, after))
}

/** Whether two things are the same, as far as both are known. */
export function isSameStood(one: Stood | null, other: Stood | null): boolean {
  if (one === null || other === null) return one === other
  if (one.entity !== other.entity || one.blob?.hash !== other.blob?.hash) return false
  return one.mode === null || other.mode === null || one.mode === other.mode
}

function stoodBefore({ kind, entity, before, modeBefore }: FileChange): Stood | null {
  return kind === 'created' ? null : { entity: entity ?? 'file', blob: before ?? null, mode: modeBefore ?? null }
}

function stoodAfter({ kind, entity, after, modeAfter }: FileChange): Stood | null {
  return kind === 'deleted' ? null : { entity: entity ?? 'file', blob: after ?? null, mode: modeAfter ?? null }
}

function lostIn({ kind, entity, before, after, notKept }: FileChange): NetChange['lost'] {
  if (notKept !== undefined) return notKept
  if (entity === 'folder') return null
  return (kind === 'created' || before !== undefined) && (kind === 'deleted' || after !== undefined) ? null : 'not-here'
}

/** Edits after which two texts count as wholly different, so that a diff takes bounded time. */
const MOST_EDITS = 5_000

/** A unified diff of what happened in one place, with sizes where it is no text; of what a restoration does, with `before` and `after` exchanged. */
export async function diffOf(
  { path, before, after }: Pick<NetChange, 'path' | 'before' | 'after'>,
  readBlob: ReadBlob,
): Promise<string> {
  const [old, next] = [await textOf(before, readBlob), await textOf(after, readBlob)]
  const names = [before ? `a/${path}` : '/dev/null', after ? `b/${path}` : '/dev/null'] as const
  const head = `--- ${names[0]}\n+++ ${names[1]}\n`
  const notes = [rightsChange(before, after), kindOf(before, after)].filter((note) => note !== null)
  const sizes = `${before?.blob?.sizeBytes ?? 0} bytes before, ${after?.blob?.sizeBytes ?? 0} bytes after`
  const withNotes = (rest: string) => head + notes.map((note) => ` ${note}\n`).join('') + rest
  if (old === null || next === null) return withNotes(` Not text: ${sizes}.\n`)
  if (old === next) return withNotes('')
  const patch = createTwoFilesPatch(...names, old, next, undefined, undefined, {
    maxEditLength: MOST_EDITS,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  })
  return withNotes(patch === undefined ? ` Too different for a diff: ${sizes}.\n` : patch.slice(head.length))
}

function rightsChange(before: Stood | null, after: Stood | null): string | null {
  const [old, next] = [before?.mode ?? null, after?.mode ?? null]
  return old === null || next === null || old === next
    ? null
    : `Rights: ${old.toString(8)} before, ${next.toString(8)} after.`
}

function kindOf(before: Stood | null, after: Stood | null): string | null {
  const kinds = new Set([before?.entity ?? 'file', after?.entity ?? 'file'])
  if (kinds.has('link')) return 'A link, shown by where it leads.'
  return kinds.has('folder') ? 'A folder.' : null
}

/** Null when it is no text. */
async function textOf(stood: Stood | null, readBlob: ReadBlob): Promise<string | null> {
  return stood === null || stood.blob === null ? '' : (readText(await readBlob(stood.blob))?.text ?? null)
}
