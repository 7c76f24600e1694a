import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { USUAL_SETTINGS } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import { createSettingDirectory, type FixedSettings } from '@holdfast/server'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readStoredFacts } from '../src/cli/reach/stored-facts.ts'
import { createLearntWindows } from '../src/providers/learnt-windows.ts'

let dataDir = ''

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-facts-'))
})

afterEach(() => rm(dataDir, { recursive: true }))

const facts = (fixedSettings: readonly FixedSettings[]) =>
  readStoredFacts({ dataDir, databaseUrl: null, fixedSettings, configPath: join(dataDir, 'holdfast.json') })

test('[CLI7] a look at the set-up counts what is stored: the network of commands, and windows that were learnt', async () => {
  const opened = await createSqliteStore({ dataDir: join(dataDir, 'store'), clock: systemClock })
  const { records } = opened
  const warn = () => {}
  await createSettingDirectory({ records, clock: systemClock, fixed: [], warn }).change({ commandNetwork: 'none' })
  createLearntWindows({ records, clock: systemClock, warn }).learn(
    { modelId: 'local/m', windowTokens: 8_192, isNamed: true },
    null,
  )
  // While the store is open elsewhere, and after it was closed.
  await expect.poll(async () => (await facts([])).windows.countingFor('local/m', null)).toBe(8_192)
  expect((await facts([])).settings.commandNetwork).toBe('none')
  await opened.close()
  const { settings, windows } = await facts([])
  expect(settings).toEqual({ ...USUAL_SETTINGS, commandNetwork: 'none' })
  expect([windows.countingFor('local/m', null), windows.countingFor('local/m', 32_000)]).toEqual([8_192, 32_000])
  const fixed = {
    source: 'environment',
    place: 'HOLDFAST_COMMAND_NETWORK',
    values: { commandNetwork: 'host' },
  } as const
  expect((await facts([fixed])).settings.commandNetwork).toBe('host')
  // What was looked at opens as what it was.
  const again = await createSqliteStore({ dataDir: join(dataDir, 'store'), clock: systemClock })
  await again.close()
})

test('[CLI7] where nothing is stored, what is fixed or usual counts, and nothing is made', async () => {
  const { settings, windows } = await facts([])
  expect(settings).toEqual(USUAL_SETTINGS)
  expect(windows.countingFor('local/m', 4_096)).toBe(4_096)
  expect(await readdir(dataDir)).toEqual([])
})
