/** Work that nobody waits for until the end. */
export interface BackgroundWork {
  add(work: Promise<void>): void
  /** Waits for all of it. */
  rest(): Promise<void>
}

/** Keeps it; what fails is told. */
export function createBackgroundWork(onFault: (error: unknown) => void): BackgroundWork {
  const all = new Set<Promise<void>>()
  return {
    add(work) {
      const done = work.catch(onFault).finally(() => all.delete(done))
      all.add(done)
    },
    async rest() {
      while (all.size > 0) await Promise.all(all)
    },
  }
}
