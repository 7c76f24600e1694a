import { type Entry, type EntryLog, type Overview, overview } from '@holdfast/conversation'
import type { LiveBus, LiveMessage } from '../../../src/api/live-bus.ts'
import { sorted } from '../rules/run-rules.ts'
import type { Violate } from '../rules/violation.ts'

/** Somebody who follows a conversation by the bus, and by the store where the bus has lost something. */
export interface Reader {
  readonly conversationId: string
  /** Reads what the bus may have lost. */
  heal(): Promise<void>
  /** Compares what the reader has with what there is. */
  compare(there: Overview): void
  close(): void
}

/** Follows from the beginning: every entry once, in order. [SYNC1, PRJ3] */
export function createReader(parts: {
  readonly conversationId: string
  readonly bus: LiveBus
  readonly log: Pick<EntryLog, 'read'>
  readonly violate: Violate
}): Reader {
  const { conversationId, bus, log, violate } = parts
  let state = overview.initial
  let isOpen = true
  const unsubscribe = bus.subscribe(conversationId, hear)

  function take(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.seq <= state.head) continue
      if (entry.seq !== state.head + 1)
        violate('SYNC1', `A reader of ${conversationId} at ${state.head} was given ${entry.seq}`)
      state = overview.reduce(state, [entry])
    }
  }

  function hear(message: LiveMessage): void {
    if (!isOpen || message.type !== 'entries') return
    const first = message.entries[0]
    if (!first) return
    for (const [index, entry] of message.entries.entries())
      if (entry.seq !== first.seq + index) violate('SYNC1', `A message of the bus about ${conversationId} has a gap`)
    if (first.seq <= state.head + 1) take(message.entries)
  }

  return {
    conversationId,
    async heal() {
      for (;;) {
        const page = await log.read({ conversationId, after: state.head, limit: 100 })
        if (!isOpen) return
        take(page.entries)
        if (state.head >= page.head) return
      }
    },
    compare(there) {
      if (JSON.stringify(sorted(state)) !== JSON.stringify(sorted(there)))
        violate(
          'PRJ3',
          `A reader of ${conversationId} has another state at ${state.head} than there is at ${there.head}`,
        )
    },
    close() {
      isOpen = false
      unsubscribe()
    },
  }
}
