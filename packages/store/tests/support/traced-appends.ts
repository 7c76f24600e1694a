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
await Promise.all(Array.from({ length: 4 }, (_, writer) => write(`conversation_${writer}`, writer < 2)))
await close()

/** Half of the writers take and give back their leases inside of appends. */
async function write(conversationId: string, isWithin: boolean): Promise<void> {
  const lease = { holder: 'traced', ttlMs: 60_000 }
  let epoch = 0
  for (let after = 0; after < Number(count); after++) {
    const takes = after % 3 === 1
    const givesBack = after % 3 === 0 && epoch > 0
    if (takes && !isWithin) epoch = (await store.acquireLease({ conversationId, ...lease }))?.epoch ?? 0
    const entry =
      after === 0 ? conversationCreated('user_1') : titleChanged(`Title ${after} ${'x'.repeat(after % 50)}`, 'user')
    const appended = await store.append({
      conversationId,
      after,
      entries: [entry],
      at: 1_000 + after,
      ...(takes && isWithin ? { acquire: lease } : epoch === 0 ? {} : { epoch }),
      ...(givesBack && isWithin ? { release: true } : {}),
    })
    epoch = appended.lease?.epoch ?? epoch
    writeSync(1, `ack ${conversationId} ${after + 1} ${epoch}\n`)
    if (givesBack && !isWithin) await store.releaseLease({ conversationId, epoch })
  }
}
