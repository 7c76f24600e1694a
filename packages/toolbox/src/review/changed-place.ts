import { createHash } from 'node:crypto'
import type { HunkState, ReviewMarks } from '@holdfast/tool'
import { isSameStood, type NetChange, type ReadBlob, type Stood } from '../files/change-set.ts'
import { refuseConflict } from '../files/restore-conflict.ts'
import { standingNow, stoodOf } from '../files/restore-place.ts'
import { FileRefusal } from '../workspace/file-refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { fateOf, type Replacement, replacementsSince } from './chosen-lines.ts'
import { type Hunk, hunksOf } from './hunks.ts'
import { lineEdits } from './line-edits.ts'
import { exactText, splitLines } from './text-lines.ts'

/** A hunk and what became of it. */
export interface PlacedHunk extends Hunk {
  readonly state: HunkState
}

/** The text of a place before a change, after it and now. */
export interface PlaceText {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly hunks: readonly PlacedHunk[]
  /** What was done to it since the change. */
  readonly since: readonly Replacement[]
}

/** A changed place, looked at. */
export interface ChangedPlace {
  readonly change: NetChange
  /** Where its file stood before, when it was moved. */
  readonly from: NetChange | null
  readonly id: string
  readonly now: Stood | null
  /** Null where it is no text, or a body is missing. */
  readonly text: PlaceText | null
  /** Why it cannot be rejected as a whole; null where nothing stands against it. */
  readonly conflict: string | null
  /** Whether it is as before the change already. */
  readonly isDone: boolean
  readonly isKept: boolean
}

/** What looking needs. */
export interface LookingPorts {
  readonly readBlob: ReadBlob
  readonly marks: ReviewMarks
}

/** Looks at what a change did to a place, and at what stands there now. */
export async function lookAt(
  workspace: Workspace,
  { change, from }: Pick<ChangedPlace, 'change' | 'from'>,
  { readBlob, marks }: LookingPorts,
): Promise<ChangedPlace> {
  const id = idOf(change, from)
  const isKept = marks.kept.has(id)
  const place = { change, from, id, isKept }
  try {
    const standing = await standingNow(workspace, change.path)
    const now = stoodOf(standing)
    const nowBytes = standing?.type === 'file' ? standing.file.bytes : null
    const text = await textOf(place, { now, nowBytes }, { readBlob, marks })
    const isDone = isSameStood(now, change.before) && (from === null || (await isBack(workspace, from)))
    return { ...place, now, text, isDone, conflict: await conflictOf(workspace, place, { now, text }) }
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error
    return { ...place, now: null, text: null, isDone: false, conflict: error.message }
  }
}

/** The hunks of a place that are there and can be rejected. */
export function hunksThere({ hunks }: Pick<PlaceText, 'hunks'>): readonly PlacedHunk[] {
  return hunks.filter(({ state }) => state === 'open' || state === 'kept')
}

/** Whether something else changed the place since, and lines tell what belongs to whom. */
export function isChangedSince({ change, now }: Pick<ChangedPlace, 'change' | 'now'>): boolean {
  return !isSameStood(now, change.after) && !isSameStood(now, change.before)
}

async function isBack(workspace: Workspace, from: NetChange): Promise<boolean> {
  return isSameStood(stoodOf(await standingNow(workspace, from.path)), from.before)
}

async function conflictOf(
  workspace: Workspace,
  { change, from }: Pick<ChangedPlace, 'change' | 'from'>,
  { now, text }: Pick<ChangedPlace, 'now' | 'text'>,
): Promise<string | null> {
  try {
    if (from !== null) refuseConflict(from, stoodOf(await standingNow(workspace, from.path)), 'restore')
    const canMerge = isChangedSince({ change, now }) && isMergeable(change, now, text)
    if (!canMerge) refuseConflict(change, now, 'restore')
    return null
  } catch (error) {
    if (error instanceof FileRefusal) return error.message
    throw error
  }
}

/** Lines can be taken out of what something else changed since: where none of them is among what it changed. */
function isMergeable({ before, after, isInterrupted, lost }: NetChange, now: Stood | null, text: PlaceText | null) {
  const areFiles = [before, after, now].every((stood) => stood?.entity === 'file')
  if (!areFiles || isInterrupted || lost !== null || text === null || text.since.length === 0) return false
  return hunksThere(text).length > 0 && text.hunks.every(({ state }) => state !== 'overwritten')
}

interface Now {
  readonly now: Stood | null
  readonly nowBytes: Uint8Array | null
}

async function textOf(
  { change, from, isKept }: Pick<ChangedPlace, 'change' | 'from' | 'isKept'>,
  { now, nowBytes }: Now,
  { readBlob, marks }: LookingPorts,
): Promise<PlaceText | null> {
  const { path, after, lost } = change
  const before = from === null ? change.before : from.before
  if (lost !== null || ![before, after].every((stood) => stood === null || stood.entity === 'file')) return null
  const isThere = isSameStood(now, after)
  const [old, next] = [
    await linesOf(before, readBlob),
    // What is there by its hash need not be read from the store.
    isThere && nowBytes !== null ? linesIn(nowBytes) : await linesOf(after, readBlob),
  ]
  if (old === null || next === null) return null
  const standing = isThere || nowBytes === null ? null : exactText(nowBytes)
  const since = standing === null ? [] : replacementsSince(next, splitLines(standing))
  const hunks = hunksOf({ path, before: old, after: next, edits: lineEdits(old, next) })
  const isGone = !isThere && standing === null
  return {
    before: old,
    after: next,
    since,
    hunks: hunks.map((hunk) => {
      const fate = isGone ? (isSameStood(now, before) ? 'taken-back' : 'overwritten') : fateOf(hunk, old, since)
      return { ...hunk, state: stateOf(hunk, { fate, isKept, marks }) }
    }),
  }
}

function stateOf(
  { id }: Hunk,
  {
    fate,
    isKept,
    marks,
  }: { readonly fate: ReturnType<typeof fateOf>; readonly isKept: boolean; readonly marks: ReviewMarks },
): HunkState {
  if (fate === 'there') return isKept || marks.kept.has(id) ? 'kept' : 'open'
  return fate === 'taken-back' || marks.rejected.has(id) ? 'rejected' : 'overwritten'
}

async function linesOf(stood: Stood | null, readBlob: ReadBlob): Promise<readonly string[] | null> {
  if (stood === null || stood.blob === null) return []
  return linesIn(await readBlob(stood.blob))
}

function linesIn(bytes: Uint8Array): readonly string[] | null {
  const text = exactText(bytes)
  return text === null ? null : splitLines(text)
}

function idOf(change: NetChange, from: NetChange | null): string {
  const of = ({ path, before, after }: NetChange) => [path, signOf(before), signOf(after)]
  const content = [of(change), from === null ? null : of(from)]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)
}

function signOf(stood: Stood | null): unknown {
  return stood === null ? null : [stood.entity, stood.blob?.hash ?? null, stood.mode]
}
