/**
 * Child of the tests of lost write-ahead files: appends entries, says so, and ends in its own way with the store open.
 *
 * Arguments: the data folder, how many entries, of how many characters, the way.
 */
import { conversationCreated, userMessageSent } from '@holdfast/conversation/testing'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { systemClock } from './system-clock.ts'

const [dataDir = '', count = '0', size = '0', way = ''] = process.argv.slice(2)
const { store } = await createSqliteStore({ dataDir, clock: systemClock })
const { head } = await store.read({ conversationId: 'a', after: 0, limit: 1 })
for (let after = head; after < head + Number(count); after++) {
  const entry =
    after === 0 ? conversationCreated('user_1') : userMessageSent('run_1', `input_${after}`, 'x'.repeat(Number(size)))
  await store.append({ conversationId: 'a', after, entries: [entry], at: 1_000 + after })
}
process.stdout.write('written\n')
switch (way) {
  case 'exit':
    process.exit(3)
    break
  case 'throw':
    setImmediate(() => {
      throw new Error('planted')
    })
    break
  case 'kill':
    process.kill(process.pid, 'SIGKILL')
    break
  default:
    break
}
