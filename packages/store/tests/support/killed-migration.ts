/**
 * Child of the migration tests: brings a store to version 2 by a migration that kills its own process.
 *
 * Arguments: the data folder, and after how many statements it is killed.
 */
import { storeFiles } from '../../src/sqlite/files/files.ts'
import { MIGRATIONS } from '../../src/sqlite/files/migrations.ts'
import { openStore } from '../../src/sqlite/files/open-store.ts'
import { SECOND_MIGRATION_STATEMENTS } from './second-migration.ts'

const [dataDir = '', killedAfter = '0'] = process.argv.slice(2)
const options = { busyTimeoutMs: 100, maxPages: null, now: 1_000 }
openStore(storeFiles(dataDir), options, [
  ...MIGRATIONS,
  (database) => {
    SECOND_MIGRATION_STATEMENTS.forEach((statement, index) => {
      if (index === Number(killedAfter)) process.kill(process.pid, 'SIGKILL')
      database.exec(statement)
    })
  },
])
