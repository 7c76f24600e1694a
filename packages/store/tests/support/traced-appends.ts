/**
 * Child of the power-loss test: appends to a SQLite store from several writers and says each
 * acknowledgement by one write to its standard output.
 *
 * Arguments: data folder, number of appends of each writer.
 */
import { writeSync } from 'node:fs'
import { conversationCreated, titleChanged } from '@holdfast/conversation/testing'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { systemClock } from './system-clock.ts'

const [dataDir = '', count = '0'] = process.argv.slice(2)
const { store, close } = await createSqliteStore({ dataDir, clock: systemClock })
await Promise.all(Array.from({ length: 4 }, (_, writer) => write(`conversation_${writer}`)))
await close()

async function write(conversationId: string): Promise<void> {
  for (let after = 0; after < Number(count); after++) {
    const entry =
      after === 0 ? conversationCreated('user_1') : titleChanged(`Title ${after} ${'x'.repeat(after % 50)}`, 'user')
    await store.append({ conversationId, after, entries: [entry], at: 1_000 + after })
    writeSync(1, `ack ${conversationId} ${after + 1}\n`)
  }
}
