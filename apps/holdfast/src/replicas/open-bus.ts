import {
  type Clock,
  type Draft,
  type Ids,
  type RecordKind,
  type Records,
  RevisionConflictError,
} from '@holdfast/conversation'
import { createInProcessBus, type LiveBus } from '@holdfast/engine'
import { type Carrier, createReplicaBus, type Diagnostics } from '@holdfast/server'
import * as z from 'zod'
import type { OpenStore } from '../store/open-store.ts'
import type { ReplicaConfig } from './replica-config.ts'

/** The live bus of this process. */
export interface OpenBus {
  readonly bus: LiveBus
  /** The open step of a run at another server of the database. */
  openDraft(conversationId: string): Draft | null
  /** It is closed before the store. */
  close(): Promise<void>
}

/** What it is opened with. */
export interface OpenBusDeps {
  readonly opened: Pick<OpenStore, 'store' | 'records' | 'openDoorbell'>
  readonly replicaId: string
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Diagnostics
}

/** Opens the bus of one process alone, or of one of several on one database. [SCALE2] */
export async function openBus(config: ReplicaConfig, deps: OpenBusDeps): Promise<OpenBus> {
  const { opened, replicaId, clock, log } = deps
  const own = createInProcessBus()
  if (opened.openDoorbell === null) return { bus: own, openDraft: () => null, close: async () => {} }
  const carrier = config.redisUrl === null ? null : await openCarrier(config.redisUrl, deps)
  const bus = createReplicaBus({
    replicaId,
    bus: own,
    store: opened.store,
    clock,
    doorbell: () => doorbell,
    carrier,
    onCarrier({ isWorking, reason }) {
      if (isWorking) log.info('Redis carries what streams to the other servers', {})
      else log.warn('Redis does not work; what streams comes through the database, up to a second later', { reason })
    },
    onError: (error) => log.error('what other servers wrote cannot be read', { error }),
  })
  const doorbell = opened.openDoorbell(
    { replicaId, ...(config.databaseDirectUrl === null ? {} : { listenTo: config.databaseDirectUrl }) },
    {
      onRing: bus.hearRing,
      onMissed: bus.missed,
      onChange({ isHeard, reason }) {
        if (isHeard) log.info('the database tells at once what other servers write', {})
        else
          log.warn('the database does not tell what other servers write; it is looked for twice a second', { reason })
      },
    },
  )
  return {
    bus,
    openDraft: bus.openDraft,
    async close() {
      bus.close()
      await Promise.all([carrier?.close(), doorbell.close()])
    },
  }
}

/** The library takes time to load; most installations have no Redis. */
async function openCarrier(url: string, { opened, replicaId, clock, ids }: OpenBusDeps): Promise<Carrier> {
  const { createRedisCarrier } = await import('@holdfast/server/redis')
  const installationId = await installationIdOf(opened.records, { clock, ids })
  return createRedisCarrier({ url, installationId, replicaId, clock })
}

/** What tells this installation from others on the same Redis. */
const INSTALLATION = {
  kind: 'installation',
  schema: z.object({ installationId: z.string().min(1) }),
} as const satisfies RecordKind<{ installationId: string }>

const PLACE = { ownerId: 'installation', id: 'installation' } as const

/** The id that all servers of a database share; the first one that asks makes it. */
async function installationIdOf(
  records: Pick<Records, 'get' | 'put'>,
  { clock, ids }: Pick<OpenBusDeps, 'clock' | 'ids'>,
): Promise<string> {
  const known = await records.get(INSTALLATION, PLACE)
  if (known) return known.value.installationId
  const installationId = ids.next('run')
  try {
    await records.put(INSTALLATION, { ...PLACE, revision: 0, at: clock.now(), value: { installationId } })
    return installationId
  } catch (error) {
    if (!(error instanceof RevisionConflictError)) throw error
    const made = await records.get(INSTALLATION, PLACE)
    if (!made) throw error
    return made.value.installationId
  }
}
