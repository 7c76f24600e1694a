/** Where in an answer a frame stands; faults are placed by it. */
export type FramePart = 'start' | 'text' | 'thinking' | 'tool-arguments' | 'between' | 'end' | 'final'

/** One event of a stream before it is put on the wire. */
export interface Frame {
  /** The event's name where the wire has names, else empty. */
  readonly event: string
  /** The event's data, mostly JSON. */
  readonly data: string
  readonly part: FramePart
  /** The model's text in this event; an event without it is no delta. */
  readonly delta?: string
}

/** Marks the frames after the last delta as `end`; those that are `final` already stay so. */
export function* withEnd(frames: Iterable<Frame>): Generator<Frame> {
  let held: Frame[] = []
  for (const frame of frames) {
    if (frame.part === 'between' || frame.part === 'end' || frame.part === 'final') {
      held.push(frame)
      continue
    }
    yield* held
    held = []
    yield frame
  }
  for (const frame of held) yield frame.part === 'final' ? frame : { ...frame, part: 'end' }
}

/** A text in pieces of at most `chunkChars` UTF-16 units that never split a character. */
export function* chunksOf(text: string, chunkChars: number): Generator<string> {
  let start = 0
  while (start < text.length) {
    let end = Math.min(text.length, start + Math.max(1, chunkChars))
    const last = text.charCodeAt(end - 1)
    if (last >= 0xd800 && last < 0xdc00 && end < text.length) end += 1
    yield text.slice(start, end)
    start = end
  }
}
