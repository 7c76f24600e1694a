import { unlessAborted } from './waiting.ts'

/**
 * Does one piece of work after another, whatever became of the one before.
 *
 * A signal ends the waiting with its reason, and the work does not begin; what has begun ends by itself.
 */
export type InTurn = <Value>(work: () => Promise<Value>, signal?: AbortSignal) => Promise<Value>

/** Work that is done one after the other. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work, signal) => {
    const before = last
    const mine = (signal === undefined ? before : unlessAborted(before, signal)).then(work)
    // Who asked for the work hears what became of it. One that gave up waiting was not done before what it waited for.
    last = mine.then(
      () => {},
      () => before,
    )
    return mine
  }
}

/** Work that is done one after the other under each key; different keys do not wait for each other. */
export function createKeyedTurns(): <Value>(key: string, work: () => Promise<Value>) => Promise<Value> {
  const turns = new Map<string, { readonly inTurn: InTurn; open: number }>()
  return async (key, work) => {
    const own = turns.get(key) ?? { inTurn: createTurns(), open: 0 }
    turns.set(key, own)
    own.open += 1
    try {
      return await own.inTurn(work)
    } finally {
      own.open -= 1
      if (own.open === 0) turns.delete(key)
    }
  }
}
