import type { Entry, EntryOf } from '@holdfast/conversation'
import type { Violate } from './violation.ts'

/** The path of one log, as somebody would keep it who only writes lists: nothing is shared with the product. */
export interface PathRules {
  take(entry: Entry): void
  /** Ends of exchanges: where a path may be cut, or be taken up again. Those on the path, and those set aside. */
  ends(): { readonly onPath: readonly number[]; readonly setAside: readonly number[] }
  /** The words that people sent on the path before an entry, oldest first. */
  wordsBefore(seq: number): readonly string[]
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
      return (paths[seq - 1] ?? []).flatMap((entry) =>
        entry.type === 'user-message-sent'
          ? entry.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
          : [],
      )
    },
  }
}
