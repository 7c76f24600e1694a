/** Lines of two texts that stay, by their places in both, in order. */
export interface CommonLines {
  readonly kept: readonly KeptLine[]
  /** Whether there may be more: nothing more was looked for, as it would take too long. */
  readonly mayBeMore: boolean
}

export interface KeptLine {
  readonly old: number
  readonly now: number
}

/** So many pairs of equal lines are looked through for each line: texts that repeat few lines many times have more. */
const PAIRS_PER_LINE = 16

/**
 * The most lines that two texts have in common in one order, in a time that grows with their length alone. Where lines repeat
 * so often that the most cannot be found, those that stand once in each text are kept, and what is found between them.
 * Method: J. W. Hunt and T. G. Szymanski, "A fast algorithm for computing longest common subsequences", 1977.
 */
export function commonLines(old: readonly string[], now: readonly string[]): CommonLines {
  const whole = longestChain(pairsOf(old, now))
  if (whole) return { kept: whole, mayBeMore: false }
  const anchors = longestChain({ ...pairsOf(old, now), isOnceOnly: true }) ?? []
  const kept: KeptLine[] = []
  let from: KeptLine = { old: 0, now: 0 }
  for (const anchor of [...anchors, { old: old.length, now: now.length }]) {
    const { old: oldFrom, now: nowFrom } = from
    const between = pairsOf(old.slice(oldFrom, anchor.old), now.slice(nowFrom, anchor.now))
    for (const line of longestChain(between) ?? []) kept.push({ old: line.old + oldFrom, now: line.now + nowFrom })
    if (anchor.old < old.length) kept.push(anchor)
    from = { old: anchor.old + 1, now: anchor.now + 1 }
  }
  return { kept, mayBeMore: true }
}

/** Where each line of the old text stands in the new one. */
interface Pairs {
  readonly places: readonly (readonly number[])[]
  readonly most: number
  /** Whether only lines count that stand once in each text. */
  readonly isOnceOnly: boolean
}

function pairsOf(old: readonly string[], now: readonly string[]): Pairs {
  const placesOf = new Map<string, number[]>()
  for (const [place, text] of now.entries()) {
    const places = placesOf.get(text)
    if (places) places.push(place)
    else placesOf.set(text, [place])
  }
  return {
    places: old.map((text) => placesOf.get(text) ?? NOWHERE),
    most: PAIRS_PER_LINE * (old.length + now.length),
    isOnceOnly: false,
  }
}

const NOWHERE: readonly number[] = []

/** A chain of lines that stay, from its last one. */
interface Link extends KeptLine {
  readonly before: Link | null
}

/** The longest chain of pairs that goes forward in both texts; null where there are too many pairs. */
function longestChain({ places, most, isOnceOnly }: Pairs): readonly KeptLine[] | null {
  const counted = isOnceOnly ? onceOnly(places) : places
  if (counted.reduce((sum, { length }) => sum + length, 0) > most) return null
  /** For each length, the chain of it that ends earliest in the new text. */
  const chains: Link[] = []
  // From the last place on, so that no two of them come into one chain.
  for (const [old, own] of counted.entries())
    for (let index = own.length - 1; index >= 0; index -= 1) {
      const now = own[index] ?? 0
      const length = firstNotBefore(chains, now)
      chains[length] = { old, now, before: chains[length - 1] ?? null }
    }
  const kept: KeptLine[] = []
  for (let link = chains.at(-1) ?? null; link !== null; link = link.before) kept.push({ old: link.old, now: link.now })
  return kept.reverse()
}

function onceOnly(places: Pairs['places']): Pairs['places'] {
  const timesOf = new Map<readonly number[], number>()
  for (const own of places) timesOf.set(own, (timesOf.get(own) ?? 0) + 1)
  return places.map((own) => (own.length === 1 && timesOf.get(own) === 1 ? own : NOWHERE))
}

/** The first chain that does not end before a place. */
function firstNotBefore(chains: readonly Link[], place: number): number {
  let low = 0
  let high = chains.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((chains[middle]?.now ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}
