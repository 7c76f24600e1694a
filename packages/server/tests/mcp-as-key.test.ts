import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser, type Credentials, makeKey, send, setUp } from './support/people.ts'
import { type Served, serve } from './support/serve.ts'

const MANY = { max: 1_000_000, windowMs: 60_000 }
const READING = ['list_conversations', 'read_conversation', 'search_conversations', 'wait_for_answer']

let served: Served
let owner: Credentials
let other: Credentials
/** A conversation of the owner. */
let id = ''

beforeAll(async () => {
  served = await serve({ webRoot: null, withAccounts: true, rateLimits: { api: MANY, signIn: MANY, account: MANY } })
  owner = await setUp(served)
  other = await addUser(served, owner, { email: 'eve@example.org', role: 'user' })
  const made = await send(served, ['POST', '/conversations'], {
    as: owner,
    body: { commandId: 'make', title: 'The secret of the owner' },
  })
  id = (made.body as { id: string }).id
})

afterAll(() => served.close())

async function connect(as: Credentials): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  const url = new URL(`${served.url}/api/v1/interop/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...as } } }))
  return client
}

const keyOf = async (as: Credentials, scopes: readonly string[]) => (await makeKey(served, as, scopes)).bearer

async function withClient<Value>(as: Credentials, work: (client: Client) => Promise<Value>): Promise<Value> {
  const client = await connect(as)
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

test.each([
  [['read'], READING],
  [
    ['read', 'chat'],
    [...READING, 'send_message', 'stop'],
  ],
  [['read', 'tools'], READING],
])(
  '[SYNC19, SEC1] a key of %s is shown the tools that it may use, and does nothing else by name',
  async (scopes, names) => {
    await withClient(await keyOf(owner, scopes), async (client) => {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name).sort()).toEqual([...names].sort())
      const read = await client.callTool({ name: 'list_conversations', arguments: {} })
      expect(JSON.stringify(read.structuredContent)).toContain('The secret of the owner')
      if (scopes.includes('chat')) return
      const sent = client.callTool({ name: 'send_message', arguments: { text: 'Hi', conversation_id: id } })
      expect(JSON.stringify(await sent.catch((error: unknown) => ({ error: String(error) })))).toMatch(/not found/i)
    })
    const { entries } = await served.store.read({ conversationId: id, after: 0, limit: 100 })
    expect(entries.map(({ type }) => type)).not.toContain('input-admitted')
  },
)

test('[SYNC19, SEC1] a key that may not read, and none, do not come in', async () => {
  await expect(connect(await keyOf(owner, ['chat']))).rejects.toThrow()
  await expect(connect({ authorization: 'Bearer wrong' })).rejects.toThrow()
})

test('[SYNC19, SEC1] what belongs to another is not listed, found, read, written in, waited for or stopped', async () => {
  const handle = Buffer.from(`${id}\n1\ninput_1`).toString('base64url')
  await withClient(await keyOf(other, ['read', 'chat']), async (client) => {
    const said: string[] = []
    for (const [name, given] of [
      ['list_conversations', {}],
      ['search_conversations', { query: 'secret' }],
      ['read_conversation', { conversation_id: id }],
      ['send_message', { conversation_id: id, text: 'Hi' }],
      ['wait_for_answer', { handle, seconds: 0 }],
      ['stop', { conversation_id: id }],
    ] as const) {
      const { isError, content } = await client.callTool({ name, arguments: given })
      said.push(`${isError === true} ${JSON.stringify(content)}`)
    }
    expect(said.join('\n')).not.toContain('The secret of the owner')
    expect(said.map((words) => words.startsWith('true'))).toEqual([false, false, true, true, true, true])
  })
})
