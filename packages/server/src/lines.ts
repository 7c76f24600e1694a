import type { Clock } from '@holdfast/conversation'
import type { Gate } from './gate.ts'
import type { Principal } from './principal.ts'

/** The connections that stay open, so that they end when whoever opened them may not go on. [SEC1] */
export interface Lines {
  /** Ends the line when its principal is withdrawn. @returns the end of watching. */
  watch(principal: Principal, end: () => void): () => void
  /** Watches no more. */
  close(): void
}

/** How often is asked what other processes have withdrawn, and what has run out of time. In milliseconds. */
const ASK_MS = 2_000

/** Asks the gate again and again for whoever has a line open. */
export function createLines({
  gate,
  clock,
  onError,
}: {
  readonly gate: Gate
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}): Lines {
  const lines = new Set<{ readonly principal: Principal; readonly end: () => void }>()
  let cancelNext = () => {}
  let closed = false
  const unsubscribe = gate.onWithdrawn(endWithdrawn)
  plan()

  function plan(): void {
    cancelNext = clock.after(ASK_MS, () => void ask())
  }

  async function ask(): Promise<void> {
    try {
      if (lines.size > 0) await gate.refresh()
      endWithdrawn()
    } catch (error) {
      // A store that does not answer says nothing about who may go on; the next time asks again.
      onError(error)
    }
    if (!closed) plan()
  }

  function endWithdrawn(): void {
    for (const line of lines) {
      if (gate.isStillGood(line.principal)) continue
      lines.delete(line)
      line.end()
    }
  }

  return {
    watch(principal, end) {
      const line = { principal, end }
      lines.add(line)
      return () => lines.delete(line)
    },
    close() {
      closed = true
      cancelNext()
      unsubscribe()
    },
  }
}
