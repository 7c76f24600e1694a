import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type ClientRequest, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { LINE_LIMITS } from '@holdfast/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { conversationIds, converse } from './support/agent.ts'
import { claudeLines } from './support/claude-log.ts'
import { followByEvents } from './support/follow-by-events.ts'
import { type Program, startProgram } from './support/program.ts'
import { type SlowLine, startSlowLine } from './support/slow-line.ts'

const READERS = 20
const LOG_MESSAGES = 400
/** Of each answer, in bytes: the log has 20 MB. */
const ANSWER_BYTES = 100_000
/**
 * What one reader more may make the server take, with what is not collected yet; all of the log would be twice as much. Of that
 * the import before leaves more or less behind: by appends of 8 MiB 361 MB were there and 131 came, by those of 1 MiB 263 and 169.
 */
const READER_BYTES = 10_000_000

const closing: (() => Promise<unknown>)[] = []
let base: string
let program: Program
let line: SlowLine

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-slow-readers-'))
  closing.push(() => rm(base, { recursive: true }))
  program = await startProgram(join(base, 'data'), {})
  closing.push(program.stop)
  line = await startSlowLine(Number(new URL(program.url).port), { delayMs: 0, bytesPerSecond: 1_000 })
  closing.push(line.close)
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

test('[SYNC3] readers at 1 kB a second: each costs bounded memory and nobody else, is cut, and goes on from its cursor', async () => {
  const id = await importLong()
  const { pid } = z.object({ pid: z.int() }).parse(JSON.parse(await readFile(join(base, 'data/server.json'), 'utf8')))
  // What a reader who keeps up makes it take is there already.
  line.become({ delayMs: 0, bytesPerSecond: null })
  const quick = readSlowly(id)
  closing.push(async () => quick.end())
  await expect.poll(quick.lastSeq, { timeout: 30_000 }).toBeGreaterThanOrEqual(LOG_MESSAGES)
  line.become({ delayMs: 0, bytesPerSecond: 1_000 })
  const before = await residentBytes(pid)
  const readers = Array.from({ length: READERS }, () => readSlowly(id))
  closing.push(async () => {
    for (const reader of readers) reader.end()
  })
  await Promise.all(readers.map((reader) => reader.begun))

  // Somebody else, with an answer that streams meanwhile.
  const person = await converse(program)
  const follower = await followByEvents(program, person.id)
  closing.push(follower.close)
  await person.say('/demo stream-long')
  let most = 0
  for (let look = 0; look < 10; look += 1) {
    const seen = follower.text().length
    await expect.poll(() => follower.text().length, { timeout: 2_500, interval: 20 }).toBeGreaterThan(seen)
    most = Math.max(most, (await residentBytes(pid)) - before)
    await passed(500)
  }
  await person.stop()
  process.stdout.write(
    `${READERS} readers at 1 kB a second: ${Math.round(most / 1e6)} MB more at the most, before ${Math.round(before / 1e6)}\n`,
  )
  expect(most).toBeLessThan(READERS * READER_BYTES)

  // Who takes a page for half a minute is cut, and hears of it behind what lies on the way.
  await passed(LINE_LIMITS.maxDrainMs)
  line.become({ delayMs: 0, bytesPerSecond: null })
  const cursors = await Promise.all(readers.map((reader) => reader.cut))
  for (const seq of cursors) expect(seq).toBeLessThan(LOG_MESSAGES)
  const [cursor = 0] = cursors
  const rest = readSlowly(id, cursor)
  closing.push(async () => rest.end())
  expect(await rest.firstSeq).toBe(cursor + 1)
  await expect.poll(rest.lastSeq, { timeout: 30_000 }).toBeGreaterThanOrEqual(LOG_MESSAGES)
}, 180_000)

async function importLong(): Promise<string> {
  const more = ` ${'x'.repeat(ANSWER_BYTES)}`
  const body = [...claudeLines('long', LOG_MESSAGES, more)].join('')
  const headers = { authorization: `Bearer ${program.token}`, 'content-type': 'application/octet-stream' }
  const answer = await fetch(`${program.url}/api/v1/import?name=log.jsonl`, { method: 'POST', body, headers })
  const { id } = z.object({ id: z.string() }).parse(await answer.json())
  await expect
    .poll(async () => program.call('GET', `/imports/${id}`), { timeout: 60_000, interval: 200 })
    .toMatchObject({ state: 'finished' })
  const [conversationId = ''] = await conversationIds(program)
  return conversationId
}

/** Follows a conversation over the slow line, and stops listening only when it is cut. */
function readSlowly(id: string, after = 0) {
  const begun = Promise.withResolvers<void>()
  const cut = Promise.withResolvers<number>()
  const firstSeq = Promise.withResolvers<number>()
  let last = after
  let unread = ''
  const request: ClientRequest = get(
    `http://127.0.0.1:${line.port}/api/v1/conversations/${id}/entries?after=${after}&live=sse`,
    // The name that the server knows itself by.
    { headers: { authorization: `Bearer ${program.token}`, host: new URL(program.url).host }, agent: false },
    (response) => {
      begun.resolve()
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        const events = `${unread}${text}`.split('\n\n')
        unread = events.pop() ?? ''
        for (const event of events) {
          const seq = /^id: (\d+)$/m.exec(event)?.[1]
          if (seq === undefined) continue
          if (last === after) firstSeq.resolve(Number(seq))
          last = Number(seq)
        }
      })
      response.on('error', () => {})
      response.on('close', () => cut.resolve(last))
    },
  )
  request.on('error', begun.reject)
  return {
    begun: begun.promise,
    cut: cut.promise,
    firstSeq: firstSeq.promise,
    lastSeq: () => last,
    end: () => void request.on('error', () => {}).destroy(),
  }
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024
}
