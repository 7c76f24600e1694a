import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@holdfast/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { personIn } from './support/agent.ts'
import { startPostgres } from './support/postgres.ts'
import { type Program, startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const WORKERS = 3
/** Where it is not about one of several that is gone: each start takes a second of a processor. */
const FEW = 2

const closing: (() => Promise<unknown>)[] = []
let dataDir: string
let variables: Readonly<Record<string, string>>

beforeEach(async () => {
  const postgres = await startPostgres()
  closing.push(postgres.stop)
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-workers-'))
  closing.push(() => rm(dataDir, { recursive: true, force: true }))
  variables = { HOLDFAST_DATABASE_URL: postgres.url }
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function startWorkers(count: number): Promise<Program> {
  const program = await startProgram(dataDir, variables, ['--workers', String(count)])
  closing.push(program.stop)
  return program
}

const Replicas = z.object({
  replicas: z.array(
    z.object({
      pid: z.int(),
      url: z.string().nullable(),
      state: z.string(),
      isThis: z.boolean(),
      conversationIds: z.array(z.string()),
    }),
  ),
})

async function aliveAt(program: Program): Promise<z.infer<typeof Replicas>['replicas']> {
  const { replicas } = Replicas.parse(await program.call('GET', '/replicas?conversations=100'))
  return replicas.filter(({ state }) => state === 'alive')
}

/** A worker that ends takes the lines with it that it had; whoever asks then asks again. */
async function soon<Value>(ask: () => Promise<Value>): Promise<Value> {
  return vi.waitFor(ask, { timeout: 20_000, interval: 50 })
}

async function untilAlive(program: Program, count: number): Promise<z.infer<typeof Replicas>['replicas']> {
  return soon(async () => {
    const alive = await aliveAt(program)
    expect(alive).toHaveLength(count)
    expect(alive.every(({ url }) => url !== null)).toBe(true)
    return alive
  })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function begin(program: Program): Promise<string> {
  const made = await program.call('POST', '/conversations', { commandId: 'begin_1', modelId: 'demo' })
  return z.object({ id: z.string() }).parse(made).id
}

test('[SCALE4, SCALE22] three workers serve one port; one that is killed in mid-answer is replaced, and its conversation goes on', async () => {
  const program = await startWorkers(WORKERS)
  expect(
    program
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{"url"')),
  ).toHaveLength(1)
  const before = await untilAlive(program, WORKERS)
  expect(new Set([...before.map(({ url }) => url), program.url]).size).toBe(WORKERS + 1)
  // The lines of this many requests come to each of them, without any that sticks.
  const served = new Set<number>()
  await soon(async () => {
    const headers = { authorization: `Bearer ${program.token}`, connection: 'close' }
    const answer = await fetch(`${program.url}/api/v1/replicas`, { headers })
    const { replicas } = Replicas.parse(await answer.json())
    for (const { pid, isThis } of replicas) if (isThis) served.add(pid)
    expect(served.size).toBe(WORKERS)
  })

  const id = await begin(program)
  const person = personIn(program, id)
  const page = createClient({ url: program.url, token: program.token })
  closing.push(async () => page.close())
  const store = page.conversation(id)
  store.subscribe(() => {})
  store.send([{ type: 'text', text: '/demo stream-long' }], 'turn')
  const words = () => store.getSnapshot().draft?.blocks[0]?.text ?? ''
  await expect.poll(() => words().length, { timeout: 20_000 }).toBeGreaterThan(1_000)
  const holder = (await aliveAt(program)).find(({ conversationIds }) => conversationIds.includes(id))
  if (!holder) throw new Error('Nobody has the conversation')
  const shown = words()
  process.kill(holder.pid, 'SIGKILL')
  await expect
    .poll(() => program.output(), { timeout: 10_000 })
    .toContain('"message":"a worker has ended; another one takes its place"')
  await expect.poll(() => store.getSnapshot().draft, { timeout: 20_000 }).toBeNull()
  await soon(async () => expect((await person.log()).filter(({ type }) => type === 'run-finished')).toHaveLength(1))
  const kept = JSON.stringify(await soon(() => person.log()))
  // What was shown and is not kept is the end alone: less than a quarter of a second of it.
  expect(kept).toContain(JSON.stringify(shown.slice(0, 100)).slice(1, -1))

  const after = await untilAlive(program, WORKERS)
  expect(after.map(({ pid }) => pid)).not.toContain(holder.pid)
  expect(after.filter(({ pid }) => before.some((other) => other.pid === pid))).toHaveLength(WORKERS - 1)
  await soon(() => person.say('Are you there?'))
  await soon(async () => expect(await person.ended(2)).toMatchObject({ outcome: 'completed' }))
  await soon(async () => {
    const { stdout, code } = await runCommand(['list', '--data-dir', dataDir], '', variables).ended
    expect(code).toBe(0)
    expect(stdout).toContain(id.slice(-6))
  })
})

test('[SCALE4, SCALE23] told to end, all workers let their answers end, nobody is left, and the port is closed', async () => {
  const program = await startWorkers(FEW)
  const alive = await untilAlive(program, FEW)
  const id = await begin(program)
  const person = personIn(program, id)
  await person.say('Hello')
  expect(await program.stop()).toBe(0)
  expect(alive.filter(({ pid }) => isRunning(pid))).toEqual([])
  await expect(fetch(`${program.url}/api/v1/health`)).rejects.toThrow()
  expect(existsSync(join(dataDir, 'server.json'))).toBe(false)
  const again = await startWorkers(FEW)
  expect(await personIn(again, id).ended(1)).toMatchObject({ outcome: 'completed' })
})

test('[SCALE23] workers whose parent is killed end by themselves', async () => {
  const program = await startWorkers(FEW)
  const alive = await untilAlive(program, FEW)
  await program.kill()
  await expect.poll(() => alive.filter(({ pid }) => isRunning(pid)).length, { timeout: 30_000 }).toBe(0)
})

test('[SCALE4, SEC22] a start-up token that is made at one worker counts at all of them', async () => {
  const program = await startWorkers(FEW)
  await untilAlive(program, FEW)
  const { code } = await runCommand(['token', 'rotate', '--data-dir', dataDir], '', variables).ended
  expect(code).toBe(0)
  const token = (await readFile(join(dataDir, 'start-up-token'), 'utf8')).trim()
  const statusWith = async (bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}`, connection: 'close' }
    return (await fetch(`${program.url}/api/v1/conversations`, { headers })).status
  }
  await soon(async () => {
    const each = Array.from({ length: FEW * 2 })
    expect(await Promise.all(each.map(() => statusWith(program.token)))).toEqual(each.map(() => 401))
    expect(await Promise.all(each.map(() => statusWith(token)))).toEqual(each.map(() => 200))
  })
})

test('[CLI22] on SQLite it says why not, and what to do; a number that is none is refused', async () => {
  const sqlite = await runCommand(['start', '--workers', '2', '--no-open', '--data-dir', dataDir], '', {}).ended
  expect(sqlite).toMatchObject({ code: 2, stdout: '' })
  expect(sqlite.stderr).toMatch(
    /SQLite in the data folder has one owner.*HOLDFAST_DATABASE_URL.*\(E_WORKERS_NEED_POSTGRESQL\)/s,
  )
  for (const count of ['0', '65', 'two', '-1', '1.5']) {
    const refused = await runCommand(['start', `--workers=${count}`, '--no-open', '--data-dir', dataDir], '', variables)
      .ended
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('from 1 to 64')
  }
})
