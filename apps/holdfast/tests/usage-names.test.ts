import { systemClock } from '@holdfast/engine/system'
import { createSeal } from '@holdfast/server'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, test } from 'vitest'
import { usageName } from '../src/cli/terminal/usage-names.ts'
import { createStoredExternals } from '../src/external/stored-externals.ts'

test('[AGENT62] usage in the terminal has names with their keys: of agents, external ones, and who paid; what is gone by its id', async () => {
  const { records } = createMemoryStore({ clock: systemClock })
  const seal = createSeal(new Uint8Array(32).fill(1), 'external-agents')
  const stored = createStoredExternals({ records, seal, clock: systemClock })
  await stored.put({ id: 'ours', revision: 0, name: 'Our agent', command: 'ours', args: [], env: {} })
  const own = { name: '', description: '', avatar: null, settings: {}, presetId: null, voice: null, starters: [] }
  const config = {
    agents: [{ ...own, id: 'house', name: 'House' }],
    externalAgents: [{ id: 'filed', name: 'From the file', command: 'filed', args: [], env: {} }],
    providers: [{ providerId: 'anth', name: 'Anthropic of the house' }],
  }
  const named = (by: 'agent' | 'model' | 'payer' | 'day', keys: readonly string[]) =>
    Promise.all(keys.map((key) => usageName({ config, records }, { by, key })))
  expect(await named('agent', ['', 'default', 'house', 'gone', 'external:ours', 'external:filed'])).toEqual([
    ...['no agent', 'Holdfast (default)', 'House (house)', 'gone'],
    ...['Our agent (external:ours)', 'From the file (external:filed)'],
  ])
  expect(await named('model', ['anth/claude', 'external:opencode/external:opencode'])).toEqual([
    'anth/claude',
    'opencode (external:opencode/external:opencode)',
  ])
  expect(await named('payer', ['anth', 'other', 'external:opencode', 'external:left'])).toEqual([
    ...['Anthropic of the house (anth)', 'other'],
    ...['opencode, by its own sign-in (external:opencode)', 'left, by its own sign-in (external:left)'],
  ])
  expect(await named('day', ['2026-11-28'])).toEqual(['2026-11-28'])
})
