import type { Observable } from '@holdfast/client'

/** A value that is read by reference, and set by whoever holds this. */
export interface Source<Value> extends Observable<Value> {
  set(value: Value): void
}

/** Makes one. Listeners are told where the value is another. */
export function createSource<Value>(first: Value): Source<Value> {
  const listeners = new Set<() => void>()
  let value = first
  return {
    getSnapshot: () => value,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set(next) {
      if (next === value) return
      value = next
      for (const listener of [...listeners]) listener()
    },
  }
}
