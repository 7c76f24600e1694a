import { join } from 'node:path'
import { type Records, type Settings, StoreOpenError, StoreReadError } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import { createSettingDirectory } from '@holdfast/server'
import { readSqliteRecords } from '@holdfast/store/sqlite'
import type { Config } from '../../config.ts'
import { fixedOrUsual } from '../../fixed-settings.ts'
import { createLearntWindows, type LearntWindows } from '../../providers/learnt-windows.ts'

/** What a start would find set over the API and learnt in conversations. */
export interface StoredFacts {
  readonly settings: Settings
  readonly windows: Pick<LearntWindows, 'countingFor' | 'learn'>
  /** What is stored and does not hold, in words. */
  readonly warnings: readonly string[]
}

/** Reads them from the data folder and changes nothing. Where there is no store that can be read, it holds nothing. [CLI7] */
export async function readStoredFacts(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'fixedSettings'>,
): Promise<StoredFacts> {
  if (config.databaseUrl !== null) return nothingStored(config)
  try {
    const { records, close } = await readSqliteRecords({ dataDir: join(config.dataDir, 'store') })
    try {
      return await factsIn({ get: records.get, list: records.list, put: refuseToWrite }, config)
    } finally {
      await close()
    }
  } catch (error) {
    // What is wrong with the store is a finding of its own.
    if (error instanceof StoreOpenError || error instanceof StoreReadError) return nothingStored(config)
    throw error
  }
}

async function factsIn(
  records: Pick<Records, 'get' | 'list' | 'put'>,
  { fixedSettings }: Pick<Config, 'fixedSettings'>,
): Promise<StoredFacts> {
  const warnings: string[] = []
  const deps = { records, clock: systemClock, warn: (message: string) => void warnings.push(message) }
  const directory = createSettingDirectory({ ...deps, fixed: fixedSettings })
  const windows = createLearntWindows(deps)
  await directory.refresh()
  await windows.refresh()
  return { settings: directory.now(), windows: { countingFor: windows.countingFor, learn() {} }, warnings }
}

function nothingStored(config: Pick<Config, 'fixedSettings'>): StoredFacts {
  return {
    settings: fixedOrUsual(config),
    windows: { countingFor: (_, toldTokens) => toldTokens, learn() {} },
    warnings: [],
  }
}

async function refuseToWrite(): Promise<never> {
  throw new Error('A look at the set-up writes nothing')
}
