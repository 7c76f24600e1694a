import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SETTINGS } from '@holdfast/conversation'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-settings-'))
})

afterEach(async () => {
  await rm(dataDir, { recursive: true })
})

const command = (...args: readonly string[]) => runCommand(['settings', ...args, '--data-dir', dataDir]).ended

test('[CLI3] settings are listed, read, set together and given back, and hold in the running server', async () => {
  await writeFile(join(dataDir, 'holdfast.json'), '{"settings": {"titleChars": 40}}')
  const program = await startProgram(dataDir, {})
  try {
    const listed = await command()
    expect(listed).toMatchObject({
      code: 0,
      stderr: `1 of ${Object.keys(SETTINGS).length} settings are not as usual.\n`,
    })
    expect(listed.stdout).toMatch(/titleChars +40 {2}\(set in the configuration file; usual: 65\)/)
    expect(await command('get', 'stepsPerRun')).toMatchObject({ code: 0, stdout: '50\n' })
    expect(await command('set', 'stepsPerRun', '100')).toMatchObject({ code: 0, stderr: 'stepsPerRun is 100 now.\n' })
    expect(await command('set', 'thinking=low', 'callsPerStep=5')).toMatchObject({ code: 0 })
    const told = JSON.stringify(await program.call('GET', '/settings'))
    expect(told).toMatch(/"key":"thinking"[^}]*"value":"low"/)
    const refused = await command('set', 'keptShare=0.6', 'checkpointShare=0.5')
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('E_SETTINGS_CONTRADICT') })
    expect(await command('set', 'titleChars', '50')).toMatchObject({ stderr: expect.stringContaining('holdfast.json') })
    expect(await command('get', 'steps')).toMatchObject({ code: 3, stderr: expect.stringContaining('stepsPerRun') })
    expect(await command('reset', 'stepsPerRun')).toMatchObject({ code: 0, stderr: 'stepsPerRun is 50 now.\n' })
  } finally {
    expect(await program.stop()).toBe(0)
  }
  expect((await command('get', 'thinking')).stdout).toBe('low\n')
}, 120_000)

test('[WIN10, CLI2] a file whose settings contradict each other ends the start with its lines', async () => {
  await writeFile(join(dataDir, 'holdfast.json'), '{\n "settings": {\n  "drainMs": 100 } }')
  expect(await command('list')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/holdfast\.json:3 \(drainMs\)/),
  })
}, 60_000)
