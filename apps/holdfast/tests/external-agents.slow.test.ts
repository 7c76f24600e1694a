import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { type Program, startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

// Each test starts the program, most of them several times.
vi.setConfig({ testTimeout: 120_000 })

const FAKE = join(import.meta.dirname, '../../../packages/external-agent/tests/support/fake-agent.mjs')
const CANARY = 'canary-of-a-variable-7f3e'

let base: string
let program: Program | null = null

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-external-'))
})

afterEach(async () => {
  await program?.stop()
  program = null
  await rm(base, { recursive: true })
})

const dataDir = () => join(base, 'data')
const holdfast = (...args: readonly string[]) => runCommand([...args]).ended
const external = (act: string, args: readonly string[], behind: readonly string[] = []) =>
  holdfast(
    'agents',
    'external',
    act,
    ...args,
    '--data-dir',
    dataDir(),
    ...(behind.length === 0 ? [] : ['--', ...behind]),
  )
const fake = (...flags: readonly string[]) => [process.execPath, FAKE, ...flags]

/** Everything below a folder, as text. */
async function allBytes(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const found = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'))
  return (await Promise.all(found)).join('')
}

test('[CLI33] agents are added, listed and removed from the terminal, with a server and without; values of variables stay hidden', async () => {
  const added = await external('add', ['Our Agent', '--env', `TOKEN=${CANARY}`], fake())
  expect(added).toMatchObject({ code: 0, stdout: '' })
  expect(added.stderr).toContain('Added Our Agent as external:our-agent')
  program = await startProgram(dataDir(), { PATH: base })
  const { stdout } = await external('list', [])
  const lines = stdout.trim().split('\n')
  expect(lines.find((line) => line.startsWith('opencode'))).toContain('not installed; to install it: npm install -g')
  expect(lines.at(-1)).toContain(`Our Agent  external:our-agent  stored  ${process.execPath} ${FAKE}  installed`)
  const json = (await external('list', ['--json'])).stdout.trim().split('\n')
  expect(JSON.parse(json.at(-1) ?? '')).toMatchObject({ id: 'our-agent', env: { TOKEN: '7f3e' }, isInstalled: true })
  expect(`${stdout}${json}${program.output()}${await allBytes(dataDir())}`).not.toContain(CANARY)
  expect(program.output()).not.toContain('was added')
  expect(await external('remove', ['external:our-agent'])).toMatchObject({ code: 0 })
  expect(program.output()).toContain('an external agent was removed')
  expect(await external('remove', ['our-agent'])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('there are: opencode'),
  })
  expect(await external('remove', ['opencode'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('known by itself'),
  })
  expect(await external('add', ['No program'])).toMatchObject({ code: 2, stderr: expect.stringContaining('E_USAGE') })
  expect(await external('add', ['Elsewhere'], ['./agent'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('whole path'),
  })
  const short = await external('add', ['Short', '--env', CANARY], fake())
  expect(short.code).toBe(2)
  expect(short.stderr).not.toContain(CANARY)
})

test('[CLI34] a test says version, protocol, modes and sign-ins, or why it fails with what the program printed', async () => {
  // With a server commands ask that one, and need no store of their own: a quarter of the time.
  program = await startProgram(dataDir(), {})
  await external('add', ['Good'], fake())
  await external('add', ['Signed out'], fake('--sign-in'))
  await external('add', ['Dead', '--env', `TOKEN=${CANARY}`], fake('--die-at=start'))
  const good = await external('test', ['good'])
  expect(good).toMatchObject({ code: 0, stdout: expect.stringMatching(/version 1\.2\.3, protocol 1, ready in/) })
  expect(good.stdout).toContain('Modes: Auto, Ask, Wild. Held in: Ask.')
  const rows = (await external('list', ['--json'])).stdout.trim().split('\n')
  expect(rows.find((row) => row.includes('"id":"good"'))).toContain('"protocolVersion":1')
  const signedOut = await external('test', ['external:signed-out'])
  expect(signedOut).toMatchObject({ code: 1, stdout: expect.stringContaining('wants you to sign in first') })
  expect(signedOut.stdout).toContain('Log in')
  const dead = await external('test', ['dead', '--json'])
  expect(dead.code).toBe(1)
  expect(JSON.parse(dead.stdout)).toMatchObject({ type: 'fails', code: 'cannot-start' })
  expect(dead.stdout).toContain('the fake agent speaks')
  const missing = await external('test', ['codex'])
  expect(missing).toMatchObject({ code: 1, stdout: expect.stringContaining('there is no program codex-acp') })
})

test('[AGENT55] the terminal says what can be chosen of an agent, and a message is answered as it was chosen', async () => {
  program = await startProgram(dataDir(), {})
  await external('add', ['Our Agent'], fake('--options'))
  const shown = await external('choices', ['our-agent'])
  expect(shown).toMatchObject({ code: 0 })
  expect(shown.stdout.split('\n')).toEqual(
    expect.arrayContaining([
      '--paid-by own *  its own sign-in',
      '--agent-mode default *  DEFAULT',
      '--agent-mode wild  WILD, which may act without asking',
      '--agent-model small *  SMALL',
      '--agent-model large  LARGE',
      'It takes no pictures: it is told of them in words.',
    ]),
  )
  const chosen = ['--agent', 'external:our-agent', '--agent-mode', 'wild', '--agent-model', 'large', '--paid-by', 'own']
  const answer = await holdfast('run', '--data-dir', dataDir(), ...chosen, 'chosen')
  expect(answer).toMatchObject({ code: 0, stdout: expect.stringContaining('works in wild with large') })
  const again = await holdfast('chat', '--data-dir', dataDir(), '-c', '--agent-mode', 'gone', 'chosen')
  expect(again.code).not.toBe(0)
  expect(again.stderr).toContain('has no mode gone here; there is: auto, default, wild')
  const nobody = await holdfast('chat', '--data-dir', dataDir(), '-c', '--paid-by', 'somebody', 'chosen')
  expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('is own, providers, or provider:') })
  const json = await external('choices', ['our-agent', '--paid-by', 'provider:gone', '--json'])
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({
    modes: null,
    problem: expect.stringContaining('not set up any more'),
  })
})

test('[CLI35] run and chat take an external agent by its name or id, and its answer is kept', async () => {
  await external('add', ['Our Agent'], fake())
  const byId = await holdfast('run', '--data-dir', dataDir(), '--agent', 'external:our-agent', 'say Hello there')
  expect(byId).toMatchObject({ code: 0, stdout: expect.stringContaining('Hello there') })
  const byName = await holdfast('run', '--data-dir', dataDir(), '--agent', 'our agent', '--json', 'say By its name')
  expect(byName.stdout).toContain('By its name')
  const went = await holdfast('run', '--data-dir', dataDir(), '--agent', 'external:our-agent', 'die 3')
  expect(went.code).not.toBe(0)
  expect(went.stderr).toContain('ended with exit code 3')
  const nobody = await holdfast('run', '--data-dir', dataDir(), '--agent', 'external:nobody', 'say no')
  expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no agent external:nobody') })
})

test('[AGENT46] with accounts only admins see, add and start programs, and others are offered none', async () => {
  const people = (args: readonly string[]) => holdfast('user', ...args, '--data-dir', dataDir())
  const admin = (await people(['add', 'ada@example.org', '--name', 'Ada'])).stdout.trim()
  const user = (await people(['add', 'bob@example.org', '--name', 'Bob'])).stdout.trim()
  program = await startProgram(dataDir(), {}, ['--auth', 'accounts'])
  const { url } = program
  async function signIn(email: string, password: string) {
    const answer = await fetch(`${url}/api/v1/auth/sign-in/email`, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    const cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const { pageKey } = z.looseObject({ pageKey: z.string() }).parse(await answer.json())
    return async (method: string, path: string, body?: object) => {
      const headers = { cookie, origin: url, 'content-type': 'application/json', 'holdfast-page-key': pageKey }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const given = await fetch(`${url}/api/v1${path}`, { method, headers, ...sent })
      return { status: given.status, text: await given.text() }
    }
  }
  const [ada, bob] = [await signIn('ada@example.org', admin), await signIn('bob@example.org', user)]
  const [command, ...args] = fake()
  const agent = { name: 'Our Agent', command, args }
  expect((await bob('POST', '/external-agents', agent)).status).toBe(403)
  expect((await ada('POST', '/external-agents', agent)).status).toBe(201)
  for (const [method, path] of [
    ['GET', '/external-agents'],
    ['PATCH', '/external-agents/our-agent'],
    ['DELETE', '/external-agents/our-agent'],
    ['POST', '/external-agents/our-agent/test'],
  ] as const)
    expect((await bob(method, path, method === 'PATCH' ? { revision: 1 } : undefined)).status, path).toBe(403)
  expect((await ada('GET', '/agents')).text).toContain('external:our-agent')
  expect((await bob('GET', '/agents')).text).not.toContain('external:')
  const begun = { commandId: 'c1', agentId: 'external:our-agent' }
  expect((await bob('POST', '/conversations', begun)).status).toBe(422)
  expect((await ada('POST', '/conversations', begun)).status).toBe(201)
  expect(program.output()).toMatch(/an external agent was added.*our-agent/)
})
