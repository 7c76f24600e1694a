import type { ServerFrame } from '@holdfast/protocol'

const encoded = new WeakMap<ServerFrame, string>()

/** The frame as text; made once, however many readers it goes to. */
export function encodeFrame(frame: ServerFrame): string {
  const known = encoded.get(frame)
  if (known !== undefined) return known
  const text = JSON.stringify(frame)
  encoded.set(frame, text)
  return text
}
