import { createServer, type ServerResponse } from 'node:http'
import type { FollowedEvent } from '@holdfast/client'
import type { Clock } from '@holdfast/conversation'
import { conversationCreated, inputAdmitted, logOf, titleChanged } from '@holdfast/conversation/testing'
import { createManualClock } from '@holdfast/engine/testing'
import { problem, routes } from '@holdfast/protocol'
import { expect, test } from 'vitest'
import { type Api, createApi } from '../src/cli/reach/api.ts'
import { createLastingApi } from '../src/cli/reach/lasting-api.ts'
import { CliError } from '../src/cli-error.ts'

const log = logOf('conversation_1', [
  conversationCreated('local'),
  inputAdmitted('input_1', 'one'),
  titleChanged('two', 'user'),
  titleChanged('three', 'user'),
])

const broken = () => new CliError('E_NO_SERVER', 69, 'The line broke')

/** A server of which each follow sends so many entries and breaks; null for none that answers. */
function serverWith(sends: readonly (number | null)[]) {
  const left = sends.slice()
  const asked: number[] = []
  const api: Api = {
    ...createApi({ url: 'http://127.0.0.1:1', token: 'none' }),
    async *follow(_conversationId, { after }): AsyncIterable<FollowedEvent> {
      asked.push(after)
      const count = left.shift() ?? 0
      for (const entry of log.slice(after, after + count)) yield { type: 'entry', entry }
      throw broken()
    },
  }
  async function findAgain(): Promise<Api | null> {
    if (left[0] !== null) return api
    left.shift()
    return null
  }
  return { api, asked, findAgain }
}

interface Looking {
  readonly lasting: ReturnType<typeof createLastingApi>
  readonly clock: ReturnType<typeof createManualClock>
  readonly news: readonly string[]
  readonly ended: AbortController
}

function lookFor({ api, findAgain }: Pick<ReturnType<typeof serverWith>, 'api' | 'findAgain'>, isOwn = false): Looking {
  const clock = createManualClock()
  const ended = new AbortController()
  const news: string[] = []
  const lasting = createLastingApi({
    server: { api, isOwn, findAgain },
    clock,
    random: { next: () => 0.5 },
    signal: ended.signal,
    onLine: (one) => news.push(one),
  })
  return { lasting, clock, news, ended }
}

/** Lets time pass as it is waited for, until the work is done. */
async function passing<Value>(clock: Clock & { advance(ms: number): Promise<unknown> }, work: Promise<Value>) {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  done.catch(() => {})
  while (!isDone) {
    await clock.advance(500)
    // Real lines move on between two moments of the manual clock.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return done
}

test('[SYNC1] goes on behind the last entry after every break, and tells each break once', async () => {
  const server = serverWith([2, 0, null, null, 2])
  const { lasting, clock, news, ended } = lookFor(server)
  const seqs: number[] = []
  async function read(): Promise<void> {
    for await (const event of lasting.follow('conversation_1', { after: 0, signal: ended.signal })) {
      if (event.type !== 'entry') continue
      seqs.push(event.entry.seq)
      if (event.entry.seq === 4) ended.abort()
    }
  }
  await passing(clock, read())
  expect(seqs).toEqual([1, 2, 3, 4])
  expect(server.asked).toEqual([0, 2, 2])
  expect(news).toEqual(['lost', 'back', 'lost', 'back'])
})

test('[SYNC2] asks again what was on its way when the line broke, and not what was refused', async () => {
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => response.destroy(),
    (response) => response.writeHead(503).end(JSON.stringify(problem(503, 'not-ready', 'It starts'))),
    (response) => response.writeHead(200).end(JSON.stringify({ status: 'ready', version: '1', store: 'ok' })),
    (response) => response.writeHead(409).end(JSON.stringify(problem(409, 'conflict', 'No'))),
  ]
  const server = createServer((_request, response) => answers.shift()?.(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const api = createApi({ url: `http://127.0.0.1:${port}`, token: 'none' })
  try {
    const { lasting, clock } = lookFor({ api, findAgain: async () => api })
    expect(await passing(clock, lasting.call(routes.ready, {}))).toMatchObject({ status: 'ready' })
    await expect(passing(clock, lasting.call(routes.ready, {}))).rejects.toMatchObject({ code: 'E_CONFLICT' })
    expect(answers).toEqual([])
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('[SYNC1] gives up after a while, at once where the server is the command’s own, and quietly when it is left', async () => {
  const away = { api: serverWith([]).api, findAgain: async () => null }
  const drain = async ({ lasting, ended }: Looking): Promise<void> => {
    for await (const _ of lasting.follow('conversation_1', { after: 0, signal: ended.signal }));
  }
  const waiting = lookFor(away)
  await expect(passing(waiting.clock, drain(waiting))).rejects.toThrow('did not come back within 10 minutes')
  expect(waiting.news).toEqual(['lost', 'given-up'])
  const own = lookFor(away, true)
  await expect(passing(own.clock, drain(own))).rejects.toThrow('The line broke')
  expect(own.news).toEqual([])
  const left = lookFor(away)
  const following = drain(left)
  await expect.poll(() => left.news).toEqual(['lost'])
  left.ended.abort()
  await passing(left.clock, following)
  expect(left.news).toEqual(['lost'])
})

test('[SYNC1] does not go on in a log that has become shorter', async () => {
  const api: Api = {
    ...createApi({ url: 'http://127.0.0.1:1', token: 'none' }),
    async *follow(): AsyncIterable<FollowedEvent> {
      yield { type: 'caught-up', conversationId: 'conversation_1', head: 2 }
    },
  }
  const { lasting, ended } = lookFor({ api, findAgain: async () => api })
  async function read(): Promise<void> {
    for await (const _ of lasting.follow('conversation_1', { after: 4, signal: ended.signal }));
  }
  await expect(read()).rejects.toMatchObject({ code: 'E_OTHER_LOG' })
})
