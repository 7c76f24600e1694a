import { spawnSync } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runCommand } from './support/run-command.ts'

// Each test starts the program, most of them several times.
vi.setConfig({ testTimeout: 120_000 })

const MAIN = join(import.meta.dirname, '..', 'bin', 'holdfast.js')

let base: string
let dataDir: string

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-plainly-'))
  dataDir = join(base, 'data')
})

afterEach(() => rm(base, { recursive: true }))

function command(...args: readonly string[]) {
  return runCommand([...args, '--data-dir', dataDir]).ended
}

function timesOf(part: string, text: string): number {
  return text.split(part).length - 1
}

test('[CLI2] a message that is too long is refused before a conversation is begun', async () => {
  const { code, stderr } = await runCommand(['run', '--data-dir', dataDir], 'a'.repeat(1_000_001)).ended
  expect(code).toBe(2)
  expect(stderr).toContain('A message has at most 1,000,000 characters; this one has 1,000,001.')
  expect(existsSync(dataDir)).toBe(false)
})

test('[CLI5] an error of a turn is said once', async () => {
  const { code, stderr } = await command('run', '--no-detect', '/demo auth-error')
  expect(code).toBe(1)
  expect(timesOf('The key is not valid', stderr)).toBe(1)
})

test('[CLI5] a file that is not there is said in words', async () => {
  const { code, stderr } = await command('import', join(base, 'none.json'))
  expect(code).toBe(3)
  expect(stderr).toBe(
    `There is nothing at ${join(base, 'none.json')}. Give a file or folder that can be read. (E_NO_FILE)\n`,
  )
})

test('[CLI5] a program of an MCP server that is not there is said once, in words', async () => {
  const config = join(base, 'holdfast.json')
  await writeFile(config, JSON.stringify({ mcpServers: { lost: { command: 'no-such-program' } } }))
  const asked = ['mcp', 'test', 'lost', '--data-dir', dataDir]
  const { code, stdout, stderr } = await runCommand(asked, '', { HOLDFAST_CONFIG: config }).ended
  expect([code, stderr]).toEqual([1, 'Connecting: no-such-program\n'])
  expect(stdout).toBe('lost is not connected: There is no program no-such-program\n')
})

test('[CLI5] a store in the way of a restore is said with the option that replaces it, and a code of its own', async () => {
  expect((await command('run', '--no-detect', 'Hello')).code).toBe(0)
  const backup = (await command('backup', join(base, 'backup.sqlite'))).stdout.trim()
  const { code, stderr } = await command('restore', backup)
  expect(code).toBe(1)
  expect(stderr).toContain('holds a store already, and nothing was changed. ')
  expect(stderr).toContain('with --force')
  expect(stderr).toMatch(/\(E_STORE_EXISTS\)\n$/)
})

test('[CLI5] the code of a mistake stands behind its sentence', async () => {
  const unknown = await runCommand(['run', '--nothing']).ended
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toMatch(/unknown option '--nothing' \(E_USAGE\)\nSee what there is with --help\.\n$/)
  expect((await runCommand(['nonsense']).ended).stderr).toMatch(/holdfast --help \(E_USAGE\)\n$/)
})

test('[CLI5] the help of chat says that what is piped in is one message', async () => {
  const { stdout } = await runCommand(['chat', '--help']).ended
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'what is piped in belongs to it; without both, one message after another',
  )
})

test('[CLI9] an older Node.js is told what is needed, and no package is named that nobody has published', async () => {
  const older = "--import data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'18.1.0'}})"
  const { code, stderr } = await runCommand(['list'], '', { NODE_OPTIONS: older }).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/^holdfast needs Node\.js 22\.18 or newer; this is 18\.1\.0 \(.+\)\. /)
  expect(stderr).toMatch(/\. Install a newer one from https:\/\/nodejs\.org \(E_NODE_TOO_OLD\)\n$/)
})

test('[CLI5] a token is rotated in the folder that is meant and in no new one', async () => {
  const { code, stderr } = await command('token', 'rotate')
  expect([code, existsSync(dataDir)]).toEqual([3, false])
  expect(stderr).toBe(`No server was started in ${dataDir} yet. Name its folder with --data-dir. (E_STORE_MISSING)\n`)
})

test('[CLI5] what cannot be written is said with its place: a file of an export, and what is printed', async () => {
  await command('run', '--no-detect', '/demo cjk')
  const out = join(base, 'nowhere', 'export.md')
  const exported = await command('export', 'last', '--out', out)
  expect([exported.code, exported.stderr]).toEqual([1, expect.stringContaining(`${out} cannot be written: ENOENT`)])
  expect(exported.stderr).toMatch(/Choose another --out\. \(E_NOT_WRITABLE\)\n$/)
  const full = spawnSync(process.execPath, [MAIN, 'list', '--data-dir', dataDir], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
    timeout: 60_000,
  })
  expect([full.status, full.stderr]).toEqual([
    74,
    expect.stringMatching(/^What is printed cannot be written: .*ENOSPC/),
  ])
  expect(full.stderr).not.toContain('    at ')
})
