import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createSqliteStore } from '@holdfast/store/sqlite'
import type { Benchmark } from '../lib/measure.ts'
import { fillConversation, inTemporaryFolder, systemClock } from '../lib/stores.ts'

const ENTRIES = 1_000_000

/** Memory of a process of its own that reads a whole long log, page by page. */
export const memory: Benchmark = {
  name: 'read-memory',
  about: `memory above start while ${ENTRIES.toLocaleString('en')} entries are read page by page, in a process of its own; the baseline is a log of 10,000`,
  run: (report) =>
    inTemporaryFolder(async (folder) => {
      const dataDir = join(folder, 'data')
      const { store, close } = await createSqliteStore({ dataDir, clock: systemClock })
      await fillConversation(store, 'long', ENTRIES)
      await fillConversation(store, 'short', 10_000)
      await close()
      report('filled the logs')
      const value = readAll(dataDir, 'long')
      const baseline = readAll(dataDir, 'short')
      const goal = 'under 64 MiB'
      return [{ name: 'read-memory', value, unit: 'MiB', baseline, ratio: value / baseline, goal, met: value < 64 }]
    }),
}

/** @returns the most memory above start, in MiB. */
function readAll(dataDir: string, conversationId: string): number {
  const child = join(import.meta.dirname, 'read-all.ts')
  const args = [...process.execArgv, child, dataDir, conversationId]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The reading process failed: ${stderr}`)
  return Number(stdout)
}
