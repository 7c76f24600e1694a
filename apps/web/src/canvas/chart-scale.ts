/** The steps of an axis, from the lowest to the highest. */
export interface Scale {
  readonly min: number
  readonly max: number
  readonly ticks: readonly number[]
}

/** Steps below this lose their digits: the numbers under about 2.2e-308 have fewer of them. */
const SMALLEST_STEP = 1e-300

/**
 * An axis of about `count` round steps that holds all values, and zero; any finite numbers. `d3-array` has the same steps
 * for usual figures, and none at both ends of what a number can be.
 */
export function scaleFor(values: readonly number[], count: number): Scale {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  // Divided first: the distance between two numbers may be larger than the largest number.
  const step = roundStep(Math.max(high / count - low / count || 1 / count, SMALLEST_STEP))
  const first = Math.floor(low / step)
  const last = Math.ceil(high / step) || (first === 0 ? 1 : 0)
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => tidy(finite((first + index) * step)))
  return { min: finite(first * step), max: finite(last * step), ticks }
}

/** Where a value stands between the ends of a scale, 0 to 1. */
export function placeOn({ min, max }: Scale, value: number): number {
  return (value / 2 - min / 2) / (max / 2 - min / 2)
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

function finite(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE)
}

function tidy(value: number): number {
  return finite(Number(value.toPrecision(12)))
}
