/**
 * Child of the tests of opening: opens the store of a folder, appends one entry, says so, and keeps it open
 * until it is ended. What keeps it from opening it says too.
 *
 * Argument: the data folder.
 */
import { StoreOpenError } from '@holdfast/conversation'
import { conversationCreated } from '@holdfast/conversation/testing'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { systemClock } from './system-clock.ts'

const [dataDir = ''] = process.argv.slice(2)
try {
  const { store } = await createSqliteStore({ dataDir, clock: systemClock })
  await store.append({ conversationId: 'a', after: 0, entries: [conversationCreated('user_1')], at: 1_000 })
  process.stdout.write('open\n')
} catch (error) {
  if (!(error instanceof StoreOpenError)) throw error
  process.stdout.write(`${error.code}: ${error.message}\n`)
}
