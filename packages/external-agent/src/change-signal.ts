/** Tells all who wait that something has changed. */
export interface ChangeSignal {
  changed(): void
  /** Resolves with the next change, after `limitMs`, or when `signal` fires. */
  next(wait: { readonly limitMs: number | null; readonly signal: AbortSignal }): Promise<void>
}

/** Makes one that nobody waits for yet. */
export function createChangeSignal(clock: { after(delayMs: number, run: () => void): () => void }): ChangeSignal {
  const waiting = new Set<() => void>()
  return {
    changed() {
      for (const tell of [...waiting]) tell()
    },
    async next({ limitMs, signal }) {
      if (signal.aborted) return
      const told = Promise.withResolvers<void>()
      waiting.add(told.resolve)
      signal.addEventListener('abort', () => told.resolve(), { once: true })
      const cancel = limitMs === null ? null : clock.after(limitMs, told.resolve)
      try {
        await told.promise
      } finally {
        waiting.delete(told.resolve)
        cancel?.()
      }
    },
  }
}
