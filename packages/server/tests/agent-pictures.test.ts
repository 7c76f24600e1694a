import { pngSizeOf } from '@holdfast/conversation'
import { type AgentRow, API_PATH } from '@holdfast/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addUser, type Credentials, send, setUp } from './support/people.ts'
import { type Served, serve } from './support/serve.ts'

const MANY = { max: 1_000_000, windowMs: 60_000 }

let served: Served
let owner: Credentials
let other: Credentials

beforeAll(async () => {
  served = await serve({
    webRoot: null,
    withAccounts: true,
    rateLimits: { api: MANY, signIn: MANY, account: MANY },
  })
  const admin = await setUp(served)
  owner = await addUser(served, admin, { email: 'owner@example.org', role: 'user' })
  other = await addUser(served, admin, { email: 'other@example.org', role: 'user' })
})

afterAll(() => served.close())

/** The beginning of a PNG, and what makes one differ from another. */
function png({ width = 64, height = 64, mark = 0, name = 'IHDR' } = {}): Buffer {
  const bytes = Buffer.alloc(64, mark)
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).copy(bytes)
  bytes.write(name, 12, 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

async function write(path: string, body: object): Promise<{ status: number; row: AgentRow }> {
  const method = path === '/agents' ? 'POST' : 'PATCH'
  const answer = await send(served, [method, path], { as: owner, body: { name: 'Ada', ...body } })
  return { status: answer.status, row: answer.body as AgentRow }
}

function read(agentId: string, as: Credentials): Promise<Response> {
  return fetch(`${served.url}${API_PATH}/agents/${agentId}/picture`, { headers: { origin: served.url, ...as } })
}

it('[SEC1, AGENT4] a picture is seen by those who may use the agent, and by nobody else', async () => {
  const { row } = await write('/agents', { picture: png().toString('base64') })
  expect(row.picture).toMatch(/^[0-9a-f]{32}$/)
  expect((await read(row.id, other)).status).toBe(404)
  const sharing = { type: 'people', emails: ['other@example.org'] }
  const shared = await write(`/agents/${row.id}`, { version: 1, sharing })
  expect(shared.row.picture).toBe(row.picture)
  const seen = await read(row.id, other)
  expect(seen.status).toBe(200)
  expect(Buffer.from(await seen.arrayBuffer())).toEqual(png())
  expect(Object.fromEntries(seen.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=86400',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  })
})

it('[AGENT4] of the pictures that an agent has had, the one that it has is kept', async () => {
  const [first, second, lost] = [1, 2, 3].map((mark) => png({ mark }).toString('base64'))
  const { row } = await write('/agents', { picture: first })
  const changed = await write(`/agents/${row.id}`, { version: 1, picture: second })
  expect(changed.row.picture).not.toBe(row.picture)
  expect((await write(`/agents/${row.id}`, { version: 1, picture: lost })).status).toBe(409)
  expect((await write(`/agents/${row.id}`, { version: 1, picture: second })).status).toBe(409)
  expect(Buffer.from(await (await read(row.id, owner)).arrayBuffer())).toEqual(png({ mark: 2 }))
  expect(await keptPictures(row.id)).toEqual([`${row.id}.${changed.row.picture}`])
  expect((await write(`/agents/${row.id}`, { version: 2, picture: null })).row.picture).toBeNull()
  expect((await read(row.id, owner)).status).toBe(404)
  await write(`/agents/${row.id}`, { version: 3, picture: first })
  await send(served, ['DELETE', `/agents/${row.id}`], { as: owner })
  expect(await keptPictures(row.id)).toEqual([])
})

async function keptPictures(agentId: string): Promise<readonly string[]> {
  const changes = await served.records.changes(0, 10_000)
  return changes.flatMap(({ kind, id, deleted }) =>
    kind === 'agent-picture' && id.startsWith(agentId) && !deleted ? [id] : [],
  )
}

it.each([
  ['what is no picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'.padEnd(80)), 415],
  ['another first chunk', png({ name: 'IDAT' }), 415],
  ['no width', png({ width: 0 }), 415],
  ['no height', png({ height: 0 }), 415],
  ['too wide', png({ width: 513 }), 413],
  ['too high', png({ height: 513 }), 413],
  ['too many bytes', Buffer.concat([png(), Buffer.alloc(262_144)]), 400],
])('[SEC3] %s is refused as a picture', async (_, bytes, status) => {
  expect((await write('/agents', { picture: bytes.toString('base64') })).status).toBe(status)
})

it('[SEC3] what is no base64 is refused', async () => {
  expect((await write('/agents', { picture: 'no base64!' })).status).toBe(400)
})

it('[SEC3] the size of a PNG is read from its first bytes alone', () => {
  expect(pngSizeOf(png({ width: 512, height: 96 }))).toEqual({ widthPx: 512, heightPx: 96 })
  expect(pngSizeOf(png().subarray(0, 32))).toBeNull()
})
