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

test('[CLI6] models are listed by the ids under which they are chosen', async () => {
  const { code, stdout } = await command('models', '--no-detect')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^demo {2}Demo {2}/m)
  const help = (await runCommand(['run', '--help']).ended).stdout
  expect(help).toContain('holdfast models')
})
