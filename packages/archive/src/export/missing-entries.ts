/** Places of a log from which nothing could be read, both ends included. */
export interface MissingEntries {
  readonly from: number
  readonly to: number
}

/** Watches entries go by, and says which places were not among them. [LOG7] */
export interface MissingWatch {
  see(seq: number): void
  /** `head` is the last place of the log; null where nobody knows it. */
  missing(head: number | null): readonly MissingEntries[]
}

/** Begins to watch a log from its first place. */
export function watchMissing(): MissingWatch {
  const gaps: MissingEntries[] = []
  let last = 0
  return {
    see(seq) {
      if (seq > last + 1) gaps.push({ from: last + 1, to: seq - 1 })
      last = seq
    },
    missing: (head) => (head !== null && head > last ? [...gaps, { from: last + 1, to: head }] : gaps),
  }
}

/** What a reader of an export is told of what is not in it; null where nothing is missing. */
export function missingText(missing: readonly MissingEntries[]): string | null {
  if (missing.length === 0) return null
  const places = missing.map(({ from, to }) => (from === to ? String(from) : `${from} to ${to}`)).join(', ')
  return `The log of this conversation is damaged. What could still be read is here. Places of missing entries: ${places}.`
}
