import type { Random } from '@holdfast/conversation'

/** Chance of one simulated world: the same for the same seed. */
export interface Chance extends Random {
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number
  /** Whether something of this probability, from 0 to 1, happens. */
  happens(probability: number): boolean
  /** @throws when there is nothing to pick from. */
  pick<Item>(items: readonly Item[]): Item
  /** Picks by weight; a weight of 0 is never picked. */
  weighted<Item>(choices: readonly (readonly [Item, number])[]): Item
}

/** Makes the chance of a seed. */
export function createChance(seed: number): Chance {
  let state = Math.trunc(seed) >>> 0

  /** A counter through a mixing function: short, and even enough to choose among events. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  function below(limit: number): number {
    return Math.floor(next() * limit)
  }

  return {
    next,
    below,
    happens: (probability) => next() < probability,
    pick<Item>(items: readonly Item[]): Item {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('There is nothing to pick from')
      return item
    },
    weighted<Item>(choices: readonly (readonly [Item, number])[]): Item {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [item, weight] of choices) {
        left -= weight
        if (left < 0 && weight > 0) return item
      }
      const last = choices.findLast(([, weight]) => weight > 0)
      if (!last) throw new Error('There is nothing to pick from')
      return last[0]
    },
  }
}
