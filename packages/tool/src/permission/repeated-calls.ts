import { canonicalJson } from '../canonical-json.ts'
import type { ToolCall } from '../definition.ts'

/** A call without its id: what makes two calls the same. */
export type CallSubject = Pick<ToolCall, 'name' | 'input'>

/** Rows of calls that come back: one call `limit` times, or two or three in turn twice. [RUN8] */
const LONGEST_ROUND = 3

/**
 * Says so when the call would be the last of a row of identical calls: the `limit`-th in a row, or the end of
 * a second identical round (A, B, A, B). Order of keys and white space do not matter. [RUN8]
 *
 * @param recent the calls of the run before it, oldest first.
 */
export function identicalCalls(recent: readonly CallSubject[], call: CallSubject, limit: number): string | null {
  const longest = Math.max(limit, 2 * LONGEST_ROUND)
  const keys = [...recent.slice(-longest), call].map(({ name, input }) => `${name} ${canonicalJson(input)}`)
  if (comesBack(keys, { period: 1, rounds: limit }))
    return `This is call ${limit} in a row of ${call.name} with the same input`
  for (let period = 2; period <= LONGEST_ROUND; period++) {
    if (comesBack(keys, { period, rounds: 2 })) {
      return `The last ${period} calls repeat the ${period} before them, with the same input`
    }
  }
  return null
}

function comesBack(keys: readonly string[], { period, rounds }: { period: number; rounds: number }): boolean {
  const last = keys.slice(-period * rounds)
  return last.length === period * rounds && last.every((key, index) => index < period || key === last[index - period])
}
