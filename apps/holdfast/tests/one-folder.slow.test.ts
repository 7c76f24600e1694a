import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startPostgres } from './support/postgres.ts'
import { startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const closing: (() => Promise<unknown>)[] = []
let dataDir: string
let variables: Readonly<Record<string, string>>

beforeEach(async () => {
  const postgres = await startPostgres()
  closing.push(postgres.stop)
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-one-folder-'))
  closing.push(() => rm(dataDir, { recursive: true, force: true }))
  variables = { HOLDFAST_DATABASE_URL: postgres.url }
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

test('[SCALE37] a second server on the data folder of one with PostgreSQL is refused, with workers too; a killed one leaves no lock', async () => {
  const first = await startProgram(dataDir, variables)
  closing.push(first.stop)
  for (const more of [[], ['--workers', '2']]) {
    const args = ['start', '--json', '--no-open', '--no-detect', '--port', '0', '--data-dir', dataDir, ...more]
    const { code, stdout, stderr } = await runCommand(args, '', variables).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`Holdfast runs already with the data folder ${dataDir}: ${first.url}`)
    expect(stderr).toMatch(/ \(E_STORE_LOCKED\)\n$/)
  }
  expect(await first.call('GET', '/health')).toMatchObject({ status: 'ok' })
  await first.kill()
  const second = await startProgram(dataDir, variables)
  expect(await second.stop()).toBe(0)
})
