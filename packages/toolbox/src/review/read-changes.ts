import type { ReviewedFile } from '@holdfast/tool'
import type { NetChange } from '../files/change-set.ts'
import { inRestoreOrder } from '../files/restore-order.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type ChangedPlace, type LookingPorts, lookAt } from './changed-place.ts'
import { countLines } from './hunks.ts'
import { pairMoved } from './moved-files.ts'

/** Characters of lines that one answer holds, and that one file may have of them. */
const ALL_CHARS = 16_000_000
const FILE_CHARS = 4_000_000

/** Places that are looked at side by side: each waits for the disk and the store, one after the other, several times. */
const AT_ONCE = 16

/** What reading needs. */
export interface ReadingPorts extends LookingPorts {
  readonly signal: AbortSignal
}

/** Looks at the changed places of a folder: at those that are named, or at all where null is given. The order is the one in which they can be taken back. [WS9] */
export async function lookAtAll(
  workspace: Workspace,
  changes: readonly NetChange[],
  { paths, ...ports }: ReadingPorts & { readonly paths: ReadonlySet<string> | null },
): Promise<readonly ChangedPlace[]> {
  const wanted = pairMoved(inRestoreOrder(changes)).filter(({ change }) => paths?.has(change.path) !== false)
  const places: ChangedPlace[] = []
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    ports.signal.throwIfAborted()
    const some = wanted.slice(from, from + AT_ONCE)
    places.push(...(await Promise.all(some.map((moved) => lookAt(workspace, moved, ports)))))
  }
  return places
}

/** Says what changes did, file by file and hunk by hunk, and what rejecting each would do; it does nothing. [WS9] */
export async function readChanges(
  workspace: Workspace,
  changes: readonly NetChange[],
  ports: ReadingPorts,
): Promise<readonly ReviewedFile[]> {
  let leftChars = ALL_CHARS
  const shown: ReviewedFile[] = []
  for (const place of await lookAtAll(workspace, changes, { ...ports, paths: null })) {
    const file = shownPlace(place, leftChars, await leadsOf(place, ports))
    leftChars -= charsOf(file.hunks)
    shown.push(file)
  }
  return shown
}

function shownPlace(place: ChangedPlace, leftChars: number, leads: Leads | null): ReviewedFile {
  const { change, from, id, text, conflict, isDone, isKept } = place
  const { path, before, after, seen } = change
  const hunks = text?.hunks ?? []
  const isCut = charsOf(hunks) > Math.min(FILE_CHARS, leftChars)
  const { entity } = after ?? before ?? { entity: 'file' }
  const old = from === null ? before : from.before
  const { additions, deletions } = countLines(hunks.flatMap(({ edits }) => edits))
  const rights =
    old !== null && after !== null && old.mode !== null && after.mode !== null && old.mode !== after.mode
      ? { before: old.mode, after: after.mode }
      : null
  const isFile = [old, after].every((stood) => stood === null || stood.entity === 'file')
  const hasOtherBytes = old?.blob?.hash !== after?.blob?.hash
  return {
    path,
    ...(from === null ? {} : { from: from.path }),
    id,
    status: from !== null ? 'renamed' : before === null ? 'added' : after === null ? 'deleted' : 'changed',
    ...(entity === 'file' ? {} : { entity }),
    additions,
    deletions,
    hunks: isCut ? [] : hunks.map(({ edits: _, ...hunk }) => hunk),
    ...(isFile && text === null && hasOtherBytes
      ? { bytes: { before: old?.blob?.sizeBytes ?? null, after: after?.blob?.sizeBytes ?? null } }
      : {}),
    ...(rights === null ? {} : { rights }),
    ...(leads === null ? {} : { leads }),
    ...(isCut ? { isCut } : {}),
    act: conflict !== null || isDone ? 'nothing' : before === null ? 'delete' : after === null ? 'create' : 'change',
    conflict,
    isKept: isKept || (hunks.length > 0 && hunks.every(({ state }) => state === 'kept')),
    ...(seen === undefined && from?.seen === undefined ? {} : { seenOnly: true }),
  }
}

type Leads = NonNullable<ReviewedFile['leads']>

async function leadsOf(
  { change: { before, after, lost } }: ChangedPlace,
  { readBlob }: ReadingPorts,
): Promise<Leads | null> {
  if (lost !== null || ![before, after].some((stood) => stood?.entity === 'link')) return null
  const leads = async (stood: typeof before) =>
    stood?.entity === 'link' && stood.blob !== null ? Buffer.from(await readBlob(stood.blob)).toString() : null
  return { before: await leads(before), after: await leads(after) }
}

function charsOf(hunks: readonly { readonly lines: readonly string[] }[]): number {
  return hunks.reduce((sum, { lines }) => sum + lines.reduce((chars, line) => chars + line.length, 0), 0)
}
