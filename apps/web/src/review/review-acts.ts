import type { ConversationStore } from '@holdfast/client'
import type { ChangedFileRow } from '@holdfast/protocol'
import type { Dispatch, RefObject, SetStateAction } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { whenFree } from '../shared/when-free.ts'
import type { ChosenLines, ReviewListActs } from './review-list.tsx'
import { type HunkRow, isSettled, linesOf, type ReviewRow } from './review-rows.ts'
import type { Review } from './use-review.ts'

/** Where the keys stop: at each open hunk, and at each open file that has none. */
export interface ReviewStop {
  readonly id: string
  readonly file: ChangedFileRow
  readonly hunk: HunkRow | null
}

/** What is shown now; acts outlive a drawing and read it when they are done. */
export interface LatestReview {
  readonly review: Review
  readonly rows: readonly ReviewRow[]
  readonly stops: readonly ReviewStop[]
  /** Where the keys are. */
  readonly at: ReviewStop | null
  readonly chosen: ChosenLines | null
}

/** What the acts are made of. */
export interface ReviewActsDeps {
  readonly store: ConversationStore
  readonly latest: RefObject<LatestReview>
  readonly handle: RefObject<VirtualizerHandle | null>
  readonly setToggled: Dispatch<SetStateAction<ReadonlySet<string>>>
  readonly setCurrent: (id: string | null) => void
  readonly setChosen: Dispatch<SetStateAction<ChosenLines | null>>
}

/** What a person does in a review, by buttons and by keys. */
export interface ReviewActs {
  readonly list: ReviewListActs
  /** Goes to the next stop, or to the one before; round at the ends. */
  go(step: 1 | -1): void
  /** Decides about where the keys are, or rejects the lines that are chosen, and goes on. */
  decide(keep: boolean): void
  rejectLines(lines: ChosenLines): void
  undo(): void
  /** Decides about all that is open. */
  all(keep: boolean): void
}

/** The stops of files, in order. */
export function stopsOf(files: readonly ChangedFileRow[]): readonly ReviewStop[] {
  return files.flatMap((file): ReviewStop[] => {
    if (isSettled(file)) return []
    if (file.hunks.length === 0) return [{ id: file.id, file, hunk: null }]
    return file.hunks.flatMap((hunk) => (hunk.state === 'open' ? [{ id: hunk.id, file, hunk }] : []))
  })
}

/** Makes the acts; nothing is decided while an agent is at work. [UI75] */
export function createReviewActs(deps: ReviewActsDeps): ReviewActs {
  const { store, latest, handle, setToggled, setCurrent, setChosen } = deps
  const guarded = (act: () => void) => whenFree(store, act)
  const now = () => latest.current.review

  function goTo(stop: ReviewStop | null): void {
    setCurrent(stop?.id ?? null)
    const { rows } = latest.current
    let row = stop === null ? -1 : rows.findIndex(({ key }) => key === stop.id)
    // Above the first hunk of a file stands its name, and what is to be said of it.
    while (rows[row]?.type !== 'file' && ['file', 'facts'].includes(rows[row - 1]?.type ?? '')) row -= 1
    if (row >= 0) handle.current?.scrollToIndex(row, { align: 'start' })
  }

  function go(step: 1 | -1): void {
    const { stops, at } = latest.current
    const here = at === null ? -1 : stops.findIndex(({ id }) => id === at.id)
    const index = here < 0 ? (step === 1 ? 0 : stops.length - 1) : here + step
    goTo(stops[(index + stops.length) % Math.max(1, stops.length)] ?? null)
  }

  function rejectLines({ file, hunk, lines }: ChosenLines): void {
    const places = linesOf(hunk).flatMap(({ at, type }) => (type !== 'same' && lines.has(at) ? [at] : []))
    if (places.length > 0) now().decide([{ path: file.path, hunkId: hunk.id, lines: places, keep: false }])
    setChosen(null)
  }

  function decide(keep: boolean): void {
    const { at, stops, chosen } = latest.current
    if (chosen !== null && !keep) rejectLines(chosen)
    else if (at === null) go(1)
    else {
      const { file, hunk } = at
      const next = stops[stops.findIndex(({ id }) => id === at.id) + 1] ?? null
      const about = hunk === null ? { path: file.path, seen: file.id } : { path: file.path, hunkId: hunk.id }
      now().decide([{ ...about, keep }])
      goTo(next)
    }
  }

  return {
    list: {
      toggle: (id) => setToggled((before) => toggledIn(before, id)),
      point: setCurrent,
      decideFile: (file, keep) => guarded(() => now().decide([{ path: file.path, seen: file.id, keep }])),
      decideHunk: (file, hunk, keep) => guarded(() => now().decide([{ path: file.path, hunkId: hunk.id, keep }])),
      chooseLine: ({ file, hunk }, { at }, isRange) =>
        setChosen((before) => {
          const lines = chosenLines(before?.hunk.id === hunk.id ? before.lines : new Set(), { hunk, at, isRange })
          return lines.size === 0 ? null : { file, hunk, lines }
        }),
    },
    go,
    decide: (keep) => guarded(() => decide(keep)),
    rejectLines: (lines) => guarded(() => rejectLines(lines)),
    undo: () => guarded(() => now().undo()),
    all: (keep) =>
      guarded(() => {
        const open = now().changes?.files.filter((file) => !isSettled(file)) ?? []
        now().decide(open.map(({ path, id }) => ({ path, seen: id, keep })))
      }),
  }
}

function toggledIn<Value>(before: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  const next = new Set(before)
  if (!next.delete(value)) next.add(value)
  return next
}

function chosenLines(
  before: ReadonlySet<number>,
  { hunk, at, isRange }: { readonly hunk: HunkRow; readonly at: number; readonly isRange: boolean },
): ReadonlySet<number> {
  if (!isRange || before.size === 0) return toggledIn(before, at)
  const [from, to] = [Math.min(at, ...before), Math.max(at, ...before)]
  return new Set(linesOf(hunk).flatMap((line) => (line.at >= from && line.at <= to ? [line.at] : [])))
}
