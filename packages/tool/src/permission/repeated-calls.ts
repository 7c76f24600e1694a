import { canonicalJson } from '../canonical-json.ts'
import type { ToolCall } from '../definition.ts'

/** A call without its id: what makes two calls the same. */
export type CallSubject = Pick<ToolCall, 'name' | 'input'>

/** Rows of calls that come back: one call `limit` times, or two or three in turn twice. [RUN8] */
const LONGEST_ROUND = 3

/** How many calls before one decide whether it comes back, where so many in a row are asked about. [RUN8] */
export function recentCallCount(limit: number): number {
  return Math.max(2 * LONGEST_ROUND, limit)
}

/**
 * Says so when the call would be the last of a row of identical calls: the `limit`-th in a row, or the end of
 * a second identical round (A, B, A, B). A round holds two calls that differ: what is the same all along is a row. Order of keys and white space do not matter. [RUN8]
 *
 * @param recent the last calls of the run before it, oldest first: `recentCallCount(limit)` of them are enough.
 */
export function identicalCalls(recent: readonly CallSubject[], call: CallSubject, limit: number): string | null {
  const calls = [...recent, call]
  const keys: string[] = []
  /** The text that is equal for equal calls, counted from the end; most rows end at the first comparison. */
  const keyFromEnd = (place: number): string | null => {
    const found = calls[calls.length - 1 - place]
    if (found === undefined) return null
    const key = keys[place] ?? `${found.name} ${canonicalJson(found.input)}`
    keys[place] = key
    return key
  }
  if (calls.length >= limit && comesBack(keyFromEnd, { period: 1, rounds: limit }))
    return `This is call ${limit} in a row of ${call.name} with the same input`
  for (let period = 2; period <= LONGEST_ROUND && calls.length >= 2 * period; period++) {
    if (differs(keyFromEnd, period) && comesBack(keyFromEnd, { period, rounds: 2 })) {
      return `The last ${period} calls repeat the ${period} before them, with the same input`
    }
  }
  return null
}

function differs(keyFromEnd: (place: number) => string | null, period: number): boolean {
  for (let place = 1; place < period; place++) if (keyFromEnd(place) !== keyFromEnd(0)) return true
  return false
}

function comesBack(
  keyFromEnd: (place: number) => string | null,
  { period, rounds }: { readonly period: number; readonly rounds: number },
): boolean {
  for (let place = 0; place < period * (rounds - 1); place++) {
    const before = keyFromEnd(place + period)
    if (before === null || before !== keyFromEnd(place)) return false
  }
  return true
}
