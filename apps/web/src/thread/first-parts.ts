import type { ThreadPart } from './thread-parts.ts'

/** The end of a thread is drawn first, over so many heights of the window: what is above comes when that is painted. */
const HEIGHTS = 1.5

/** About what a turn takes beside its words, a tool call, and anything between turns, in pixels. */
const TURN_PX = 96
const CALL_PX = 36
const LINE_PX = 40

/** About what a character takes of the height: lines of 26 pixels hold up to 68. In pixels. */
const CHARACTER_PX = 26 / 68

/** The parts at the end that fill the window and a little more, by what they are estimated to take. */
export function firstParts(parts: readonly ThreadPart[], windowPx: number): readonly ThreadPart[] {
  let heightPx = 0
  let from = parts.length
  while (from > 0 && heightPx < windowPx * HEIGHTS) {
    from -= 1
    const part = parts[from]
    if (part) heightPx += heightOf(part)
  }
  return from === 0 ? parts : parts.slice(from)
}

function heightOf(part: ThreadPart): number {
  if (part.type !== 'turn') return LINE_PX
  let heightPx = TURN_PX
  for (const item of part.items) {
    heightPx += item.toolCalls.length * CALL_PX
    for (const one of item.parts) if (one.type === 'text') heightPx += one.text.length * CHARACTER_PX
  }
  return heightPx
}
