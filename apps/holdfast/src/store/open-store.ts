import { join } from 'node:path'
import type {
  Clock,
  Damage,
  Doorbell,
  DoorbellListener,
  EntryStore,
  Records,
  ReplicaStore,
} from '@holdfast/conversation'
import type { Diagnostics, StoreFacts } from '@holdfast/server'
import { createSqliteStore, sqliteStoreSize } from '@holdfast/store/sqlite'
import type { Config } from '../config.ts'

/** What of the configuration says where everything is kept. */
export type StorePlace = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseConnections' | 'bucket'>

/** An open store, and the other processes that may work on it too. */
export interface OpenStore {
  readonly store: EntryStore
  readonly records: Records
  /** Others may hold leases, withdraw sessions and change providers: then these are they; null where there are none. */
  readonly replicas: ReplicaStore | null
  /** Opens what tells this process and the others of what they write; null where there are no others. */
  readonly openDoorbell: OpenDoorbell | null
  /** What kind of store it is and how large. */
  facts(): Promise<StoreFacts>
  /** From now on nobody waits longer than usual for a database that is busy. [SCHED28] */
  started(): void
  close(): Promise<void>
}

/** So long a start waits for a busy database. */
const START_WAIT_MS = 60_000

/** Listens to the database at the address that all else uses, or at another one. */
type OpenDoorbell = (
  options: { readonly replicaId: string; readonly listenTo?: string },
  events: DoorbellListener,
) => Doorbell

/**
 * Opens the database that HOLDFAST_DATABASE_URL names, or the one in the data folder.
 *
 * @throws {StoreOpenError} when it cannot be opened.
 */
export async function openStore(
  { dataDir, databaseUrl, databaseConnections, bucket }: StorePlace,
  { clock, log }: { readonly clock: Clock; readonly log: Pick<Diagnostics, 'warn' | 'error'> },
): Promise<OpenStore> {
  const onDamage = (damage: Damage): void => log.error('the store is damaged', { ...damage })
  const contents = bucket === null ? {} : { bucket }
  if (databaseUrl === null) {
    const folder = join(dataDir, 'store')
    return {
      ...(await createSqliteStore({ dataDir: folder, clock, onDamage, ...contents })),
      replicas: null,
      openDoorbell: null,
      started: () => {},
      facts: async () => ({ kind: 'sqlite', ...(await sqliteStoreSize(folder)) }),
    }
  }
  const { createPostgresStore } = await import('@holdfast/store/postgres')
  let isStarted = false
  const { sizeBytes, ...opened } = await createPostgresStore({
    connectionString: databaseUrl,
    clock,
    poolSize: databaseConnections,
    patience: {
      limitMs: START_WAIT_MS,
      isOver: () => isStarted,
      onWait: (why) => log.warn('the start waits for the database', { why }),
    },
    ...contents,
  })
  const started = (): void => {
    isStarted = true
  }
  return {
    ...opened,
    started,
    close: () => {
      started()
      return opened.close()
    },
    facts: async () => ({ kind: 'postgres', sizeBytes: await sizeBytes(), writeAheadBytes: null }),
    openDoorbell: (options, events) => opened.openDoorbell({ listenTo: databaseUrl, ...options }, events),
  }
}
