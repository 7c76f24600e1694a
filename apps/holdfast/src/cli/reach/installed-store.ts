import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EntryStore, type IntegrityReport, type Records, StoreOpenError } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import type { BucketOptions } from '@holdfast/store/bucket'
import {
  backupSqliteStore,
  checkSqliteStore,
  copySqliteDatabase,
  createSqliteStore,
  restoreSqliteStore,
} from '@holdfast/store/sqlite'
import { CliError } from '../../cli-error.ts'
import type { Config } from '../../config.ts'

/** The store of an installation, as the commands look after it. Servers may work on it meanwhile. */
export interface InstalledStore {
  /** How the files that `backup` makes in a folder end. */
  readonly backupEnding: string
  /** Copies everything, as it is at one moment, into a file that does not exist. */
  backup(file: string, signal: AbortSignal): Promise<void>
  /** Reads everything once and says what is damaged. [LOG7] */
  check(signal: AbortSignal): Promise<IntegrityReport>
  /** Puts a backup in the place of what is there. @returns where that is, in words. */
  restore(backup: { readonly from: string; readonly force: boolean; readonly signal: AbortSignal }): Promise<string>
  /** Reads what was used. */
  withUsage<Value>(read: (store: UsageReader) => Promise<Value>, signal: AbortSignal): Promise<Value>
}

/** What is read of a store for what was used, and by whom. */
export type UsageReader = Pick<EntryStore, 'readUsage' | 'readListing'> & { readonly records: Pick<Records, 'get'> }

/** The store in the data folder, or the database that HOLDFAST_DATABASE_URL names. */
export function installedStore({
  dataDir,
  databaseUrl,
  bucket,
}: Pick<Config, 'dataDir' | 'databaseUrl' | 'bucket'>): InstalledStore {
  const contents = bucket === null ? {} : { bucket }
  return databaseUrl === null ? storeInFolder(join(dataDir, 'store'), contents) : storeInDatabase(databaseUrl, contents)
}

/** Where content may be that is not in the database. */
interface Contents {
  readonly bucket?: BucketOptions
}

function storeInFolder(dataDir: string, contents: Contents): InstalledStore {
  return {
    backupEnding: '.sqlite',
    backup: (file, signal) => backupSqliteStore({ dataDir, file, signal, ...contents }),
    check: (signal) => checkSqliteStore({ dataDir, signal, ...contents }),
    async restore({ from, force, signal }) {
      await restoreSqliteStore({ from, dataDir, force, signal })
      return dataDir
    },
    async withUsage(read, signal) {
      // Of a copy: one process alone opens the store.
      const folder = await mkdtemp(join(tmpdir(), 'holdfast-usage-'))
      try {
        const file = join(folder, 'copy.sqlite')
        const copy = join(folder, 'store')
        await copySqliteDatabase({ dataDir, file, signal })
        await restoreSqliteStore({ from: file, dataDir: copy, force: false, signal })
        const { store, records, close } = await createSqliteStore({ dataDir: copy, clock: systemClock })
        try {
          return await read({
            readUsage: (query) => store.readUsage(query),
            readListing: (conversationId) => store.readListing(conversationId),
            records,
          })
        } finally {
          await close()
        }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Its driver is loaded when it is needed. [ARCH13] */
function storeInDatabase(connectionString: string, contents: Contents): InstalledStore {
  const look = { connectionString, clock: systemClock, ...contents }
  const postgres = () => import('@holdfast/store/postgres')
  return {
    backupEnding: '.postgres.gz',
    backup: async (file, signal) => (await postgres()).lookAtPostgresStore(look, (view) => view.backup(file, signal)),
    check: async (signal) => (await postgres()).lookAtPostgresStore(look, (view) => view.check(signal)),
    async restore({ from, force }) {
      if (force)
        throw new CliError(
          'E_USAGE',
          2,
          'A database is never replaced: leave --force out, and name an empty database in HOLDFAST_DATABASE_URL.',
        )
      const { restorePostgresStore } = await postgres()
      try {
        await restorePostgresStore({ from, connectionString })
      } catch (error) {
        if (!(error instanceof StoreOpenError && error.code === 'exists')) throw error
        const words = `${error.message}. Name an empty database in HOLDFAST_DATABASE_URL.`
        throw new CliError('E_STORE_EXISTS', 1, words, { cause: error })
      }
      return 'the database of HOLDFAST_DATABASE_URL'
    },
    withUsage: async (read) => (await postgres()).lookAtPostgresStore(look, read),
  }
}
