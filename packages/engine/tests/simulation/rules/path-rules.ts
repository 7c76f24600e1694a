import type { Entry, EntryOf } from '@holdfast/conversation'
import type { Violate } from './violation.ts'

/** The path of one log, as somebody would keep it who only writes lists: nothing is shared with the product. */
export interface PathRules {
  take(entry: Entry): void
  /** Ends of exchanges: where a path may be cut, or be taken up again. Those on the path, and those set aside. */
  ends(): { readonly onPath: readonly number[]; readonly setAside: readonly number[] }
  /** The words that people sent and that a request after these entries holds, oldest first: what no mark leaves out. */
  wordsBefore(seq: number): readonly string[]
}

/** What a request leaves out: all before its start, but for what a summary carries over. [CHK4, WIN7] */
interface LeavesOut {
  readonly startSeq: number
  readonly carried: readonly number[]
}

/** What the last mark that counts says; one that was undone takes those along that rest on it. [CHK7] */
function leftOutOn(path: readonly Entry[]): LeavesOut {
  let marks: readonly EntryOf<'checkpoint-made' | 'window-moved'>[] = []
  for (const entry of path) {
    if (entry.type === 'checkpoint-made' || entry.type === 'window-moved') marks = [...marks, entry]
    if (entry.type !== 'checkpoint-undone') continue
    const undone = entry.checkpointSeq
    marks = marks.filter(
      (mark) => mark.seq !== undone && (mark.type !== 'window-moved' || mark.checkpointSeq !== undone),
    )
  }
  const last = marks.at(-1)
  if (!last) return { startSeq: 1, carried: [] }
  if (last.type === 'checkpoint-made') return { startSeq: last.keptFromSeq, carried: last.verbatimSeqs }
  const under = marks.find((mark) => mark.type === 'checkpoint-made' && mark.seq === last.checkpointSeq)
  if (under?.type !== 'checkpoint-made') return { startSeq: last.startSeq, carried: [] }
  return { startSeq: Math.max(last.startSeq, under.keptFromSeq), carried: under.verbatimSeqs }
}

/** Checks what rewinds and selections say, and keeps what counts after each entry. [PRJ6] */
export function createPathRules(violate: Violate): PathRules {
  /** What counted when each entry was the last, by `seq`. */
  const paths: (readonly Entry[])[] = [[]]
  const beside = new Set<string>()
  let openRunId: string | null = null

  function pathNow(): readonly Entry[] {
    return paths.at(-1) ?? []
  }

  /** What counts once the path goes on after an entry of some path. */
  function cutAfter(entry: EntryOf<'path-rewound' | 'path-selected'>, toSeq: number): readonly Entry[] {
    if (openRunId !== null) violate('PRJ6', `The path was moved at ${entry.seq} while run ${openRunId} was open`)
    const path = paths[toSeq]
    if (!path || toSeq >= entry.seq) {
      violate('PRJ6', `The path was moved at ${entry.seq} to ${toSeq}, which is not there`)
      return pathNow()
    }
    return path
  }

  /** What a person reads as messages: what was sent, and what was answered; neither titles nor summaries. */
  function messageCount(entries: readonly Entry[]): number {
    return entries.filter(
      (entry) => entry.type === 'user-message-sent' || (entry.type === 'step-finished' && !beside.has(entry.stepId)),
    ).length
  }

  function rewound(entry: EntryOf<'path-rewound'>): readonly Entry[] {
    const kept = cutAfter(entry, entry.toSeq)
    if (kept.some((other, index) => pathNow()[index] !== other))
      violate('PRJ6', `The path was rewound at ${entry.seq} to ${entry.toSeq}, which was set aside`)
    const counted = messageCount(pathNow().slice(kept.length))
    if (entry.setAsideCount !== counted)
      violate('PRJ6', `${entry.seq} says that ${entry.setAsideCount} messages were set aside; it was ${counted}`)
    return kept
  }

  return {
    take(entry) {
      if (entry.type === 'step-started' && entry.purpose !== 'turn') beside.add(entry.stepId)
      if (entry.type === 'run-started' && entry.purpose !== 'title') openRunId = entry.runId
      if (entry.type === 'run-finished' && entry.runId === openRunId) openRunId = null
      const before =
        entry.type === 'path-rewound'
          ? rewound(entry)
          : entry.type === 'path-selected'
            ? cutAfter(entry, entry.headSeq)
            : pathNow()
      paths.push([...before, entry])
    },
    ends() {
      const counts = new Set(pathNow())
      const all = paths.flatMap((path) => (path.at(-1)?.type === 'run-finished' ? path.slice(-1) : []))
      const seqsOf = (ends: readonly Entry[]) => ends.map(({ seq }) => seq)
      return {
        onPath: seqsOf(all.filter((end) => counts.has(end))),
        setAside: seqsOf(all.filter((end) => !counts.has(end))),
      }
    },
    wordsBefore(seq) {
      const path = paths[seq - 1] ?? []
      const { startSeq, carried } = leftOutOn(path)
      return path.flatMap((entry) =>
        entry.type === 'user-message-sent' && (entry.seq >= startSeq || carried.includes(entry.seq))
          ? entry.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
          : [],
      )
    },
  }
}
