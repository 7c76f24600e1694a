import { createSqliteStore } from '@holdfast/store/sqlite'
import { systemClock } from '../lib/stores.ts'

const [dataDir = '', conversationId = ''] = process.argv.slice(2)
const { store, close } = await createSqliteStore({ dataDir, clock: systemClock })
await store.read({ conversationId, after: 0, limit: 200 })
const start = process.memoryUsage.rss()
let most = start
for (let after = 0; ; ) {
  const { entries, head } = await store.read({ conversationId, after, limit: 200 })
  after = entries.at(-1)?.seq ?? head
  most = Math.max(most, process.memoryUsage.rss())
  if (after >= head) break
}
await close()
console.log(((most - start) / 1_048_576).toFixed(1))
