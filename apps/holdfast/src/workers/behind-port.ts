import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '@holdfast/engine/system'
import { createStartUpToken, type StartUpToken } from '@holdfast/server'
import type { Config } from '../config.ts'

/** What a process has that serves one port together with others. [SCALE4] */
export interface BehindPort {
  /** Where people reach all of them. */
  readonly address: { readonly host: string; readonly port: number }
  /** Names this run of all of them. */
  readonly run: string
  /** Whether no other of them runs yet. */
  readonly isFirst: boolean
  /** Tells the others that a code has opened a page. */
  tellCodeTaken(code: string): void
  /** Tells the others that another start-up token counts. */
  tellToken(token: string): void
}

/** The start-up token of this process, which tells the others behind the port which codes are taken. */
export function tokenBehind(token: string, behind: BehindPort | null): StartUpToken {
  const own = createStartUpToken({ token, clock: systemClock, ...(behind ? { run: behind.run } : {}) })
  if (!behind) return own
  return {
    ...own,
    takeCode(code) {
      const isGood = own.takeCode(code)
      if (isGood) behind.tellCodeTaken(code)
      return isGood
    },
  }
}

/** What a worker alone keeps lies here, in the data folder. */
export function workerFolder(dataDir: string, number: number): string {
  return join(workersFolder(dataDir), String(number))
}

/** The folders in which there may be notes of commands whose server was killed, and whose server does not run now. [RUN14] */
export async function foldersLeft(
  { dataDir, ownDir }: Pick<Config, 'dataDir' | 'ownDir'>,
  behind: Pick<BehindPort, 'isFirst'> | null,
): Promise<readonly string[]> {
  if (behind && !behind.isFirst) return [ownDir]
  const folder = workersFolder(dataDir)
  const names = existsSync(folder) ? await readdir(folder) : []
  return [dataDir, ...names.map((name) => join(folder, name))]
}

function workersFolder(dataDir: string): string {
  return join(dataDir, 'workers')
}
