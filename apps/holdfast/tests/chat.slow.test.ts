import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { conversationIds, personIn } from './support/agent.ts'
import { inTerminal } from './support/in-terminal.ts'
import { type Program, startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

// Each test starts the program, most of them several times.
vi.setConfig({ testTimeout: 120_000 })

/** For what another process says in its own time. */
const POLL = { timeout: 60_000, interval: 20 }

let base: string
let dataDir: string
let workspace: string
let program: Program | null = null

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-chat-'))
  dataDir = join(base, 'data')
  workspace = join(base, 'work')
  await mkdir(workspace)
})

afterEach(async () => {
  await program?.stop()
  program = null
  await rm(base, { recursive: true })
})

/** A server to which several tests speak, each in the newest conversation. */
let shared: { readonly base: string; readonly dataDir: string; readonly program: Program } | null = null

afterAll(async () => {
  await shared?.program.stop()
  if (shared) await rm(shared.base, { recursive: true })
})

/** Has the commands of this test speak to it. */
async function atServer(): Promise<Program> {
  if (shared === null) {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-chat-'))
    shared = { base: folder, dataDir: join(folder, 'data'), program: await startProgram(join(folder, 'data'), {}) }
  }
  dataDir = shared.dataDir
  return shared.program
}

function command(name: string, args: readonly string[], input?: string) {
  return runCommand([name, '--data-dir', dataDir, '--no-detect', ...args], input)
}

test('[SYNC1] answers in the terminal without a server, and with one: the text is stdout, and the conversation is kept', async () => {
  const alone = await command('run', ['/demo thinking']).ended
  expect(alone).toMatchObject({ code: 0, stderr: '' })
  expect(alone.stdout).toBe('That was the thinking. This is the reply: three short sentences. It is a script.\n')
  program = await startProgram(dataDir, {})
  const continued = await command('chat', ['-c', '/demo thinking']).ended
  expect([continued.code, continued.stdout, continued.stderr]).toEqual([0, alone.stdout, ''])
  const ids = await conversationIds(program)
  expect(ids).toHaveLength(1)
  const log = await personIn(program, ids[0] ?? '').log()
  expect(log.filter(({ type }) => type === 'user-message-sent')).toHaveLength(2)
})

test('[SYNC1] prints a long answer once, whole, however its pieces came', async () => {
  const { code, stdout } = await command('run', ['/demo stream-fast']).ended
  expect(code).toBe(0)
  const numbers = [...stdout.matchAll(/^Paragraph (\d+)\./gm)].map(([, number]) => Number(number))
  expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => index + 1))
})

test('[STOP4] Ctrl+C stops the reply and keeps what was said', async () => {
  const server = await atServer()
  const talking = command('run', ['/demo stream-slow'])
  await talking.printed('Paragraph 1')
  talking.child.kill('SIGINT')
  const { code, stderr } = await talking.ended
  expect(code).toBe(130)
  expect(stderr).toContain('what was said is kept')
  const [id = ''] = await conversationIds(server)
  const log = await personIn(server, id).log()
  expect(log.find(({ type }) => type === 'run-finished')).toMatchObject({ outcome: 'stopped' })
  expect(JSON.stringify(log.find(({ type }) => type === 'step-finished'))).toContain('Paragraph 1')
})

test('[STOP4] a reply that nobody reads any more is stopped, also where a server runs that would go on with it', async () => {
  const server = await atServer()
  const talking = command('run', ['/demo stream-slow'])
  await talking.printed('Paragraph 1')
  talking.child.stdout?.destroy()
  expect((await talking.ended).code).toBe(141)
  const [id = ''] = await conversationIds(server)
  expect(await personIn(server, id).ended(1)).toMatchObject({ outcome: 'stopped' })
})

test.each([
  ['SIGTERM', 143, 'Terminated: the reply is stopped, and what was said is kept.'],
  ['SIGHUP', 129, ''],
] as const)('[CLI49] %s of a run stops its reply at the server', async (signal, exitCode, told) => {
  const server = await atServer()
  const talking = command('run', ['/demo stream-slow'])
  await talking.printed('Paragraph 1')
  talking.child.kill(signal)
  const { code, stderr } = await talking.ended
  expect([code, stderr.trim()]).toEqual([exitCode, told])
  const [id = ''] = await conversationIds(server)
  expect(await personIn(server, id).ended(1)).toMatchObject({ outcome: 'stopped' })
})

test('[CLI49] a run with a server of its own is stopped and closed when it is asked to end, twice in a moment as by `timeout`', async () => {
  const talking = command('run', ['/demo stream-slow'])
  await talking.printed('Paragraph 1')
  talking.child.kill('SIGTERM')
  talking.child.kill('SIGTERM')
  expect(await talking.ended).toMatchObject({ code: 143, stderr: expect.stringContaining('Terminated: the reply is') })
  expect(existsSync(join(dataDir, 'store', 'holdfast.sqlite-wal'))).toBe(false)
  program = await startProgram(dataDir, {})
  const [id = ''] = await conversationIds(program)
  expect(await personIn(program, id).ended(1)).toMatchObject({ outcome: 'stopped' })
})

test('[CLI49] a second signal ends a run at once, although the store does not answer', async () => {
  const talking = command('run', ['/demo stream-slow'])
  await talking.printed('Paragraph 1')
  const other = new Database(join(dataDir, 'store', 'holdfast.sqlite'))
  other.exec('BEGIN IMMEDIATE')
  try {
    talking.child.kill('SIGTERM')
    await expect.poll(talking.stderr, POLL).toContain('Terminated. The stop is not written down yet')
    const insist = (): number | null => {
      talking.child.kill('SIGTERM')
      return talking.child.exitCode
    }
    await expect.poll(insist, POLL).toBe(143)
  } finally {
    other.exec('ROLLBACK')
    other.close()
  }
})

test('[STOP1] what a second Ctrl+C leaves is stopped all the same', async () => {
  const talking = command('run', ['/demo stream-slow'])
  await talking.printed('Paragraph 1')
  talking.child.kill('SIGINT')
  talking.child.kill('SIGINT')
  expect((await talking.ended).code).toBe(130)
  program = await startProgram(dataDir, {})
  const [id = ''] = await conversationIds(program)
  expect((await personIn(program, id).log()).find(({ type }) => type === 'run-finished')).toMatchObject({
    outcome: 'stopped',
  })
})

test('[STOP1] a second Ctrl+C leaves although the store does not answer, and says what that means', async () => {
  const talking = command('run', ['/demo stream-slow'])
  await talking.printed('Paragraph 1')
  const other = new Database(join(dataDir, 'store', 'holdfast.sqlite'))
  other.exec('BEGIN IMMEDIATE')
  try {
    talking.child.kill('SIGINT')
    await expect.poll(talking.stderr, POLL).toContain('Stopping')
    talking.child.kill('SIGINT')
    await expect.poll(talking.stderr, POLL).toContain('The stop is not written down yet')
  } finally {
    other.exec('ROLLBACK')
    other.close()
  }
  expect((await talking.ended).code).toBe(130)
})

test('[PERM6] denies what would ask when nobody is there, and says which flag would allow it', async () => {
  const denied = await command('run', ['--workspace', workspace, '/demo permission']).ended
  expect(denied.code).toBe(3)
  expect(denied.stderr).toContain('Denied, for nobody is there to be asked: write')
  expect(denied.stderr).toContain('--permission-mode')
  const file = join(workspace, 'holdfast-demo', 'permission.txt')
  expect(existsSync(file)).toBe(false)
  const mode = ['--permission-mode', 'accept-edits']
  const allowed = await command('run', ['--workspace', workspace, ...mode, '/demo permission']).ended
  expect(allowed.stderr).toContain('> created holdfast-demo/permission.txt')
  expect(await readFile(file, 'utf8')).toBe('You allowed this.\n')
})

test('[RUN1] ends with a code that says how the turn ended', async () => {
  const { code, stderr } = await command('run', ['/demo auth-error']).ended
  expect(code).toBe(1)
  expect(stderr).toContain('The key is not valid (simulated).')
  expect(await command('chat', ['-c', 'Hello']).ended).toMatchObject({ code: 0 })
  const unknown = await command('run', ['--model', 'missing/model', 'Hello']).ended
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('There is no model missing/model')
})

test('[SEC5] takes its message from a pipe, and refuses to say nothing', async () => {
  const { code, stdout } = await command('chat', [], 'from the pipe').ended
  expect([code, stdout.includes('You wrote:\n\n> from the pipe')]).toEqual([0, true])
  const nothing = await command('chat', []).ended
  expect(nothing.code).toBe(2)
  expect(nothing.stderr).toContain('There is nothing to say')
  const alone = await runCommand(['follow', '--data-dir', join(base, 'new')]).ended
  expect(alone).toMatchObject({ code: 69, stderr: expect.stringContaining('Start it with: holdfast start') })
  const first = await runCommand(['chat', '-c', '--data-dir', join(base, 'new'), '--no-detect', 'Hello']).ended
  expect(first).toMatchObject({ code: 3, stderr: expect.stringContaining('E_NO_CONVERSATION') })
})

test('[SYNC1] prints every event as a line of JSON when a program reads', async () => {
  const { code, stdout } = await command('run', ['--json', '/demo thinking']).ended
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(code).toBe(0)
  const seqs = events.flatMap(({ type, entry }) => (type === 'entry' ? [entry.seq] : []))
  expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => index + seqs[0]))
  expect(events.some(({ type }) => type === 'delta' || type === 'draft')).toBe(true)
})

test('[CLI11] at the prompt of a terminal commands are carried out and not sent, and what is no command is not sent either', async () => {
  const lines = ['/help', '/modle', '/mode plan', '/new', '/demo thinking', '/exit']
  const { code, stdout } = await inTerminal(['chat', '--data-dir', dataDir, '--no-detect'], {
    answers: lines.map((line) => ({ after: 'you> ', line })),
  })
  expect(code).toBe(0)
  expect(stdout).toContain('There is no command /modle: nothing was sent.')
  expect(stdout).toContain('plan from now on.')
  program = await startProgram(dataDir, {})
  const ids = await conversationIds(program)
  const logs = await Promise.all(ids.map((id) => personIn(program as Program, id).log()))
  const said = logs.flat().filter(({ type }) => type === 'user-message-sent')
  expect([ids.length, said.length]).toEqual([2, 1])
})

test('[CLI23] run with words says that it reads a pipe which stays open, and goes on at its end', async () => {
  const main = join(import.meta.dirname, '..', 'bin', 'holdfast.js')
  const child = spawn(process.execPath, [main, 'run', '--data-dir', dataDir, '--no-detect', '/demo thinking'])
  const [told] = await once(child.stderr, 'data')
  expect(String(told)).toContain('Reading what is piped in, until its end.')
  child.stdin.end()
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
})

test('[CLI11] run takes what is piped in, also by a dash, and never waits at a prompt', async () => {
  const reply = 'That was the thinking. This is the reply: three short sentences. It is a script.\n'
  for (const words of [[], ['-']]) {
    const { code, stdout } = await command('run', words, '/demo thinking').ended
    expect([code, stdout]).toEqual([0, reply])
  }
  const nothing = await inTerminal(['run', '--data-dir', dataDir, '--no-detect', ''], { answers: [] })
  expect([nothing.code, nothing.stdout]).toEqual([2, expect.stringContaining('There is nothing to say.')])
})
