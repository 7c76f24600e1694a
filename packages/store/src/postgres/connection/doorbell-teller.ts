import { type Clock, type Ring, StoreWriteError } from '@holdfast/conversation'
import type { Database } from './database.ts'
import { echoText, ringTexts } from './ring-text.ts'
import { createWaitingRings } from './waiting-rings.ts'

/** The channel of PostgreSQL that the replicas of one database listen to. */
export const CHANNEL = 'holdfast_doorbell'

/** Tells the others over the pool, in statements of their own: no append waits for the lock that a commit with a notification takes. */
export interface DoorbellTeller {
  ring(ring: Ring): void
  /** Tells a word that only this replica wants to hear. */
  echo(word: string): void
  close(): Promise<void>
}

/** What it tells with, and for whom. */
export interface DoorbellTellerDeps {
  readonly database: Pick<Database, 'writeOnce'>
  readonly clock: Clock
  readonly replicaId: string
}

const NOTIFY = 'SELECT pg_notify($1, told.text) FROM unnest($2::text[]) AS told (text)'

/** What is rung in one moment is told together. In milliseconds. */
const GATHER_MS = 20

/** Before another try, where nothing could be told. In milliseconds. */
const AGAIN_MS = 1_000

/** Makes the teller of a replica, which tells one text after the other. */
export function createDoorbellTeller({ database, clock, replicaId }: DoorbellTellerDeps): DoorbellTeller {
  const waiting = createWaitingRings()
  let cancel: (() => void) | null = null
  let telling: Promise<void> | null = null
  let isClosed = false

  function plan(afterMs: number): void {
    if (isClosed || telling) return
    cancel ??= clock.after(afterMs, () => {
      cancel = null
      telling = tell()
    })
  }

  async function tell(): Promise<void> {
    const rings = waiting.take()
    const isTold = await notify(ringTexts(replicaId, rings))
    if (!isTold) for (const ring of rings) waiting.add(ring)
    telling = null
    if (!waiting.isEmpty()) plan(isTold ? GATHER_MS : AGAIN_MS)
  }

  /** What keeps it from being told keeps appends from being written, and they say so. */
  async function notify(texts: readonly string[]): Promise<boolean> {
    if (texts.length === 0) return true
    try {
      await database.writeOnce(NOTIFY, [CHANNEL, texts])
      return true
    } catch (error) {
      if (error instanceof StoreWriteError) return false
      throw error
    }
  }

  return {
    ring(ring) {
      waiting.add(ring)
      plan(GATHER_MS)
    },
    echo: (word) => void notify([echoText(replicaId, word)]),
    async close() {
      isClosed = true
      cancel?.()
      await telling
    },
  }
}
