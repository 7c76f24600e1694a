import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Postgres, startPostgres } from './support/postgres.ts'
import { type Program, startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

const WITH_ACCOUNTS = ['--auth', 'accounts']
const KEY = randomBytes(32).toString('base64url')
const OTHER_KEY = randomBytes(32).toString('base64url')

let postgres: Postgres
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  postgres = await startPostgres()
}, 120_000)

afterAll(async () => {
  for (const close of closing.reverse()) await close()
  await postgres.stop()
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hf-joining-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function variablesOf(key: string): Readonly<Record<string, string>> {
  return { HOLDFAST_DATABASE_URL: postgres.url, HOLDFAST_SECRET_KEY: key }
}

async function start(key: string, flags: readonly string[]): Promise<Program> {
  const program = await startProgram(await newFolder(), variablesOf(key), flags)
  closing.push(() => program.kill())
  return program
}

/** The token of the link that a server has shown. */
async function setUpToken(program: Program): Promise<string> {
  await expect.poll(() => /setup\?token=([\w-]+)/.exec(program.output())?.[1]).toBeDefined()
  return /setup\?token=([\w-]+)/.exec(program.output())?.[1] ?? ''
}

test('[SCALE35, SCALE36] the servers of a database have one link for the first account and one secret key, and let in alike', async () => {
  const one = await start(KEY, WITH_ACCOUNTS)
  const other = await start(KEY, WITH_ACCOUNTS)
  const token = await setUpToken(one)
  expect(await setUpToken(other)).toBe(token)
  const person = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery' }
  const made = await fetch(`${other.url}/api/v1/auth/setup`, {
    method: 'POST',
    headers: { origin: other.url, 'content-type': 'application/json' },
    body: JSON.stringify({ token, ...person }),
  })
  expect(made.status).toBe(201)

  await expect(start(OTHER_KEY, WITH_ACCOUNTS)).rejects.toThrow(/ended with 1:.*another secret key.*E_OTHER_KEY/s)
  await expect(start(KEY, [])).rejects.toThrow(/ended with 1:.*has accounts.*E_ACCOUNTS/s)
  const look = async (key: string) =>
    runCommand(['doctor', '--no-detect', '--data-dir', await newFolder()], '', variablesOf(key)).ended
  expect((await look(KEY)).stdout).toContain('✓ secret key')
  expect(await look(OTHER_KEY)).toMatchObject({ code: 1, stdout: expect.stringContaining('✕ secret key') })
  // The others serve on, as they did.
  expect((await fetch(`${one.url}/api/v1/ready`)).status).toBe(200)

  // The right key is lost: another takes its place, when that is said.
  await Promise.all([one.stop(), other.stop()])
  const anew = await start(OTHER_KEY, [...WITH_ACCOUNTS, '--new-secret-key'])
  expect(await anew.call('GET', '/users')).toMatchObject({ users: [{ email: 'ada@example.org' }] })
  await start(OTHER_KEY, WITH_ACCOUNTS)
  await expect(start(KEY, WITH_ACCOUNTS)).rejects.toThrow('E_OTHER_KEY')
}, 120_000)
