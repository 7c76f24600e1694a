import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { conversationIds, personIn, type SeenEntry } from './support/agent.ts'
import { type LineProxy, startLineProxy } from './support/line-proxy.ts'
import { type Program, startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

// Each test starts the program, some of them several times.
vi.setConfig({ testTimeout: 120_000 })

/** For what another process says in its own time. */
const POLL = { timeout: 60_000, interval: 20 }

let dataDir: string
let program: Program
let proxy: LineProxy

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-line-'))
  proxy = await startLineProxy(() => Number(new URL(program.url).port))
  program = await startProgram(dataDir, {}, throughProxy())
  await sayProxy()
})

afterEach(async () => {
  await proxy.close()
  await program.stop()
  await rm(dataDir, { recursive: true })
})

function throughProxy(): readonly string[] {
  return ['--allowed-host', `127.0.0.1:${proxy.port}`]
}

/** The commands find the server behind the proxy. */
async function sayProxy(): Promise<void> {
  const url = `http://127.0.0.1:${proxy.port}`
  const note = join(dataDir, 'server.json')
  await writeFile(note, JSON.stringify({ ...JSON.parse(await readFile(note, 'utf8')), url }))
}

function command(name: string, args: readonly string[]) {
  return runCommand([name, '--data-dir', dataDir, ...args])
}

/** The log of the newest conversation. */
async function newestLog(): Promise<readonly SeenEntry[]> {
  const [id = ''] = await conversationIds(program)
  return personIn(program, id).log()
}

const countInLog = async (type: string): Promise<number> =>
  (await newestLog()).filter((entry) => entry.type === type).length

/** The answers of the newest conversation, as the log has them. */
async function answersInLog(): Promise<string> {
  const steps = (await newestLog()).filter(({ type }) => type === 'step-finished')
  return steps.map(({ blocks }) => `${textOf(blocks)}\n`).join('')
}

function textOf(blocks: unknown): string {
  if (!Array.isArray(blocks)) return ''
  return blocks
    .flatMap(({ type, text }: { type: string; text: string }) => (type === 'text' ? [text] : []))
    .join('\n\n')
}

const timesLost = (stderr: string): number => stderr.split('The line to the server was lost').length - 1

test('[SYNC1, SYNC2] chat asks once and prints its answer once and whole over a line that is cut again and again', async () => {
  proxy.loseAnswerTo('/inputs ')
  const talking = command('chat', ['/demo stream-long'])
  for (const number of [1, 3, 6]) {
    await talking.printed(`Paragraph ${number}.`)
    await expect.poll(() => proxy.cut(), POLL).toBeGreaterThan(0)
  }
  await talking.printed('Paragraph 8.')
  talking.child.kill('SIGINT')
  const { code, stdout, stderr } = await talking.ended
  expect(code).toBe(130)
  expect(stdout).toBe(await answersInLog())
  expect(timesLost(stderr)).toBe(4)
  expect(await countInLog('input-admitted')).toBe(1)
  expect(stderr).toContain(
    'The line to the server was lost; looking for it for 10 minutes … it is back, and nothing is missing.\n',
  )
})

test('[SYNC1, RUN3] chat and follow outlive a server that is killed in mid-answer and started again: both print what is in the log', async () => {
  const talking = command('chat', ['/demo stream-slow'])
  await talking.printed('Paragraph 1')
  const following = command('follow', [])
  await following.printed('Paragraph 1')
  await program.kill()
  program = await startProgram(dataDir, {}, throughProxy())
  const { code, stdout, stderr } = await talking.ended
  expect(code).toBe(1)
  expect(stderr).toContain('The server stopped before the reply ended.')
  expect(timesLost(stderr)).toBe(1)
  expect(stderr).toContain('it is back, and nothing is missing.\n')
  const inLog = await answersInLog()
  expect(inLog).toContain('Paragraph 1')
  expect(stdout).toBe(inLog)
  await following.printed(inLog)
  const more = await command('chat', ['-c', 'and on']).ended
  await following.printed(more.stdout)
  following.child.kill('SIGINT')
  const followed = await following.ended
  expect(followed, followed.stderr).toMatchObject({ code: 0, stdout: inLog + more.stdout })
  expect(followed.stderr).toContain('you> and on\n')
  expect(timesLost(followed.stderr)).toBe(1)
})

test('[STOP1] a second Ctrl+C leaves although the server does not confirm the stop, and says what that means', async () => {
  const talking = command('chat', ['/demo stream-slow'])
  await talking.printed('Paragraph 1')
  proxy.swallow('/stop ')
  talking.child.kill('SIGINT')
  await expect.poll(talking.stderr, POLL).toContain('Stopping')
  talking.child.kill('SIGINT')
  const { code, stderr } = await talking.ended
  expect(code).toBe(130)
  expect(stderr).toContain('The server has not confirmed the stop: it may go on with the reply.\n')
})
