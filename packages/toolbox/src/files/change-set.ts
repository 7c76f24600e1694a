import type { BlobReference, NotKept } from '@holdfast/conversation'
import type { FileChange } from '@holdfast/tool'

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
