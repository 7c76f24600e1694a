import { createHmac } from 'node:crypto'
import { API_PATH, HOOK_HEADERS, HOOK_LIMITS } from '@holdfast/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { type Served, serve } from './support/serve.ts'

let served: Served
let path = ''
let secret = ''
let scheduleId = ''

beforeAll(async () => {
  served = await serve({ webRoot: null })
  const body = {
    name: 'Orders',
    content: [{ type: 'text', text: 'Look at this order' }],
    rule: { type: 'hook' },
    timeZone: 'UTC',
    overlap: 'parallel',
  }
  const made = await served.call('POST', `${API_PATH}/schedules`, body)
  scheduleId = z.object({ id: z.string() }).parse(made.body).id
  const renewed = await served.call('POST', `${API_PATH}/schedules/${scheduleId}/secret`)
  ;({ path, secret } = z.object({ path: z.string(), secret: z.string() }).parse(renewed.body))
})
afterAll(() => served.close())

/** Calls the address as programs do: no token, no cookie. */
async function called(
  body: string | Buffer,
  { key = secret, at = Date.now(), to = path, type = 'application/json' } = {},
) {
  const signature = createHmac('sha256', key).update(`${at}.`).update(body).digest('hex')
  const answer = await fetch(`${served.url}${to}`, {
    method: 'POST',
    headers: {
      'content-type': type,
      [HOOK_HEADERS.timestamp]: String(at),
      [HOOK_HEADERS.signature]: `v1=${signature}`,
    },
    body: new Uint8Array(Buffer.from(body)),
  })
  const retryAfter = answer.headers.get('retry-after')
  return {
    status: answer.status,
    retryAfter,
    body: z.looseObject({ code: z.string().optional() }).parse(await answer.json()),
  }
}

async function runs(): Promise<number> {
  const { body } = await served.call('GET', `${API_PATH}/schedules/${scheduleId}/occurrences`)
  return z.object({ occurrences: z.array(z.unknown()) }).parse(body).occurrences.length
}

test('[SCHED19] a signed call of any media type is taken once, and its replay is refused', async () => {
  const at = Date.now()
  expect(await called('{"order":7}', { at })).toMatchObject({ status: 202, body: { state: 'begun' } })
  expect(await called('{"order":7}', { at })).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect(await called('a=1', { type: 'application/x-www-form-urlencoded' })).toMatchObject({ status: 202 })
  expect(await runs()).toBe(2)
})

test('[SCHED19] another secret, an unknown address and a body of 10 MB are refused with a problem, and nothing runs', async () => {
  const before = await runs()
  expect(await called('x', { key: 'another' })).toMatchObject({ status: 401, body: { code: 'bad-signature' } })
  const unknown = await called('x', { to: '/api/v1/hooks/hook_none' })
  expect(unknown).toMatchObject({ status: 404, body: { code: 'unknown-schedule' } })
  expect(await called(Buffer.alloc(10_000_000, 120))).toMatchObject({ status: 413, body: { code: 'too-large' } })
  expect(await called(Buffer.alloc(HOOK_LIMITS.bodyBytes + 1, 120))).toMatchObject({ status: 413 })
  expect(await runs()).toBe(before)
  expect(served.logged.join('\n')).not.toContain(secret)
})

test('[SCHED19] the secret stands in no answer but the one that made it', async () => {
  const { body } = await served.call('GET', `${API_PATH}/schedules/${scheduleId}`)
  expect(body).toMatchObject({ hookPath: path, rule: { type: 'hook' } })
  expect(JSON.stringify(body)).not.toContain(secret)
})

test('[SCHED2] what a run brought waits over the API until it is acknowledged by its own id, and is gone after that', async () => {
  await expect.poll(() => served.model.requests.length).toBeGreaterThan(0)
  served.model.say('All is shipped.')
  served.model.end()
  const Item = z.looseObject({
    id: z.string(),
    scheduleId: z.string().nullable(),
    conversationId: z.string().nullable(),
  })
  const all = async () => {
    const { body } = await served.call('GET', `${API_PATH}/inbox`)
    return z.object({ items: z.array(Item) }).parse(body).items
  }
  const waiting = async () => (await all()).filter((item) => item.scheduleId === scheduleId)
  await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0)
  const asked = served.model.requests.length
  await served.call('POST', `${API_PATH}/schedules/${scheduleId}/run`)
  await expect.poll(() => served.model.requests.length).toBe(asked + 1)
  served.model.say('All is shipped again.')
  served.model.end()
  await expect.poll(async () => (await waiting()).length).toBeGreaterThan(1)
  const [ended] = await waiting()
  const count = (await waiting()).length
  const acknowledge = async (id: string) =>
    (await served.call('POST', `${API_PATH}/inbox/acknowledge`, { ids: [id] })).body
  for (const other of ['another', 'paused'])
    expect(await acknowledge(`schedule/${scheduleId}/${other}`)).toEqual({ acknowledged: 0 })
  expect(await waiting()).toHaveLength(count)
  expect(await acknowledge(ended?.id ?? '')).toEqual({ acknowledged: 1 })
  expect((await waiting()).map(({ id }) => id)).not.toContain(ended?.id)
  expect(await waiting()).toHaveLength(count - 1)
  // Nor is it there once more as a conversation that ended.
  expect((await all()).map(({ conversationId }) => conversationId)).not.toContain(ended?.conversationId)
})

test('[SCHED40] a call that cannot run now is told in a header when it may come again', async () => {
  const change = (body: object) => served.call('PATCH', `${API_PATH}/schedules/${scheduleId}`, body)
  await change({ overlap: 'skip' })
  await called('first')
  await expect
    .poll(async () => (await called('second', { at: Date.now() })).retryAfter, { message: 'one is open' })
    .toBe('30')
  await change({ overlap: 'parallel' })
})
