import type { Clock, Doorbell, DoorbellListener } from '@holdfast/conversation'
import pg from 'pg'
import type { Database } from './database.ts'
import { CHANNEL, createDoorbellTeller } from './doorbell-teller.ts'
import { readRingText } from './ring-text.ts'

/** Whose doorbell, and where it listens. */
export interface DoorbellOptions {
  /** Names this replica among those on the database. */
  readonly replicaId: string
  /**
   * Where a session of its own is opened, as `postgres://USER:PASSWORD@HOST:PORT/DATABASE`: behind a pooler in transaction
   * mode nothing is heard.
   */
  readonly listenTo: string
}

/** What it is made of. */
export interface DoorbellDeps extends DoorbellOptions {
  readonly database: Pick<Database, 'writeOnce'>
  readonly clock: Clock
}

/** How long things may take and how far apart they are, in milliseconds. */
const DOORBELL_MS = {
  /** A session that was lost is opened again. */
  reopen: 3_000,
  /** Between two looks at whether notifications still come. */
  check: 10_000,
  /** Until one that was told must have come. */
  echo: 2_000,
  /** Until the session is there. */
  connect: 5_000,
} as const

/**
 * Rings and hears by notifications of PostgreSQL: told over the pool, heard on one session. That they come is known because this
 * replica hears its own, from the start and every 10 s. [SCALE11]
 */
export function openDoorbell(
  { database, clock, replicaId, listenTo }: DoorbellDeps,
  { onRing, onMissed, onChange }: DoorbellListener,
): Doorbell {
  const teller = createDoorbellTeller({ database, clock, replicaId })
  let session: pg.Client | null = null
  let cancelNext = (): void => {}
  let cancelEcho = (): void => {}
  let echo: string | null = null
  let echoCount = 0
  /** Null until the first word to itself has come or not. */
  let isHeard: boolean | null = null
  let isClosed = false
  let opening: Promise<void> = open()

  async function open(): Promise<void> {
    const client = new pg.Client({
      connectionString: listenTo,
      connectionTimeoutMillis: DOORBELL_MS.connect,
      keepAlive: true,
      application_name: 'holdfast doorbell',
    })
    session = client
    client.on('error', (error) => lose(client, error.message))
    client.on('end', () => lose(client, 'the session ended'))
    client.on('notification', ({ payload }) => hear(payload ?? ''))
    try {
      await client.connect()
      await client.query(`LISTEN ${CHANNEL}`)
      if (session === client) check(client)
    } catch (error) {
      lose(client, error instanceof Error ? error.message : String(error))
    }
  }

  function hear(text: string): void {
    const heard = readRingText(text)
    if (heard.from !== replicaId) for (const ring of heard.rings) onRing(ring)
    else if (heard.echo !== null && heard.echo === echo) hearEcho()
  }

  /** Asks whether what is told over the pool comes: a pooler passes on LISTEN and answers it, and nothing follows. */
  function check(client: pg.Client): void {
    echoCount += 1
    echo = String(echoCount)
    cancelEcho = clock.after(DOORBELL_MS.echo, () => lose(client, NOTHING_COMES))
    teller.echo(echo)
  }

  function hearEcho(): void {
    echo = null
    cancelEcho()
    const client = session
    cancelNext = clock.after(DOORBELL_MS.check, () => {
      if (client !== null && session === client) check(client)
    })
    if (isHeard) return
    become({ isHeard: true, reason: null })
    onMissed()
  }

  function lose(client: pg.Client, reason: string): void {
    if (session !== client) return
    session = null
    echo = null
    cancelEcho()
    cancelNext()
    void client.end().catch(() => {})
    if (isClosed) return
    become({ isHeard: false, reason })
    cancelNext = clock.after(DOORBELL_MS.reopen, () => {
      opening = open()
    })
  }

  function become(change: Parameters<DoorbellListener['onChange']>[0]): void {
    if (change.isHeard === isHeard) return
    isHeard = change.isHeard
    onChange(change)
  }

  return {
    ring: teller.ring,
    isHeard: () => isHeard === true,
    async close() {
      isClosed = true
      cancelEcho()
      cancelNext()
      await teller.close()
      const client = session
      session = null
      await opening
      await client?.end()
    },
  }
}

const NOTHING_COMES = 'notifications do not come; behind a pooler in transaction mode they never do'
