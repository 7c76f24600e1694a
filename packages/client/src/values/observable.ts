/** A value that is read and listened to. */
export interface Observable<Value> {
  getSnapshot(): Value
  /** @returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void
}

/** A value with its listeners. */
export interface Source<Value> extends Observable<Value> {
  /** Changes the value; the same value again tells nobody. */
  set(value: Value): void
  readonly hasListeners: () => boolean
}

/**
 * Makes a source.
 *
 * @param tellLater - runs its argument when listeners may be told; many changes before that are told once.
 */
export function createSource<Value>(initial: Value, tellLater: (tell: () => void) => void): Source<Value> {
  const listeners = new Set<() => void>()
  let value = initial
  let waiting = false

  return {
    getSnapshot: () => value,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set(next) {
      if (next === value) return
      value = next
      if (waiting) return
      waiting = true
      tellLater(() => {
        waiting = false
        for (const listener of [...listeners]) listener()
      })
    },
    hasListeners: () => listeners.size > 0,
  }
}

/** Tells listeners of each change, in the call that makes it. */
export function tellAtOnce(tell: () => void): void {
  tell()
}
