import type { RequestMessage } from '@holdfast/provider'
import { textWeight } from './text-weight.ts'

/** Code of the notice that says: results that stand before it are sent in smaller excerpts, to make room. [CHK8, RUN13] */
export const EXCERPTS_SMALLER = 'excerpts-smaller'

/** The part of its usual limit that such a result keeps. */
const KEPT_SHARE = 0.25

/** Characters of one result that are sent, by where it stands. [CHK8] */
export function resultLimitChars(
  seq: number,
  { itemLimitChars, smallerBeforeSeq }: { readonly itemLimitChars: number; readonly smallerBeforeSeq: number },
): number {
  return seq < smallerBeforeSeq ? Math.floor(itemLimitChars * KEPT_SHARE) : itemLimitChars
}

/** The weight that smaller excerpts would take off the results of a request. */
export function weightOfExcess(
  messages: readonly { readonly message: RequestMessage }[],
  itemLimitChars: number,
): number {
  const limitChars = itemLimitChars * KEPT_SHARE
  let excess = 0
  for (const { message } of messages) {
    if (message.role !== 'tool') continue
    const texts = message.content.map((part) => (part.type === 'text' ? part.text : ''))
    const chars = texts.reduce((sum, text) => sum + text.length, 0)
    const weight = texts.reduce((sum, text) => sum + textWeight(text), 0)
    if (chars > limitChars) excess += weight * (1 - limitChars / chars)
  }
  return excess
}
