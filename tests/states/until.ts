import { setTimeout as wait } from 'node:timers/promises'

const LOOK_MS = 10
const LIMIT_MS = 80_000

/**
 * Looks until there is something.
 *
 * @throws when there is nothing within 80 seconds.
 */
export async function until<Value>(what: string, look: () => Promise<Value | null> | Value | null): Promise<Value> {
  const deadline = performance.now() + LIMIT_MS
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (performance.now() > deadline) throw new Error(`Waited ${LIMIT_MS} ms, and still not: ${what}`)
    await wait(LOOK_MS)
  }
}
