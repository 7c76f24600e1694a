import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrictProvider } from '@holdfast/conformance'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { conversationIds, converse, personIn } from './support/agent.ts'
import { type Program, startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

// Each test starts the program, most of them several times.
vi.setConfig({ testTimeout: 120_000 })

let base: string
let dataDir: string
let program: Program | null = null

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-care-'))
  dataDir = join(base, 'data')
})

afterEach(async () => {
  await program?.stop()
  program = null
  await rm(base, { recursive: true })
})

const inFolder = (folder: string, ...args: readonly string[]) => runCommand([...args, '--data-dir', folder]).ended

test('[LOG7, LOG8] saves everything while the server goes on, and puts it back; nothing is replaced unasked', async () => {
  program = await startProgram(dataDir, {})
  const person = await converse(program)
  await person.say('/demo cjk')
  await person.ended(1)
  const backups = join(base, 'backups')
  await mkdir(backups)
  const saved = await inFolder(dataDir, 'backup', backups)
  expect(saved.code).toBe(0)
  const [name = ''] = await readdir(backups)
  expect(saved.stdout.trim()).toBe(join(backups, name))
  expect((await stat(join(backups, name))).mode & 0o777).toBe(0o600)
  expect(await inFolder(dataDir, 'backup', join(backups, name))).toMatchObject({ code: 1, stdout: '' })
  await person.say('/demo rtl')
  await person.ended(2)

  const busy = await inFolder(dataDir, 'restore', backups, '--force')
  expect([busy.code, busy.stderr]).toEqual([1, expect.stringMatching(/ \(E_STORE_LOCKED\)\n$/)])
  await program.stop()
  expect((await inFolder(dataDir, 'restore', backups)).code).toBe(1)
  expect((await inFolder(dataDir, 'restore', backups, '--force')).code).toBe(0)
  program = await startProgram(dataDir, {})
  expect(await conversationIds(program)).toEqual([person.id])
  const log = await personIn(program, person.id).log()
  expect(log.filter(({ type }) => type === 'user-message-sent')).toHaveLength(1)
})

test('[LOG7] reads everything and says what is damaged, with a code for scripts', async () => {
  expect(await inFolder(dataDir, 'db', 'check')).toMatchObject({ code: 3, stderr: expect.stringContaining('no store') })
  program = await startProgram(dataDir, {})
  const person = await converse(program)
  await person.say('/demo cjk')
  await person.ended(1)
  const whole = await inFolder(dataDir, 'db', 'check', '--json')
  expect([whole.code, JSON.parse(whole.stdout)]).toMatchObject([0, { conversationCount: 1, damages: [] }])
  await program.stop()
  program = null
  const { default: Database } = await import('better-sqlite3')
  const database = new Database(join(dataDir, 'store', 'holdfast.sqlite'))
  database.exec(`UPDATE entries SET body = replace(body, 'demo', 'memo') WHERE seq = 2`)
  database.close()
  const damaged = await inFolder(dataDir, 'db', 'check')
  expect(damaged.code).toBe(1)
  expect(damaged.stdout).toContain(`conversation ${person.id}, entry 2`)
  const rescued = await inFolder(dataDir, 'export', person.id, '--format', 'md')
  expect([rescued.code, rescued.stderr]).toEqual([5, expect.stringContaining(`${person.id} is damaged`)])
  expect(rescued.stdout).toContain('Places of missing entries: 2.')
  const looked = await inFolder(dataDir, 'doctor', '--no-detect')
  expect([looked.code, looked.stdout.includes('✕ database')]).toEqual([1, true])
})

test('[COST1, COST3, COST8] says what was used by day, model, agent and conversation, as the API does; the demo costs nothing', async () => {
  const provider = await createStrictProvider({})
  try {
    provider.otherwise({ parts: [{ type: 'text', text: 'Yes.' }] })
    program = await startProgram(dataDir, { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: provider.url })
    const person = await converse(program)
    await person.say('Hello')
    await person.ended(1)
    await person.until('title-changed', 1)
    await person.change({ modelId: 'demo' })
    await person.say('/demo cjk')
    await person.ended(2)
    const records = (await person.log()).filter((entry) => entry.type === 'usage-recorded')
    const paid = records.filter((entry) => entry['providerId'] === 'anthropic')
    const costUsd = paid.reduce((sum, entry) => sum + Number(entry['costUsd']), 0)
    for (const by of ['day', 'model', 'agent', 'conversation']) {
      const { code, stdout } = await inFolder(dataDir, 'usage', '--by', by, '--json')
      const said = JSON.parse(stdout)
      expect([code, said.total.requestCount]).toEqual([0, records.length])
      expect(said.total.costUsd).toBeCloseTo(costUsd, 9)
      expect(said.rows.map(({ key }: { key: string }) => key)).toEqual(
        by === 'model' ? ['anthropic/claude-opus-5-5', 'demo/demo'] : [expect.any(String)],
      )
      // The day is that of this computer, and of UTC over the API.
      if (by !== 'day') expect(said).toEqual(await program.call('GET', `/usage?by=${by}`))
    }
    const { stdout } = await inFolder(dataDir, 'usage', '--by', 'model', '--csv')
    expect(stdout.split('\n')[1]).toMatch(/^anthropic\/claude-opus-5-5,2,\d+,\d+,\d+,\d+\.\d{4}$/)
  } finally {
    await provider.close()
  }
})

test('[CLI7] where a server runs, the doctor says what holds for it and not for the shell that asks', async () => {
  const provider = await createStrictProvider({})
  const workspace = join(base, 'of-the-server')
  await mkdir(workspace)
  const config = join(base, 'config.json')
  const setup = { type: 'openai-chat', id: 'mine', name: 'Mine', baseUrl: `${provider.url}/v1`, apiKey: 'sk-canary-1' }
  await writeFile(config, JSON.stringify({ providers: [setup], workspace, settings: { commandNetwork: 'none' } }))
  try {
    program = await startProgram(dataDir, { HOLDFAST_CONFIG: config })
    const { stdout } = await inFolder(dataDir, 'doctor', '--no-detect', '--json')
    const { findings } = JSON.parse(stdout) as { findings: { group: string; text: string }[] }
    const of = (group: string) => findings.find((finding) => finding.group === group)?.text
    expect(of('providers')).toMatch(/^Mine: \d+ models$/)
    expect(of('workspace')).toBe(workspace)
    expect(of('shell')).toMatch(/no network/)
  } finally {
    await provider.close()
  }
})

test('[SEC4] looks at everything that it stands on, and says what to do; keys are not shown', async () => {
  const provider = await createStrictProvider({})
  const workspace = join(base, 'work')
  await mkdir(workspace)
  const config = join(base, 'config.json')
  const setup = { type: 'openai-chat', id: 'mine', name: 'Mine', baseUrl: `${provider.url}/v1`, apiKey: 'sk-canary-1' }
  const wide = { id: 'wide', effect: 'allow', tool: '*' }
  await writeFile(config, JSON.stringify({ providers: [setup], permissions: { rules: [wide] } }))
  const flags = ['doctor', '--no-detect', '--json', '--data-dir', dataDir, '--workspace', workspace]
  try {
    program = await startProgram(dataDir, { HOLDFAST_CONFIG: config })
    const { code, stdout, stderr } = await runCommand(flags, '', { HOLDFAST_CONFIG: config }).ended
    const { findings } = JSON.parse(stdout) as { findings: { group: string; state: string; text: string }[] }
    const of = (group: string) => findings.find((finding) => finding.group === group)
    expect(of('database')).toMatchObject({ state: 'ok' })
    expect(of('server')?.text).toBe(`runs at ${program.url}`)
    expect(of('providers')).toMatchObject({ state: 'ok', text: expect.stringMatching(/^Mine: \d+ models$/) })
    expect(of('permissions')).toMatchObject({
      state: 'warning',
      text: 'rule wide allows every tool, what destroys too',
    })
    expect(of('workspace')?.text).toContain('work')
    expect(code).toBe(findings.some(({ state }) => state === 'failed') ? 1 : 0)
    expect(stdout + stderr).not.toContain('canary')
    await program.stop()
    program = null
    await provider.close()
    const gone = await runCommand(flags, '', { HOLDFAST_CONFIG: config }).ended
    expect([gone.code, gone.stdout.includes('"group":"providers","state":"failed"')]).toEqual([1, true])
  } finally {
    await provider.close()
  }
})
