import { createHash } from 'node:crypto'
import type { ChangeDecision, ChangeMark, RejectedChange, ReviewMarks } from '@holdfast/tool'
import { isSameStood, type NetChange, type ReadBlob, type Stood } from '../files/change-set.ts'
import { restoreChanges } from '../files/restore-changes.ts'
import type { RestorePorts } from '../files/restore-place.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type ChangedPlace, hunksThere, isChangedSince } from './changed-place.ts'
import { mergeReplacements, type Rejected, rejections, replaceLines } from './chosen-lines.ts'
import { lookAtAll } from './read-changes.ts'
import { joinLines } from './text-lines.ts'

/** What became of decisions. */
export interface DecidedChanges {
  readonly marks: readonly ChangeMark[]
  readonly rejected: readonly RejectedChange[]
  /** Paths that are as they were before the change, or as the choice leaves them. */
  readonly restored: readonly string[]
  readonly conflicts: readonly { readonly path: string; readonly reason: string }[]
}

/** What deciding needs. */
export interface DecidingPorts extends RestorePorts {
  readonly marks: ReviewMarks
  /** Awaited when it is known what will be rejected, before any file is written. */
  readonly onPlanned: (rejected: readonly RejectedChange[]) => Promise<void>
}

/**
 * Carries out decisions about changes of a folder: what is kept is remembered, what is rejected is taken back. What something
 * else changed since is merged where lines tell it apart, and else left alone. [WS9]
 */
export async function decideChanges(
  workspace: Workspace,
  { changes, decisions }: { readonly changes: readonly NetChange[]; readonly decisions: readonly ChangeDecision[] },
  ports: DecidingPorts,
): Promise<DecidedChanges> {
  const { readBlob, marks, call } = ports
  const paths = new Set(decisions.map(({ path }) => path))
  const places = await lookAtAll(workspace, changes, { readBlob, marks, signal: call.signal, paths })
  const byPath = new Map(places.map((place) => [place.change.path, place]))
  const made = new Map<string, Uint8Array>()
  const taken: Taken[] = []
  const found: ChangeMark[] = []
  const conflicts: { readonly path: string; readonly reason: string }[] = []
  for (const [path, about] of groupedByPath(decisions)) {
    const answer = decideOne(byPath.get(path), { path, about, made })
    if ('reason' in answer) conflicts.push({ path, reason: answer.reason })
    else {
      found.push(...answer.marks)
      if (answer.taken) taken.push(answer.taken)
    }
  }
  if (taken.length > 0) await ports.onPlanned(taken.map(({ rejected }) => rejected))
  const asked = taken.flatMap(({ back }) => back)
  const beside = foldersBeside(changes, asked)
  const body: ReadBlob = async (blob) => made.get(blob.hash) ?? readBlob(blob)
  const done = await restoreChanges(workspace, [...asked, ...beside], { ...ports, readBlob: body })
  const besidePaths = new Set(beside.map(({ path }) => path))
  const failed = new Set(done.conflicts.map(({ path }) => path))
  const isDone = ({ back }: Taken) => back.every(({ path }) => !failed.has(path))
  const undone = new Set(taken.filter((one) => !isDone(one)).map(({ rejected: { path } }) => path))
  return {
    marks: found.filter(({ path, keep }) => keep !== false || !undone.has(path)),
    rejected: taken.filter(isDone).map(({ rejected }) => rejected),
    restored: done.restored,
    conflicts: [...conflicts, ...done.conflicts.filter(({ path }) => !besidePaths.has(path))],
  }
}

/** What is to be taken back in one place. */
interface Taken {
  readonly back: readonly NetChange[]
  readonly rejected: RejectedChange
}

type Answer = { readonly reason: string } | { readonly marks: readonly ChangeMark[]; readonly taken: Taken | null }

interface Asked {
  readonly path: string
  readonly about: readonly ChangeDecision[]
  /** Filled with bodies that stand nowhere yet, by their hashes. */
  readonly made: Map<string, Uint8Array>
}

function decideOne(place: ChangedPlace | undefined, { path, about, made }: Asked): Answer {
  if (!place) return { reason: `${path} is not among these changes; look at them again.` }
  if (about.some(({ seen }) => seen !== undefined && seen !== place.id))
    return { reason: `The change of ${path} is not the one that was looked at; look at it again.` }
  const hunks = new Map(place.text?.hunks.map((hunk) => [hunk.id, hunk]))
  const unknown = about.find(({ hunkId, lines }) => {
    if (hunkId === undefined) return lines !== undefined
    const hunk = hunks.get(hunkId)
    const changed = new Set(hunk?.edits.flatMap(({ oldAt, newAt }) => [...oldAt, ...newAt]))
    return !hunk || lines?.some((line) => !changed.has(line)) === true
  })
  if (unknown) return { reason: `A part of ${path} that was decided about is not there any more; look at it again.` }
  const marks = about.flatMap((decision) => marksOf(place, decision))
  const rejecting = about.filter(({ keep }) => keep === false)
  if (rejecting.length === 0 || place.isDone) return { marks, taken: null }
  const whole = rejecting.some(({ hunkId }) => hunkId === undefined)
  const chosen = whole ? null : chosenOf(place, rejecting)
  if (chosen !== null && typeof chosen === 'string') return { reason: chosen }
  if (chosen !== null && chosen.size === 0) return { marks, taken: null }
  const isWhole = whole || isAllOf(place, chosen)
  if (isWhole && !isChangedSince(place))
    return { marks, taken: { back: wholeOf(place), rejected: rejectedOf(place, null) } }
  if (whole && place.conflict !== null) return { reason: place.conflict }
  const lines = chosen ?? new Map(hunksThere(place.text ?? { hunks: [] }).map(({ id }) => [id, 'all' as const]))
  const back = partOf(place, lines, made)
  return typeof back === 'string'
    ? { reason: back }
    : { marks, taken: { back: [back], rejected: rejectedOf(place, lines) } }
}

/** A whole file and what it was moved from. */
function wholeOf({ change, from }: ChangedPlace): readonly NetChange[] {
  return from === null ? [change] : [change, from]
}

/** Which lines are rejected, or why they cannot be. */
function chosenOf({ change: { path }, text }: ChangedPlace, rejecting: readonly ChangeDecision[]): Rejected | string {
  const chosen = new Map<string, 'all' | Set<number>>()
  for (const { hunkId = '', lines } of rejecting) {
    const hunk = text?.hunks.find(({ id }) => id === hunkId)
    if (hunk?.state === 'rejected') continue
    if (hunk?.state === 'overwritten')
      return `Lines of ${path} that were decided about are not what these changes left; something else changed them since.`
    const before = chosen.get(hunkId)
    if (lines === undefined || before === 'all') chosen.set(hunkId, 'all')
    else chosen.set(hunkId, new Set([...(before ?? []), ...lines]))
  }
  return chosen
}

/** Whether every hunk is rejected with all of its lines, and nothing else was changed in the place. */
function isAllOf({ change, from, text }: ChangedPlace, chosen: Rejected | null): boolean {
  if (chosen === null || text === null || from !== null) return false
  const { before, after } = change
  const hasSameRights = before === null || after === null || before.mode === after.mode || before.mode === null
  return (
    hasSameRights &&
    text.hunks.every(({ id, edits, state }) => {
      const lines = chosen.get(id)
      if (lines === undefined || state === 'rejected') return false
      return lines === 'all' || edits.every(({ oldAt, newAt }) => [...oldAt, ...newAt].every((at) => lines.has(at)))
    })
  )
}

/** A change whose taking back leaves the choice in the place, or why it cannot be. */
function partOf(place: ChangedPlace, chosen: Rejected, made: Map<string, Uint8Array>): NetChange | string {
  const { change, now, text } = place
  const { path, before, after, isInterrupted, lost, seen } = change
  if (text === null || lost !== null) return `${path} is no text, so only the whole of it can be rejected.`
  if (isInterrupted)
    return `${path} was also changed by something else between these changes; review one turn, or one set of changes, at a time.`
  if (!isSameStood(now, after) && (now === null || now.entity !== 'file'))
    return `${path} is not what these changes left; something else changed it since.`
  const merged = mergeReplacements(text.since, rejections(text, text.hunks, chosen))
  if (merged === null)
    return `${path} is not what these changes left there; something else changed lines beside them since.`
  const bytes = new TextEncoder().encode(joinLines(replaceLines(text.after, merged)))
  const hash = createHash('sha256').update(bytes).digest('hex')
  made.set(hash, bytes)
  const mode = now?.mode ?? before?.mode ?? null
  const wanted: Stood = {
    entity: 'file',
    blob: { hash, sizeBytes: bytes.byteLength, mediaType: 'application/octet-stream' },
    mode,
  }
  return { path, before: wanted, after: now, isInterrupted: false, lost: null, ...(seen === undefined ? {} : { seen }) }
}

function marksOf({ change: { path }, id, text, isKept }: ChangedPlace, { hunkId, lines, keep }: ChangeDecision) {
  if (lines !== undefined) return []
  if (hunkId === undefined) {
    const hunks = keep === false ? [] : (text?.hunks ?? []).filter(({ state }) => state === 'kept')
    // A file that is kept, or open again, says so for all of its hunks.
    return [{ path, id, keep }, ...(keep === null ? hunks.map((hunk) => ({ path, id: hunk.id, keep })) : [])]
  }
  if (!isKept || keep === true) return [{ path, id: hunkId, keep }]
  const others = (text?.hunks ?? []).filter((hunk) => hunk.id !== hunkId && hunk.state === 'kept')
  return [
    { path, id, keep: null },
    ...others.map((hunk) => ({ path, id: hunk.id, keep: true })),
    { path, id: hunkId, keep },
  ]
}

/** The rejected lines, as the diff showed them; of the whole file where none are named. */
function rejectedOf({ change: { path }, text }: ChangedPlace, chosen: Rejected | null): RejectedChange {
  const hunks = text?.hunks ?? []
  const lines = hunks.flatMap(({ id, edits, lines: shown, state }) => {
    const some = chosen === null ? (state === 'rejected' ? undefined : 'all') : chosen.get(id)
    if (some === undefined) return []
    return edits
      .flatMap(({ oldAt, newAt }) => [...oldAt, ...newAt])
      .filter((at) => some === 'all' || some.has(at))
      .map((at) => shown[at] ?? '')
  })
  return { path, lines, isWhole: chosen === null }
}

/** Folders that came or went with what is taken back: they go when nothing is left in them, and come back as they were. */
function foldersBeside(changes: readonly NetChange[], asked: readonly NetChange[]): readonly NetChange[] {
  const named = new Set(asked.map(({ path }) => path))
  return changes.filter(({ path, before, after, lost }) => {
    if (named.has(path) || lost !== null) return false
    const inside = asked.filter((one) => one.path.startsWith(`${path}/`))
    if (before === null && after?.entity === 'folder') return inside.some((one) => one.before === null)
    return before?.entity === 'folder' && after === null && inside.some((one) => one.after === null)
  })
}

function groupedByPath(decisions: readonly ChangeDecision[]): ReadonlyMap<string, readonly ChangeDecision[]> {
  const groups = new Map<string, ChangeDecision[]>()
  for (const decision of decisions) {
    const group = groups.get(decision.path)
    if (group) group.push(decision)
    else groups.set(decision.path, [decision])
  }
  return groups
}
