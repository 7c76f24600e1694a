import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Records } from '@holdfast/conversation'
import { systemClock, systemIds } from '@holdfast/engine/system'
import type { ExternalAgent } from '@holdfast/external-agent'
import { externalAgentFields, routes } from '@holdfast/protocol'
import { createAgentDirectory, createSeal, type FileAgent } from '@holdfast/server'
import { createMemoryStore } from '@holdfast/store/memory'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { besideOwn } from '../src/external/beside-own.ts'
import { createExternalDirectory, type RunningExternals } from '../src/external/external-directory.ts'
import { createStoredExternals } from '../src/external/stored-externals.ts'

const CANARY = 'canary-of-a-variable-7f3e'

let folder: string
let records: Records

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-externals-'))
  records = createMemoryStore({ clock: systemClock }).records
})

afterEach(() => rmSync(folder, { recursive: true }))

interface Started {
  readonly secret?: number
  readonly ofFile?: readonly ExternalAgent[]
}

/** A start of the program with this key file and this file of the operator. */
async function started({ secret = 1, ofFile = [] }: Started): Promise<RunningExternals> {
  const seal = createSeal(new Uint8Array(32).fill(secret), 'external-agents')
  const directory = createExternalDirectory({
    stored: createStoredExternals({ records, seal, clock: systemClock }),
    ofFile,
    environment: { PATH: folder },
    test: async () => ({ type: 'fails', code: 'cannot-start', text: 'It said nothing', signIns: [] }),
    choices: async () => expect.unreachable(),
    warn() {},
  })
  await directory.refresh()
  return directory
}

function program(name: string): void {
  writeFileSync(join(folder, name), '#!/bin/sh\n')
  chmodSync(join(folder, name), 0o755)
}

const ids = (directory: RunningExternals) => directory.installed().map(({ id }) => id)
const ours = { name: 'Our Agent', command: 'ours', args: ['--acp'], env: { TOKEN: CANARY, SHORT: '1' } }

test('[AGENT45] what was added is there after a restart; offered is what is installed, and values of variables never come out', async () => {
  const first = await started({})
  const row = await first.add(ours)
  expect(row).toMatchObject({ id: 'our-agent', source: 'stored', isKnown: false, isInstalled: false, revision: 1 })
  expect(row.env).toEqual({ TOKEN: '7f3e', SHORT: null })
  program('ours')
  const again = await started({})
  expect(ids(again)).toEqual(['our-agent'])
  expect(again.installed()[0]).toMatchObject({ command: 'ours', args: ['--acp'], env: { TOKEN: CANARY, SHORT: '1' } })
  // The same object each time: conversations that it answers go on.
  expect(again.installed()[0]).toBe(again.installed()[0])
  expect(JSON.stringify([again.list(), await again.test('our-agent', AbortSignal.timeout(1_000))])).not.toContain(
    CANARY,
  )
  expect(again.secrets()).toEqual([CANARY])
  const stored = await records.list({ kind: 'external-agent', schema: { parse: (value: unknown) => value } } as never, {
    ownerId: 'installation',
    limit: 10,
  })
  expect(JSON.stringify(stored)).toContain('our-agent')
  expect(JSON.stringify(stored)).not.toContain(CANARY)
})

test('[AGENT45] a change names the revision that was read, leaves what it does not name, and takes variables away by null', async () => {
  const directory = await started({})
  await directory.add(ours)
  const changed = await directory.change('our-agent', { revision: 1, name: 'Ours', env: { SHORT: null, MORE: '2' } })
  expect(changed).toMatchObject({ name: 'Ours', command: 'ours', revision: 2, env: { TOKEN: '7f3e', MORE: null } })
  expect(Object.keys(changed.env)).toEqual(['TOKEN', 'MORE'])
  await expect(directory.change('our-agent', { revision: 1, name: 'Late' })).rejects.toMatchObject({ status: 409 })
  await directory.remove('our-agent')
  await expect(directory.test('our-agent', AbortSignal.timeout(1_000))).rejects.toMatchObject({ status: 404 })
})

test('[AGENT45] a known agent is started as the file says, else as was added; what holds it in the mode that asks stays', async () => {
  program('wrapper')
  program('opencode')
  const first = await started({})
  const asKnown = first.installed()[0]
  expect(asKnown).toMatchObject({ id: 'opencode', command: 'opencode' })
  const env = { OPENCODE_CONFIG_CONTENT: '{"model":"demo/a","permission":{"bash":"allow"}}' }
  expect(await first.add({ id: 'opencode', name: 'Mine', command: 'wrapper', env })).toMatchObject({
    isKnown: true,
    source: 'stored',
  })
  expect(first.list().filter(({ id }) => id === 'opencode')).toHaveLength(1)
  const started1 = first.installed()[0]
  expect(started1?.command).toBe('wrapper')
  expect(JSON.parse(started1?.env['OPENCODE_CONFIG_CONTENT'] ?? '')).toEqual({
    model: 'demo/a',
    permission: { edit: 'ask', bash: 'ask', webfetch: 'ask' },
  })
  const ofFile = [{ id: 'opencode', name: 'From the file', command: 'opencode', args: ['acp'], env: {} }]
  const byFile = await started({ ofFile })
  expect(byFile.installed()[0]?.name).toBe('From the file')
  await expect(byFile.remove('opencode')).rejects.toThrow('stands in the configuration file')
  await expect(byFile.add({ id: 'opencode', name: 'Again', command: 'x' })).rejects.toMatchObject({ status: 409 })
  await first.remove('opencode')
  expect(first.installed()[0]).toBe(asKnown)
  await expect(first.remove('opencode')).rejects.toThrow('is known by itself')
})

test('[AGENT45] with another key file an agent with variables is offered to nobody, and says why', async () => {
  program('ours')
  await (await started({})).add(ours)
  const elsewhere = await started({ secret: 2 })
  expect(ids(elsewhere)).toEqual([])
  expect(elsewhere.list().at(-1)).toMatchObject({
    id: 'our-agent',
    problem: expect.stringContaining('another key file'),
  })
  await expect(elsewhere.test('our-agent', AbortSignal.timeout(1_000))).rejects.toThrow('give them again')
  const mended = await elsewhere.change('our-agent', { revision: 1, env: { TOKEN: 'another-long-value' } })
  expect(mended).toMatchObject({ problem: null, isInstalled: true })
})

test('[AGENT46] a program is a name on the PATH or a whole path; a relative path, which means another program in each folder, is refused', () => {
  const { body } = routes.addExternalAgent
  const takes = (command: string) => body.safeParse({ name: 'A', command }).success
  expect(['opencode', '/usr/bin/opencode', 'my agent'].map(takes)).toEqual([true, true, true])
  expect(['./agent', 'bin/agent', '../agent', '', 'a\0b', 'a\nb'].map(takes)).toEqual(Array(6).fill(false))
  expect(body.safeParse({ name: 'A', command: 'a', env: { 'NOT A NAME': 'x' } }).success).toBe(false)
})

test('[AGENT45] turns look for the programs once a second at most, and who lists the agents sees how it is', async () => {
  program('ours')
  const directory = await started({})
  await directory.add(ours)
  expect(ids(directory)).toEqual(['our-agent'])
  rmSync(join(folder, 'ours'))
  const at = performance.now()
  const clock = vi.spyOn(performance, 'now')
  try {
    clock.mockReturnValue(at + 500)
    expect(ids(directory)).toEqual(['our-agent'])
    clock.mockReturnValue(at + 1_001)
    expect(ids(directory)).toEqual([])
    program('ours')
    expect(ids(directory)).toEqual([])
    expect(directory.list().find(({ id }) => id === 'our-agent')).toMatchObject({ isInstalled: true })
    expect(ids(directory)).toEqual(['our-agent'])
  } finally {
    clock.mockRestore()
  }
})

test('[AGENT72] a name with a line break, a tab or a character that is not seen is refused, over the API and in the file', () => {
  for (const name of ['Bad\nname', 'tab\there', '\u001b[31mred', 'a\u202eb', 'zero\u200bwidth', 'line\u2028break'])
    expect([name, externalAgentFields.name.safeParse(name).error?.issues[0]?.message]).toEqual([
      name,
      'holds a line break, a tab or a character that is not seen',
    ])
  for (const name of ['My agent', 'Агент', '代理', 'وكيل', '👩‍💻 pair'])
    expect(externalAgentFields.name.parse(` ${name} `)).toBe(name)
})

test('[AGENT72] external agents whose name another one has are listed with their ids, also beside an own agent', async () => {
  const directory = await started({})
  program('ours')
  for (const name of ['Same', 'same', 'Single', 'Mine']) await directory.add({ ...ours, name })
  const mine = { name: 'mine', description: '', avatar: null, settings: {}, presetId: null, voice: null, starters: [] }
  const rows = async (fromFile: readonly FileAgent[]) => {
    const own = createAgentDirectory({ records, clock: systemClock, ids: systemIds, fromFile, people: () => null })
    const both = besideOwn(own, { installed: directory.installed, isAdmin: () => true })
    const listed = await both.rows({ userId: 'local', role: 'admin' })
    return listed.map(({ id, name }) => [id, name])
  }
  const programs = [
    ['external:same-2', 'same (same-2)'],
    ['external:same', 'Same (same)'],
    ['external:single', 'Single'],
  ]
  expect(await rows([])).toEqual([['default', expect.any(String)], ['external:mine', 'Mine'], ...programs])
  expect(await rows([{ ...mine, id: 'own' }])).toEqual([
    ['default', expect.any(String)],
    ['own', 'mine'],
    ['external:mine', 'Mine (mine)'],
    ...programs,
  ])
})
