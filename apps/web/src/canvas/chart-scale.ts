/** The steps of an axis, from the lowest to the highest. */
export interface Scale {
  readonly min: number
  readonly max: number
  readonly ticks: readonly number[]
}

/** An axis of about `count` round steps that holds all values, and zero. */
export function scaleFor(values: readonly number[], count: number): Scale {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  const span = high - low || 1
  const step = roundStep(span / count)
  const min = Math.floor(low / step) * step
  const max = Math.ceil(high / step) * step || step
  const steps = Math.round((max - min) / step)
  const ticks = Array.from({ length: steps + 1 }, (_, index) => tidy(min + index * step))
  return { min, max, ticks }
}

/** Where a value stands between the ends of a scale, 0 to 1. */
export function placeOn({ min, max }: Scale, value: number): number {
  return (value - min) / (max - min)
}

/** Which labels of so many have room, so that they do not touch: every n-th. */
export function labelStep(count: number, { widthPx, labelPx }: { widthPx: number; labelPx: number }): number {
  const room = Math.max(1, Math.floor(widthPx / labelPx))
  return Math.max(1, Math.ceil(count / room))
}

/** 1, 2 or 5 times a power of ten, at least `rough`. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const share = rough / power
  const round = share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10
  return round * power
}

function tidy(value: number): number {
  return Number(value.toPrecision(12))
}
