/**
 * Child of the power-loss test: appends to a SQLite store from several writers, each under leases that it takes and gives
 * back, and says each acknowledgement with its epoch by one write to its standard output.
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
  const lease = { conversationId, holder: 'traced', ttlMs: 60_000 }
  let epoch = 0
  for (let after = 0; after < Number(count); after++) {
    if (after % 3 === 1) epoch = (await store.acquireLease(lease))?.epoch ?? 0
    const entry =
      after === 0 ? conversationCreated('user_1') : titleChanged(`Title ${after} ${'x'.repeat(after % 50)}`, 'user')
    const held = epoch === 0 ? {} : { epoch }
    await store.append({ conversationId, after, entries: [entry], at: 1_000 + after, ...held })
    writeSync(1, `ack ${conversationId} ${after + 1} ${epoch}\n`)
    if (after % 3 === 0 && epoch > 0) await store.releaseLease({ conversationId, epoch })
  }
}
