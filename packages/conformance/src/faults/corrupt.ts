import type { Frame } from '../frame.ts'

/** A byte that no UTF-8 text has. */
const BROKEN = Buffer.from([0xff])

/** The frame's data with a broken byte inside the model's text, or inside its last string where it has no text. */
export function corruptUtf8(frame: Frame): Uint8Array {
  const inside = frame.delta === undefined ? '' : JSON.stringify(frame.delta).slice(1, -1)
  const at = inside === '' ? frame.data.lastIndexOf('"') : frame.data.lastIndexOf(inside) + inside.length
  return Buffer.concat([Buffer.from(frame.data.slice(0, at)), BROKEN, Buffer.from(frame.data.slice(at))])
}
