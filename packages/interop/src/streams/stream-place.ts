/** As many digits as an offset has: all have the same, so that they sort as they stand. */
const DIGITS = 16

/** A cursor is the number of the interval since then. */
const CURSOR_EPOCH_MS = Date.UTC(2024, 9, 9)
const CURSOR_INTERVAL_MS = 20_000
/** How far ahead of a client's own cursor the next one is at most, in intervals. */
const MOST_AHEAD = 3_600

/** The offset behind the entry with this `seq`. */
export function offsetOf(seq: number): string {
  return seq.toString().padStart(DIGITS, '0')
}

/** The `seq` after which a client wants to read; null for the end as it is now. */
export function seqOf(offset: string | undefined): number | null {
  if (offset === undefined || offset === '-1') return 0
  return offset === 'now' ? null : Number(offset)
}

/**
 * The cursor for an answer: the present interval, and always more than the client's own, so that no cache answers it twice.
 *
 * @see https://github.com/durable-streams/durable-streams/blob/main/PROTOCOL.md
 */
export function nextCursor(
  own: string | undefined,
  { now, ahead }: { readonly now: number; readonly ahead: (least: number, below: number) => number },
): string {
  const present = Math.floor((now - CURSOR_EPOCH_MS) / CURSOR_INTERVAL_MS)
  const known = own === undefined ? -1 : Number(own)
  return String(known < present ? present : known + ahead(1, MOST_AHEAD))
}
