import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { createClient } from '@holdfast/client'
import type { UIMessage } from 'ai'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { personIn } from './support/agent.ts'
import { followByEvents } from './support/follow-by-events.ts'
import { freePort } from './support/free-port.ts'
import { createChat } from './support/plain-chat.ts'
import { findPrograms, type Postgres, startPostgres } from './support/postgres.ts'
import { type Program, startProgram } from './support/program.ts'
import { prepareRedis, type Redis } from './support/redis.ts'
import { startRoundRobin } from './support/round-robin.ts'
import { startSlowLine } from './support/slow-line.ts'

const closing: (() => Promise<unknown>)[] = []
let postgres: Postgres
let variables: Readonly<Record<string, string>>
/** All replicas let in whoever has it. */
let token: string

beforeEach(async () => {
  token = randomBytes(32).toString('base64url')
  postgres = await startPostgres()
  closing.push(postgres.stop)
  variables = { HOLDFAST_DATABASE_URL: postgres.url, HOLDFAST_SECRET_KEY: randomBytes(32).toString('base64url') }
}, 120_000)

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
}, 60_000)

async function startReplica(more: Readonly<Record<string, string>>, flags: readonly string[]): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-live-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'start-up-token'), `${token}\n`, { mode: 0o600 })
  const program = await startProgram(folder, { ...variables, ...more }, flags)
  closing.push(program.stop)
  return program
}

async function ready(password: string | null): Promise<Redis> {
  const redis = await prepareRedis(password)
  closing.push(redis.stop)
  return redis
}

let commandCount = 0

async function begin(program: Program): Promise<string> {
  commandCount += 1
  const made = await program.call('POST', '/conversations', { commandId: `begin_${commandCount}`, modelId: 'demo' })
  return (made as { id: string }).id
}

/** How often a program has said something in its log. */
const saidBy = (program: Program, words: string): number => program.output().split(words).length - 1

const WORKS = 'Redis carries what streams'
const FAILS = 'Redis does not work'

test('[SCALE2, SCALE13, SYNC1] Redis absent, killed, flushed, standing still and back: who follows elsewhere has every entry and every word', async () => {
  const redis = await ready(null)
  const [one, other] = [
    await startReplica({ HOLDFAST_REDIS_URL: redis.url }, []),
    await startReplica({ HOLDFAST_REDIS_URL: redis.url }, []),
  ]
  const programs = [one, other]
  const id = await begin(one)
  const person = personIn(one, id)
  const follower = await followByEvents(other, id)
  closing.push(follower.close)
  /** A turn in whose midst something is done; its words are known at the other replica within a second of being said. */
  async function turnWith(count: number, disturb: () => Promise<void>): Promise<void> {
    await person.say('/demo stream-long')
    await expect.poll(() => follower.text().length, { timeout: 20_000 }).toBeGreaterThan(20)
    await disturb()
    const before = follower.text().length
    await expect.poll(() => follower.text().length, { timeout: 5_000 }).toBeGreaterThan(before + 20)
    await person.stop()
    await person.ended(count)
  }
  const all = (words: string, times: number) =>
    expect.poll(() => programs.map((program) => saidBy(program, words)), { timeout: 20_000 }).toEqual([times, times])

  await turnWith(1, async () => {})
  await all(FAILS, 1)
  await redis.start()
  await all(WORKS, 1)
  await turnWith(2, async () => {
    expect(await redis.command('FLUSHALL')).toBe('+OK')
  })
  await turnWith(3, redis.kill)
  await all(FAILS, 2)
  await redis.start()
  await all(WORKS, 2)
  await turnWith(4, async () => {
    redis.pause()
    await passed(2_500)
  })
  await all(FAILS, 3)
  redis.resume()
  await all(WORKS, 3)
  await turnWith(5, async () => {})

  const log = await person.log()
  await expect.poll(follower.seqs).toEqual(log.map(({ seq }) => seq))
  const answers = log.flatMap((entry) => (entry.type === 'step-finished' ? [JSON.stringify(entry['blocks'])] : []))
  for (const step of follower.steps())
    expect(answers.some((blocks) => blocks.includes(JSON.stringify(step).slice(1, -1)))).toBe(true)
  expect(
    follower.events().filter((name) => !['entry', 'delta', 'draft', 'caught-up', 'progress'].includes(name)),
  ).toEqual([])
  for (const program of programs) expect(program.output()).not.toContain('"level":"error"')
}, 240_000)

test('[SCALE13] a wrong password of Redis is said once, without it, and everything works', async () => {
  const redis = await ready('the-right-one')
  await redis.start()
  const wrong = redis.url.replace('the-right-one', 'canary-wrong-one')
  const [one, other] = [
    await startReplica({ HOLDFAST_REDIS_URL: wrong }, []),
    await startReplica({ HOLDFAST_REDIS_URL: wrong }, []),
  ]
  await expect.poll(() => one.output(), { timeout: 10_000 }).toContain('it refused the user or the password')
  const person = personIn(one, await begin(one))
  const follower = await followByEvents(other, person.id)
  closing.push(follower.close)
  await person.say('hello')
  await person.ended(1)
  // A title may be made meanwhile.
  await expect.poll(async () => (await person.log()).length - follower.seqs().length).toBe(0)
  await passed(3_000)
  expect(saidBy(one, FAILS)).toBe(1)
  expect(one.output() + other.output()).not.toContain('canary-wrong-one')
}, 120_000)

test('[SCALE28] a Redis that is slow: what it brings within a second is taken from it, what it brings later from the database, and back', async () => {
  const redis = await ready(null)
  await redis.start()
  const line = await startSlowLine(redis.port, { delayMs: 100, bytesPerSecond: null })
  closing.push(line.close)
  const slow = { HOLDFAST_REDIS_URL: redis.url.replace(String(redis.port), String(line.port)) }
  const [one, other] = [await startReplica(slow, []), await startReplica(slow, [])]
  const programs = [one, other]
  /** What each said of Redis last: how often it did is left to how busy the machine is. */
  const lastSaid = () =>
    programs.map((program) => {
      const output = program.output()
      return output.lastIndexOf(WORKS) > output.lastIndexOf(FAILS) ? WORKS : FAILS
    })
  const untilBoth = (words: string) => expect.poll(lastSaid, { timeout: 30_000 }).toEqual([words, words])
  await untilBoth(WORKS)
  const person = personIn(one, await begin(one))
  const near = await followByEvents(one, person.id)
  const far = await followByEvents(other, person.id)
  closing.push(near.close, far.close)

  /** What is read at the owner is read elsewhere within a time that a second and a busy machine need. */
  async function expectKnownSoon(): Promise<void> {
    for (let look = 0; look < 5; look += 1) {
      const said = near.text().length
      await expect.poll(() => far.text().length, { timeout: 2_500, interval: 20 }).toBeGreaterThanOrEqual(said)
      expect(far.text()).toBe(near.text().slice(0, far.text().length))
      await passed(200)
    }
  }

  async function turn(count: number): Promise<void> {
    await person.say('/demo stream-long')
    for (const follower of [near, far])
      await expect.poll(() => follower.steps().length, { timeout: 20_000 }).toBe(count)
    await expectKnownSoon()
    await person.stop()
    await person.ended(count)
  }

  await turn(1)
  // Longer than a second for each word: it is as good as silent, however steadily they come.
  line.become({ delayMs: 1_500, bytesPerSecond: null })
  await untilBoth(FAILS)
  await turn(2)
  for (let look = 0; look < 30; look += 1) {
    expect(lastSaid()).toEqual([FAILS, FAILS])
    await passed(100)
  }
  line.become({ delayMs: 0, bytesPerSecond: null })
  await untilBoth(WORKS)
  await turn(3)
  // So little goes through that the words pile up before it.
  line.become({ delayMs: 0, bytesPerSecond: 300 })
  await turn(4)
  line.become({ delayMs: 0, bytesPerSecond: null })

  const log = await person.log()
  await expect.poll(far.seqs).toEqual(log.map(({ seq }) => seq))
  for (const program of programs) expect(program.output()).not.toContain('"level":"error"')
}, 240_000)

test('[SCALE11] a replica at rest, at which twenty conversations are followed, asks the database at most twice a second', async () => {
  const [one, other] = [await startReplica({}, []), await startReplica({}, [])]
  for (let count = 0; count < 20; count += 1) {
    const follower = await followByEvents(other, await begin(one))
    closing.push(follower.close)
  }
  await expect.poll(() => saidBy(other, 'tells at once'), { timeout: 15_000 }).toBe(1)
  // What a session has done is counted up to ten seconds later.
  await passed(12_000)
  const before = transactionsOf(postgres)
  await passed(10_000)
  // Of two replicas.
  expect((transactionsOf(postgres) - before) / 10 / 2).toBeLessThanOrEqual(2)
}, 120_000)

/** All that the database was asked so far; a statement alone is a transaction. */
function transactionsOf({ url }: Postgres): number {
  const query = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = 'postgres'"
  const { stdout, stderr } = spawnSync(join(findPrograms(), 'psql'), [url, '-qAtc', query], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  if (stdout.trim() === '') throw new Error(stderr)
  return Number(stdout)
}

test('[SCALE2, SYNC1, STOP1, PERM5] three replicas behind a balancer that sends each request to the next one: page, events, useChat and an OpenAI client in one conversation', async () => {
  const redis = await ready(null)
  await redis.start()
  const work = await mkdtemp(join(tmpdir(), 'holdfast-live-work-'))
  closing.push(() => rm(work, { recursive: true, force: true }))
  const port = await freePort()
  const programs: Program[] = []
  for (let count = 0; count < 3; count += 1)
    programs.push(
      await startReplica({ HOLDFAST_REDIS_URL: redis.url }, [
        '--workspace',
        work,
        '--allowed-host',
        `127.0.0.1:${port}`,
      ]),
    )
  const balancer = await startRoundRobin(
    port,
    programs.map(({ url }) => url),
  )
  closing.push(balancer.stop)
  const [first] = programs
  if (!first) throw new Error('There are three')
  const behind: Program = { ...first, url: balancer.url, call: callAt(balancer.url) }
  const id = await begin(behind)
  const person = personIn(behind, id)
  const page = createClient({ url: balancer.url, token })
  closing.push(async () => page.close())
  const store = page.conversation(id)
  store.subscribe(() => {})
  const follower = await followByEvents(behind, id)
  closing.push(follower.close)

  store.send([{ type: 'text', text: '/demo stream-long' }], 'turn')
  await expect.poll(() => follower.text().length, { timeout: 20_000 }).toBeGreaterThan(100)
  await expect.poll(() => store.getSnapshot().draft?.blocks[0]?.text.length ?? 0).toBeGreaterThan(100)
  await person.stop()
  expect(await person.ended(1)).toMatchObject({ outcome: 'stopped' })

  await person.say('/demo permission')
  await person.answer('write', 'allow')
  expect(await person.ended(2)).toMatchObject({ outcome: 'completed' })

  const chat = createChat({ url: balancer.url, token, id })
  await chat.sendMessage({ text: 'hello from useChat' })
  expect(textOf(chat.messages.at(-1)).length).toBeGreaterThan(10)
  await person.ended(3)

  const answer = await fetch(`${balancer.url}/api/v1/interop/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo', stream: true, messages: [{ role: 'user', content: 'hello from OpenAI' }] }),
  })
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('data: [DONE]')

  const log = await person.log()
  await expect.poll(follower.seqs).toEqual(log.map(({ seq }) => seq))
  await expect.poll(() => store.getSnapshot().draft).toBeNull()
  await expect.poll(() => JSON.stringify(store.getSnapshot().window.items)).toContain('hello from useChat')
  const served = await Promise.all(programs.map(({ call }) => call('GET', `/conversations/${id}/transcript`)))
  expect(served[1]).toEqual(served[0])
  expect(served[2]).toEqual(served[0])
  for (const program of programs) expect(program.output()).not.toContain('"level":"error"')
}, 240_000)

function callAt(url: string): Program['call'] {
  return async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
}

const textOf = (message: UIMessage | undefined): string =>
  message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? ''
