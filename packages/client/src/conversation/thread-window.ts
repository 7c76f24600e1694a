import {
  type ActivePath,
  type Entry,
  type EntryOf,
  isExclusive,
  type Transcript,
  type TranscriptItem,
  transcript,
  visibleItems,
} from '@holdfast/conversation'

/** How a run ended. */
export interface RunEnd {
  readonly seq: number
  readonly outcome: EntryOf<'run-finished'>['outcome']
  readonly reason: string | null
  /** A limit that the person can raise at once, or for `user-budget` an admin; null for any other end. [COST7] */
  readonly limit: NonNullable<EntryOf<'run-finished'>['limit']> | null
}

/** The end of a conversation as it is read here: it grows forward with the log, and backward by pages. */
export interface ThreadWindow {
  /** What has been read, oldest first. */
  readonly items: readonly TranscriptItem[]
  /** Entries whose run began before them: they are folded once its beginning is here. */
  readonly waiting: readonly Entry[]
  /** `seq` of the first entry that is here, folded or waiting; 1 when everything is. */
  readonly firstSeq: number
  /** `seq` of the last entry that is here. */
  readonly lastSeq: number
  /** The fold of the newest part. */
  readonly newest: Transcript
  /** The items of older pages, which stand before those of the newest part. */
  readonly settled: readonly TranscriptItem[]
  /** The ends of the runs that have been read, by run. */
  readonly runEnds: ReadonlyMap<string, RunEnd>
  /** The runs whose beginning is here. */
  readonly begun: ReadonlySet<string>
  /** Entries of runs that began beside a turn before the window: a title, which is no answer of what is here. */
  readonly strays: readonly Entry[]
}

/** A window that begins at this entry and holds nothing yet. */
export function emptyWindow(firstSeq: number): ThreadWindow {
  return {
    items: [],
    waiting: [],
    firstSeq,
    lastSeq: firstSeq - 1,
    newest: transcript.initial,
    settled: [],
    runEnds: new Map(),
    begun: new Set(),
    strays: [],
  }
}

/** `seq` of the entry that follows the newest one. */
export function nextSeq({ lastSeq }: ThreadWindow): number {
  return lastSeq + 1
}

/** Adds the entries that follow the newest one. */
export function withNewer(before: ThreadWindow, entries: readonly Entry[]): ThreadWindow {
  const last = entries.at(-1)
  if (!last) return before
  const window = { ...before, lastSeq: last.seq }
  if (window.newest !== transcript.initial) return withNewest(window, entries)
  const known = [...window.waiting, ...entries]
  const start = firstBeginning(known)
  if (start === null) return { ...window, waiting: known }
  return withNewest({ ...window, waiting: known.slice(0, start) }, known.slice(start))
}

/** Adds the page that ends just before the window. One that does not is of no use: the window stays. */
export function withOlder(window: ThreadWindow, page: readonly Entry[]): ThreadWindow {
  const [first] = page
  if (!first || page.at(-1)?.seq !== window.firstSeq - 1) return window
  const known = [...page, ...window.waiting]
  const start = firstBeginning(known)
  if (start === null) return { ...window, waiting: known, firstSeq: first.seq }
  const grown = { ...window, waiting: known.slice(0, start), firstSeq: first.seq }
  const rest = known.slice(start)
  if (window.newest === transcript.initial) return withNewest(grown, rest)
  const begun = withBegun(window.begun, rest)
  const { own, strays } = sorted([...rest, ...window.strays], begun)
  const settled = [...transcript.reduce(transcript.initial, own).items, ...window.settled]
  const runEnds = withRunEnds(window.runEnds, rest)
  return { ...grown, settled, runEnds, begun, strays, items: [...settled, ...window.newest.items] }
}

/** The items of the window that are on the active path. */
export function windowItems({ items }: ThreadWindow, path: ActivePath): readonly TranscriptItem[] {
  return visibleItems({ items, path })
}

function withNewest(window: ThreadWindow, entries: readonly Entry[]): ThreadWindow {
  const begun = withBegun(window.begun, entries)
  const { own, strays } = sorted(entries, begun)
  const newest = transcript.reduce(window.newest, own)
  return {
    ...window,
    newest,
    begun,
    strays: strays.length === 0 ? window.strays : [...window.strays, ...strays],
    runEnds: withRunEnds(window.runEnds, entries),
    items: window.settled.length === 0 ? newest.items : [...window.settled, ...newest.items],
  }
}

function withBegun(known: ReadonlySet<string>, entries: readonly Entry[]): ReadonlySet<string> {
  const runIds = entries.flatMap((entry) => (entry.type === 'run-started' ? [entry.runId] : []))
  return runIds.length === 0 ? known : new Set([...known, ...runIds])
}

/** What can be folded by now, and what waits for the beginning of its run. What is said of a run in a step belongs to it. */
function sorted(
  entries: readonly Entry[],
  begun: ReadonlySet<string>,
): { readonly own: readonly Entry[]; readonly strays: readonly Entry[] } {
  const isOwn = (entry: Entry): boolean =>
    !('stepId' in entry) || !('runId' in entry) || entry.runId === undefined || begun.has(entry.runId)
  return entries.every(isOwn)
    ? { own: entries, strays: [] }
    : { own: entries.filter(isOwn), strays: entries.filter((entry) => !isOwn(entry)) }
}

function withRunEnds(known: ThreadWindow['runEnds'], entries: readonly Entry[]): ThreadWindow['runEnds'] {
  const ends = entries.filter((entry) => entry.type === 'run-finished')
  if (ends.length === 0) return known
  const next = new Map(known)
  for (const { runId, seq, outcome, reason = null, limit = null } of ends)
    next.set(runId, { seq, outcome, reason, limit })
  return next
}

/** Where entries can be folded from: the log's beginning, or that of a run that nothing of its kind runs beside. */
function firstBeginning(entries: readonly Entry[]): number | null {
  const index = entries.findIndex(
    (entry) => entry.seq === 1 || (entry.type === 'run-started' && isExclusive(entry.purpose)),
  )
  return index === -1 ? null : index
}
