/**
 * Child of the disk tests: fills a small disk with a store, frees space, goes on, and reports as JSON.
 *
 * Argument: the folder of the disk.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreWriteError } from '@holdfast/conversation'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { appendTo, countLost } from './disk-appends.ts'
import { systemClock } from './system-clock.ts'

const [disk = ''] = process.argv.slice(2)
const ballast = join(disk, 'ballast')
writeFileSync(ballast, Buffer.alloc(8 * 1024 * 1024))
const dataDir = join(disk, 'data')
const first = await createSqliteStore({ dataDir, clock: systemClock })
const heads = new Map<string, number>()
const refusals = new Set<string>()
for (let round = 0; round < 10_000 && refusals.size === 0; round++) {
  await Promise.all(
    ['a', 'b', 'c'].map(async (id) => {
      try {
        await appendTo(first.store, id, heads)
      } catch (error) {
        if (!(error instanceof StoreWriteError)) throw error
        refusals.add(error.code)
      }
    }),
  )
}
const lostWhenFull = await countLost(first.store, heads)
rmSync(ballast)
let wentOn = true
for (const id of ['a', 'b', 'c']) {
  await appendTo(first.store, id, heads).catch(() => {
    wentOn = false
  })
}
await first.close()
const again = await createSqliteStore({ dataDir, clock: systemClock })
const lost = lostWhenFull + (await countLost(again.store, heads))
const { damages } = await again.store.check(new AbortController().signal)
await again.close()
const acknowledged = [...heads.values()].reduce((sum, head) => sum + head, 0)
process.stdout.write(JSON.stringify({ acknowledged, refusals: [...refusals], lost, wentOn, damages }))
