import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-users-'))
})

afterEach(async () => {
  await rm(dataDir, { recursive: true })
})

const user = (args: readonly string[], input = '') => runCommand(['user', ...args, '--data-dir', dataDir], input).ended

test('[SEC2] people are looked after from the terminal, with a server and without', async () => {
  const added = await user(['add', 'Ada@example.org', '--name', 'Ada'])
  expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('ada@example.org  admin  Ada') })
  const password = added.stdout.trim()
  expect(password).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){4}$/)
  expect((await stat(join(dataDir, 'secret-key'))).mode & 0o777).toBe(0o600)

  const program = await startProgram(dataDir, {}, ['--auth', 'accounts'])
  try {
    const signIn = (word: string) =>
      fetch(`${program.url}/api/v1/auth/sign-in/email`, {
        method: 'POST',
        headers: { origin: program.url, 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ada@example.org', password: word }),
      }).then(({ status }) => status)
    expect(await signIn(password)).toBe(200)
    const reset = await user(['reset-password', 'ada@example.org', '--password-stdin'], 'another long password\n')
    expect(reset).toMatchObject({ code: 0, stdout: '' })
    expect([await signIn(password), await signIn('another long password')]).toEqual([401, 200])
    expect(await user(['disable', 'ada@example.org'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('E_LAST_ADMIN'),
    })
    expect(await user(['role', 'nobody@example.org', 'admin'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('E_UNKNOWN_USER'),
    })
    expect(await user(['budget', 'ada@example.org', '7.5', '--per', 'day'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('$7.5 a day'),
    })
    expect(await user(['budget', 'ada@example.org', 'plenty'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('plenty is no budget'),
    })
  } finally {
    expect(await program.stop()).toBe(0)
  }
  const secret = (await readFile(join(dataDir, 'secret-key'), 'utf8')).trim()
  expect(program.output()).not.toContain(secret)
  expect(program.output()).not.toContain(password)
}, 120_000)

test('[SEC2] a public address without accounts is refused with what to do', async () => {
  const start = ['start', '--json', '--no-open', '--port', '0', '--host', '0.0.0.0', '--data-dir', dataDir]
  const { code, stderr } = await runCommand(start).ended
  expect(code).toBe(4)
  expect(stderr).toContain('E_PUBLIC_ADDRESS')
  expect(stderr).toContain('--auth accounts')
}, 60_000)
