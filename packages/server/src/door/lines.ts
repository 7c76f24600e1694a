import type { EventEmitter } from 'node:events'
import type { Clock } from '@holdfast/conversation'
import type { Principal } from '../parts/principal.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { Gate } from './gate.ts'

/** The connections that stay open, so that they end when whoever opened them may not go on. [SEC1] */
export interface Lines {
  /**
   * Counts a line of a user before it is opened; it counts until `connection` says that it is closed.
   *
   * @throws {RefusedError} when the user has as many as one may have. [SEC5]
   */
  enter(principal: Principal, connection: Pick<EventEmitter, 'once'>): void
  /** Ends the line when its principal is withdrawn. @returns the end of watching. */
  watch(principal: Principal, end: () => void): () => void
  /** Watches no more. */
  close(): void
}

/** How many lines one user may have open: tabs, scripts and streams together. */
export const MAX_LINES_OF_USER = 200

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
  const counts = new Map<string, number>()
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
    enter({ userId }, connection) {
      const count = counts.get(userId) ?? 0
      if (count >= MAX_LINES_OF_USER)
        throw new RefusedError(
          429,
          'too-many-lines',
          `You have ${count} sockets and event streams open, as many as one may have: close some, and come back`,
        )
      counts.set(userId, count + 1)
      connection.once('close', () => {
        const left = (counts.get(userId) ?? 1) - 1
        if (left === 0) counts.delete(userId)
        else counts.set(userId, left)
      })
    },
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
