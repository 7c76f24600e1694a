import { join } from 'node:path'
import { type Records, type Settings, StoreOpenError, StoreReadError } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import type { WorkspaceRow } from '@holdfast/protocol'
import { createSettingDirectory, createWorkspaceDirectory } from '@holdfast/server'
import { readSqliteRecords } from '@holdfast/store/sqlite'
import type { Config } from '../../config.ts'
import { fixedOrUsual } from '../../fixed-settings.ts'
import { createLearntWindows, type LearntWindows } from '../../providers/learnt-windows.ts'
import { createFolderChooser } from '../../workspaces/folder-chooser.ts'

/** What a start would find set over the API and learnt in conversations. */
export interface StoredFacts {
  readonly settings: Settings
  readonly windows: Pick<LearntWindows, 'countingFor' | 'learn'>
  /** The folders that were opened as workspaces; null where nobody can know. */
  readonly workspaces: readonly Pick<WorkspaceRow, 'name' | 'root' | 'isThere'>[] | null
  /** What is stored and does not hold, in words. */
  readonly warnings: readonly string[]
}

/** Reads them from the data folder and changes nothing. Where there is no store that can be read, it holds nothing. [CLI7] */
export async function readStoredFacts(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'fixedSettings' | 'configPath'>,
): Promise<StoredFacts> {
  if (config.databaseUrl !== null) return nothingStored(config)
  try {
    const { records, close } = await readSqliteRecords({ dataDir: join(config.dataDir, 'store') })
    try {
      return await factsIn({ get: records.get, list: records.list, put: refuseToWrite, remove: refuseToWrite }, config)
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
  records: Pick<Records, 'get' | 'list' | 'put' | 'remove'>,
  { fixedSettings, configPath }: Pick<Config, 'fixedSettings' | 'configPath'>,
): Promise<StoredFacts> {
  const warnings: string[] = []
  const deps = { records, clock: systemClock, warn: (message: string) => void warnings.push(message) }
  const directory = createSettingDirectory({ ...deps, fixed: fixedSettings })
  const windows = createLearntWindows(deps)
  await directory.refresh()
  await windows.refresh()
  const workspaces = createWorkspaceDirectory({
    ...deps,
    chooser: createFolderChooser({ roots: [], closed: [], configPath }),
    startRoot: null,
    whenUsed: async () => {},
  })
  await workspaces.refresh()
  return {
    settings: directory.now(),
    windows: { countingFor: windows.countingFor, learn() {} },
    workspaces: workspaces.rows(OPERATOR),
    warnings,
  }
}

/** Whoever reads the store of a data folder sees all that is in it. */
const OPERATOR = { userId: 'operator', role: 'admin' } as const

function nothingStored(config: Pick<Config, 'fixedSettings' | 'databaseUrl'>): StoredFacts {
  return {
    settings: fixedOrUsual(config),
    windows: { countingFor: (_, toldTokens) => toldTokens, learn() {} },
    workspaces: config.databaseUrl === null ? [] : null,
    warnings: [],
  }
}

async function refuseToWrite(): Promise<never> {
  throw new Error('A look at the set-up writes nothing')
}
