import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrictProvider } from '@holdfast/conformance'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { converse } from './support/agent.ts'
import { type Postgres, startPostgres } from './support/postgres.ts'
import { type Program, startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

// The test starts PostgreSQL, the program and some commands.
vi.setConfig({ testTimeout: 120_000 })

let base: string
let postgres: Postgres
/** A server with an empty database. */
let other: Postgres
let program: Program | null = null

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-care-'))
  postgres = await startPostgres()
  other = await startPostgres()
})

afterEach(async () => {
  await program?.stop()
  program = null
  await Promise.all([postgres.stop(), other.stop()])
  await rm(base, { recursive: true })
})

test('[LOG17] what looks after a store looks after that of HOLDFAST_DATABASE_URL: backup, restore, check, doctor, usage', async () => {
  const provider = await createStrictProvider({})
  const dataDir = join(base, 'data')
  const command = (url: string, ...args: readonly string[]) =>
    runCommand([...args, '--data-dir', dataDir], '', { HOLDFAST_DATABASE_URL: url }).ended
  try {
    provider.otherwise({ parts: [{ type: 'text', text: 'Yes.' }] })
    const models = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: provider.url }
    const none = await command(postgres.url, 'doctor', '--no-detect')
    expect(none.stdout).toContain('! database     There is none yet')
    program = await startProgram(dataDir, { HOLDFAST_DATABASE_URL: postgres.url, ...models })
    const person = await converse(program)
    await person.say('Hello')
    await person.ended(1)
    await person.until('title-changed', 1)

    const used = JSON.parse((await command(postgres.url, 'usage', '--json')).stdout)
    expect(used.rows).toMatchObject([{ totals: { requestCount: 2 } }])
    const backups = join(base, 'backups')
    await mkdir(backups)
    const saved = await command(postgres.url, 'backup', backups)
    expect(saved).toMatchObject({ code: 0 })
    expect(await readdir(backups)).toEqual([expect.stringMatching(/^holdfast-.*\.postgres\.gz$/)])
    const checked = await command(postgres.url, 'db', 'check', '--json')
    expect(JSON.parse(checked.stdout)).toMatchObject({ conversationCount: 1, damages: [] })
    expect((await command(postgres.url, 'doctor', '--no-detect')).stdout).toMatch(/✓ database +\d+ entries of 1 conv/)

    const refused = await command(postgres.url, 'restore', backups)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/empty database.*\(E_STORE_EXISTS\)\n$/)])
    expect(await command(postgres.url, 'restore', backups, '--force')).toMatchObject({ code: 2 })
    expect(await command(other.url, 'restore', backups)).toMatchObject({ code: 0 })
    expect(JSON.parse((await command(other.url, 'db', 'check', '--json')).stdout)).toEqual(JSON.parse(checked.stdout))
    expect(JSON.parse((await command(other.url, 'usage', '--json')).stdout)).toEqual(used)
  } finally {
    await provider.close()
  }
})
