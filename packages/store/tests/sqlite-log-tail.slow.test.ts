import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Entry, StoreOpenError } from '@holdfast/conversation'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { storeFiles } from '../src/sqlite/files/files.ts'
import { startChild } from './support/child-process.ts'
import { openInThread } from './support/in-thread-store.ts'
import { newFolder, readLog } from './support/sqlite-harness.ts'

const FULL = process.env['HOLDFAST_FULL'] === '1'
const PLACES = FULL ? 1_000 : 100

const IDS = ['a', 'b', 'c']

describe('the write-ahead file of a killed process', { retry: 0 }, () => {
  it('[LOG1, LOG7] gives an exact prefix of every log wherever its tail was cut or garbled, or says that all is lost', async () => {
    const folder = await newFolder()
    const killed = join(folder, 'killed')
    const child = startChild('killed-writer.ts', [killed, '40'])
    expect(await child.nextLine()).toBe('written')
    await child.kill()
    const wal = readFileSync(storeFiles(killed).wal)
    const whole = await logsOf(killed, { dataDir: join(folder, 'whole'), wal })
    for (const log of whole) expect(log.length).toBe(40)
    const places = fc.sample(fc.noBias(fc.integer({ min: 0, max: wal.length - 1 })), { numRuns: PLACES, seed: 11 })
    let shortened = 0
    let named = 0
    for (const [number, place] of places.entries()) {
      const spoilt = number % 2 === 0 ? wal.subarray(0, place) : garbled(wal, place)
      const logs = await logsOrLoss(killed, { dataDir: join(folder, String(number)), wal: spoilt })
      // Without its first pages the file has nothing of its generation left.
      if (logs === null) named += 1
      logs?.forEach((log, index) => {
        expect(log).toEqual(whole[index]?.slice(0, log.length))
        if (log.length < 40) shortened += 1
      })
    }
    expect(shortened).toBeGreaterThan(PLACES)
    expect(named).toBeLessThan(PLACES / 2)
  }, 1_800_000)
})

/** Null where the store says that it has lost what was written last. */
async function logsOrLoss(...args: Parameters<typeof logsOf>): Promise<readonly Entry[][] | null> {
  try {
    return await logsOf(...args)
  } catch (error) {
    if (error instanceof StoreOpenError && error.code === 'damaged') return null
    throw error
  }
}

/** The logs of a copy of the killed store, with this write-ahead file. */
async function logsOf(killed: string, { dataDir, wal }: { dataDir: string; wal: Buffer }): Promise<readonly Entry[][]> {
  mkdirSync(dataDir)
  const from = storeFiles(killed)
  const to = storeFiles(dataDir)
  copyFileSync(from.state, to.state)
  copyFileSync(from.database, to.database)
  writeFileSync(to.wal, wal)
  const store = openInThread(dataDir, () => undefined)
  const logs: Entry[][] = []
  for (const id of IDS) {
    const log = await readLog(store, id)
    const row = await store.readListing(id)
    expect(row?.head ?? 0).toBe(log.length)
    logs.push(log)
  }
  await store.close()
  return logs
}

/** Other bytes from a place on, as a disk may leave them that lost power while it wrote. */
function garbled(wal: Buffer, place: number): Buffer {
  const spoilt = Buffer.from(wal)
  for (let index = place; index < spoilt.length; index++) spoilt[index] = (index * 131 + 7) % 256
  return spoilt
}
