import type { Segment } from '../segment.ts'
import type { CachedPrompt } from './prompt-cache.ts'

type Prompt = Pick<CachedPrompt, 'segments' | 'hashes'>

/** Tokens of `now` that stand at the beginning of both; inside the first block that differs, up to the first byte that differs. */
export function sharedTokens(known: Prompt, now: Prompt): number {
  let tokens = 0
  for (const [index, segment] of now.segments.entries()) {
    const other = known.segments[index]
    if (other === undefined) return tokens
    if (known.hashes[index] !== now.hashes[index]) return tokens + sharedStart(other, segment)
    tokens += segment.tokens
  }
  return tokens
}

function sharedStart(before: Segment, after: Segment): number {
  const most = Math.min(before.text.length, after.text.length)
  let same = 0
  while (same < most && before.text.charCodeAt(same) === after.text.charCodeAt(same)) same += 1
  return after.text.length === 0 ? 0 : Math.floor((same / after.text.length) * after.tokens)
}
