/** A number at least 0 and below 1. */
export type Random = () => number

/** The same numbers in the same order for the same seed. */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** An id as vendors make them: a prefix and `length` letters and digits. */
export function randomId({
  random,
  prefix,
  length,
}: {
  readonly random: Random
  readonly prefix: string
  readonly length: number
}): string {
  const letters = Array.from({ length }, () => LETTERS[Math.floor(random() * LETTERS.length)])
  return prefix + letters.join('')
}
