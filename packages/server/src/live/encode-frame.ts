import type { ServerFrame } from '@holdfast/protocol'

let last: { readonly frame: ServerFrame; readonly text: string } | null = null

/** The frame as text. What goes to many readers goes to one after the other, so it is made once. */
export function encodeFrame(frame: ServerFrame): string {
  if (last?.frame === frame) return last.text
  const text = JSON.stringify(frame)
  last = { frame, text }
  return text
}
