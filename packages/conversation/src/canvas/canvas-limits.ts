import type { Settings } from '../settings/settings.ts'

/** Bounds of a canvas. What passes one is refused with the bound and the size that was given. [CANVAS4] */
export interface CanvasLimits {
  readonly elements: number
  /** One element as JSON in UTF-8. */
  readonly elementSizeBytes: number
  /** All elements together, so that opening a conversation stays cheap. */
  readonly canvasSizeBytes: number
}

/** The bounds that settings give a canvas. */
export function canvasLimitsOf({ canvasElements, canvasElementBytes, canvasBytes }: Settings): CanvasLimits {
  return { elements: canvasElements, elementSizeBytes: canvasElementBytes, canvasSizeBytes: canvasBytes }
}

/** The size of a JSON value in UTF-8, without making its bytes. */
export function jsonSizeBytes(value: unknown): number {
  const text = JSON.stringify(value)
  let size = text.length
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x80) continue
    // Half a pair is written as two bytes beside its own unit, so that a whole pair counts four.
    const isHalf = code >= 0xd800 && code <= 0xdfff
    size += code < 0x800 || isHalf ? 1 : 2
  }
  return size
}
