import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { systemClock } from '../lib/stores.ts'

/** Between two looks at the memory, in milliseconds. */
const LOOK_MS = 20

/** The id of the process that serves a data folder. */
export async function processOf(dataDir: string): Promise<number> {
  const noted = JSON.parse(await readFile(join(dataDir, 'server.json'), 'utf8'))
  return z.object({ pid: z.number() }).parse(noted).pid
}

/** Says how much memory the server of a data folder has at the moment, in bytes. */
export async function memoryOf(dataDir: string): Promise<() => Promise<number>> {
  const pid = await processOf(dataDir)
  return async () => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
}

/** The most that it had until something is over. */
export async function highestOf(memory: () => Promise<number>, isOver: () => boolean): Promise<number> {
  let highest = 0
  while (!isOver()) {
    highest = Math.max(highest, await memory())
    await new Promise<void>((resolve) => systemClock.after(LOOK_MS, resolve))
  }
  return highest
}
