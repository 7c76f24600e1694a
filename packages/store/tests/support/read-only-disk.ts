/**
 * Child of the disk tests: makes a store, makes its disk read-only, and reports as JSON.
 *
 * Argument: the folder of the disk, on which nothing else is mounted.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { StoreOpenError } from '@holdfast/conversation'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { appendTo, countLost } from './disk-appends.ts'
import { systemClock } from './system-clock.ts'

const [disk = ''] = process.argv.slice(2)
const dataDir = join(disk, 'data')
const heads = new Map<string, number>()
const first = await createSqliteStore({ dataDir, clock: systemClock })
for (let round = 0; round < 5; round++) await appendTo(first.store, 'a', heads)
await first.close()
remount('ro')
const openedReadOnly = await createSqliteStore({ dataDir, clock: systemClock }).then(
  async ({ close }) => {
    await close()
    return 'opened'
  },
  (error: unknown) => (error instanceof StoreOpenError ? error.code : String(error)),
)
remount('rw')
const again = await createSqliteStore({ dataDir, clock: systemClock })
const lost = await countLost(again.store, heads)
await again.close()
process.stdout.write(JSON.stringify({ openedReadOnly, lost }))

function remount(mode: string): void {
  const { status, stderr } = spawnSync('mount', ['-o', `remount,${mode}`, disk], { encoding: 'utf8', timeout: 20_000 })
  if (status !== 0) throw new Error(`The disk could not be made ${mode}: ${stderr}`)
}
