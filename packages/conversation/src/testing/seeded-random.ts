import type { Random } from '../ports.ts'

/** Chance that is the same for the same seed, so that a failing run can be run again. */
export function createSeededRandom(seed: number): Random {
  let state = Math.trunc(seed) >>> 0
  return {
    // A counter through the mixing function of MurmurHash3: short, and even enough to choose among faults.
    next() {
      state = (state + 0x9e3779b9) >>> 0
      let mixed = state
      mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
      mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
      return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
    },
  }
}
