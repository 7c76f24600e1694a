import type { Clock } from '@holdfast/conversation'
import { createClient } from '@redis/client'
import type { Carrier, CarrierListener } from '../replicas/carrier.ts'
import { redisReason } from './redis-reason.ts'

/** Where Redis is, and who speaks. */
export interface RedisCarrierOptions {
  /** As `redis://USER:PASSWORD@HOST:PORT`, or `rediss://` with TLS. */
  readonly url: string
  /** What all replicas of one installation have in common, and no other installation on the same Redis. */
  readonly installationId: string
  readonly replicaId: string
  readonly clock: Pick<Clock, 'after' | 'monotonicMs'>
}

/** How long things may take and how far apart they are, in milliseconds. */
const REDIS_MS = {
  /** Between two words to oneself. */
  echo: 500,
  /** Until such a word must have come back; else it does not work, also where it comes later. */
  silence: 1_000,
  connect: 3_000,
  /** Between two tries to connect, at first and at the longest. */
  leastPause: 100,
  mostPause: 2_000,
  /** A connection that says nothing for so long is given up and made anew. */
  dead: 5_000,
} as const

/**
 * Carries by Redis: a channel for each replica and one for all, and nothing that Redis keeps. Whether it works is known by a
 * word that a replica sends itself, over both of its connections, twice a second: when it comes back, and how old it is then.
 * One that is slower than the store does not work. [SCALE2, SCALE28]
 */
export function createRedisCarrier({ url, installationId, replicaId, clock }: RedisCarrierOptions): Carrier {
  const inboxOf = (id: string) => `holdfast:${installationId}:inbox:${id}`
  const all = `holdfast:${installationId}:all`
  const echoes = `holdfast:${installationId}:echo:${replicaId}`
  const [speaker, hearer] = [connectionTo(url), connectionTo(url)]
  let events: CarrierListener | null = null
  /** Null until the first word has come back or failed. */
  let isWorking: boolean | null = null
  let failure: string | null = null
  let cancelEcho = (): void => {}
  let cancelSilence: (() => void) | null = null
  let isClosed = false

  for (const connection of [speaker, hearer])
    connection.on('error', (error: unknown) => {
      failure = redisReason(error)
      become({ isWorking: false, reason: failure })
    })

  function become(change: Parameters<CarrierListener['onChange']>[0]): void {
    if (isClosed || change.isWorking === isWorking) return
    isWorking = change.isWorking
    events?.onChange(change)
  }

  async function publish(channel: string, text: string): Promise<boolean> {
    if (!speaker.isReady || isClosed) return false
    try {
      await speaker.publish(channel, text)
      return true
    } catch (error) {
      become({ isWorking: false, reason: redisReason(error) })
      return false
    }
  }

  /** Until both connections are there nothing is published; the silence says so. */
  function echo(): void {
    cancelSilence ??= clock.after(REDIS_MS.silence, () => {
      cancelSilence = null
      become({ isWorking: false, reason: failure ?? `it did not answer within ${REDIS_MS.silence} ms` })
    })
    void publish(echoes, String(clock.monotonicMs()))
    cancelEcho = clock.after(REDIS_MS.echo, echo)
  }

  function hearEcho(saidMs: string): void {
    if (clock.monotonicMs() - Number(saidMs) > REDIS_MS.silence) return
    cancelSilence?.()
    cancelSilence = null
    failure = null
    become({ isWorking: true, reason: null })
  }

  async function connect(): Promise<void> {
    void speaker.connect().catch(() => {})
    try {
      await hearer.connect()
      const hear = (text: string) => events?.onText(text)
      await hearer.subscribe([all, inboxOf(replicaId)], hear)
      await hearer.subscribe(echoes, hearEcho)
    } catch {
      // Its 'error' has said why; it ends here only where it was closed.
    }
  }

  return {
    open(given) {
      events = given
      void connect()
      echo()
    },
    isWorking: () => isWorking === true,
    sendTo: (id, text) => publish(inboxOf(id), text),
    sendToAll: (text) => publish(all, text),
    async close() {
      isClosed = true
      cancelEcho()
      cancelSilence?.()
      for (const connection of [speaker, hearer]) if (connection.isOpen) connection.destroy()
    },
  }
}

/** It connects again for ever, and answers what cannot be sent now with an error at once. */
function connectionTo(url: string) {
  return createClient({
    url,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: {
      connectTimeout: REDIS_MS.connect,
      socketTimeout: REDIS_MS.dead,
      reconnectStrategy: (retries: number) =>
        Math.min(REDIS_MS.leastPause * 2 ** Math.min(retries, 8), REDIS_MS.mostPause),
    },
  })
}
