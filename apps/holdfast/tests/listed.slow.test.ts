import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Program, startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

// Each test starts the program, most of them several times.
vi.setConfig({ testTimeout: 120_000 })

let base: string
let dataDir: string
let program: Program | null = null

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-listed-'))
  dataDir = join(base, 'data')
})

afterEach(async () => {
  await program?.stop()
  program = null
  await rm(base, { recursive: true })
})

function command(...args: readonly string[]) {
  return runCommand([...args, '--data-dir', dataDir]).ended
}

test('[CLI6] conversations are listed newest first, and named by last or a beginning that no other has', async () => {
  program = await startProgram(dataDir, {})
  for (const words of ['First words', 'Second words']) await command('run', '--no-detect', words)
  const { code, stdout } = await command('list')
  const lines = stdout.trim().split('\n')
  const [newest = '', oldest = ''] = lines.map((line) => line.split('  ')[0] ?? '')
  expect([code, lines.length]).toEqual([0, 2])
  expect((await command('list', '--json')).stdout.split('\n')[0]).toContain(`"id":"${newest}"`)
  expect((await command('export', 'last')).stdout).toContain(newest)
  expect((await command('erase', 'last')).stdout).toContain('Second words')
  expect((await command('erase', oldest.slice(0, -1))).stdout).toContain('First words')
  const several = await command('export', 'conversation_')
  expect(several).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('2 conversations begin with conversation_'),
  })
})

test('[CLI2] a command that looks for what is there makes no data folder, and says that there is none', async () => {
  for (const words of [['list'], ['export', 'last'], ['erase', 'last'], ['files', 'last'], ['memories', 'list']]) {
    const { code, stdout, stderr } = await command(...words)
    expect({ words, code, stdout }).toEqual({ words, code: 66, stdout: '' })
    expect(stderr).toContain(`There is no data folder ${dataDir}`)
  }
  expect(existsSync(dataDir)).toBe(false)
})

test('[CLI6] models are listed by the ids under which they are chosen', async () => {
  const { code, stdout } = await command('models', '--no-detect')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^demo {2}Demo {2}/m)
  const help = (await runCommand(['run', '--help']).ended).stdout
  expect(help).toContain('holdfast models')
})

test('[CLI8] the conversation of a run without a server has its title when the run has ended', async () => {
  expect((await command('run', '--no-detect', 'Words about walnuts')).code).toBe(0)
  const [row = ''] = (await command('list', '--json')).stdout.split('\n')
  expect(JSON.parse(row).title).toEqual(expect.any(String))
})

test('[CLI10] ids of conversations and models are completed while a server runs', async () => {
  const complete = async (...words: readonly string[]) =>
    (await runCommand(['complete', '--', ...words.slice(0, -1), '--data-dir', dataDir, words.at(-1) ?? '']).ended)
      .stdout
  expect(await complete('export', '')).toBe('')
  program = await startProgram(dataDir, {})
  await command('run', '--no-detect', 'First words')
  const [row = ''] = (await command('list', '--json')).stdout.split('\n')
  const { id } = JSON.parse(row)
  expect(await complete('export', '')).toBe(`last\n${id}\n`)
  expect(await complete('follow', 'conv')).toBe(`${id}\n`)
  expect((await runCommand(['complete', '--', 'run', '--data-dir', dataDir, '--model', 'de']).ended).stdout).toBe(
    'demo\n',
  )
})

test('[CLI9] what is not there is said with the command that lists what is', async () => {
  const unknown = await command('run', '--no-detect', '--model', 'none', 'Hello')
  expect(unknown).toMatchObject({
    code: 2,
    stderr: 'There is no model none. See which there are: holdfast models (E_UNKNOWN_MODEL)\n',
  })
  const missing = await command('export', 'none')
  expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining('holdfast list')])
})
