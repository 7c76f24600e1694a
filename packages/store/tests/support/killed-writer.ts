/**
 * Child of the test of the write-ahead file: writes three logs, says so, and waits to be killed.
 *
 * Arguments: the data folder, the length of each log.
 */
import { conversationCreated, userMessageSent } from '@holdfast/conversation/testing'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { systemClock } from './system-clock.ts'

const [dataDir = '', length = '0'] = process.argv.slice(2)
const { store } = await createSqliteStore({ dataDir, clock: systemClock })
for (let after = 0; after < Number(length); after++) {
  await Promise.all(
    ['a', 'b', 'c'].map((conversationId) => {
      const entry =
        after === 0 ? conversationCreated('user_1') : userMessageSent('run_1', `input_${after}`, `words ${after}`)
      return store.append({ conversationId, after, entries: [entry], at: 1_000 + after })
    }),
  )
}
process.stdout.write('written\n')
