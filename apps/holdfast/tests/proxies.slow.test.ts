import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@holdfast/client'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { followByEvents } from './support/follow-by-events.ts'
import { freePort } from './support/free-port.ts'
import { type Program, startProgram } from './support/program.ts'
import { blockOf, type ProxyName, type RealProxy, startProxy } from './support/real-proxy.ts'

const PROXIES = ['nginx', 'Caddy', 'HAProxy'] as const
/** A file that a proxy with its usual limits refuses. */
const FILE_BYTES = 20_000_000

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A server that people reach under a path of a port, where one proxy after the other stands. */
interface Served {
  readonly server: Program
  readonly port: number
  readonly url: string
  remove(): Promise<void>
}

/** By their paths. */
const served = new Map<string, Served>()
afterAll(async () => {
  for (const { remove } of served.values()) await remove()
})

async function serve(path: string): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'hf-proxies-'))
  const port = await freePort()
  const url = `http://localhost:${port}${path}`
  const server = await startProgram(folder, {}, ['--public-url', url, '--trust-proxy', '127.0.0.1'])
  const remove = async (): Promise<void> => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { server, port, url, remove }
}

interface Behind {
  readonly server: Program
  proxy: RealProxy
  /** Starts the proxy again at its port. */
  again(): Promise<RealProxy>
  /** As people open it. */
  readonly url: string
}

/** The built program behind a proxy as the guide has it. */
async function openBehind(name: ProxyName, path: string, changed = (block: string): string => block): Promise<Behind> {
  const one = served.get(path) ?? (await serve(path))
  served.set(path, one)
  const { server, port, url } = one
  const block = changed(blockOf(name, { proxy: port, server: new URL(server.url).origin }))
  const again = () => startProxy(name, { block, port })
  const behind = { server, url, again, proxy: await again() }
  closing.push(() => behind.proxy.stop())
  return behind
}

function bearer({ server }: Behind): { readonly authorization: string } {
  return { authorization: `Bearer ${server.token}` }
}

async function begin(behind: Behind, words: string): Promise<string> {
  const headers = { ...bearer(behind), 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${behind.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.ok, `${path}: ${answer.status}`).toBe(true)
    return answer.json()
  }
  const { id } = await post('/conversations', { commandId: `make-${Math.random()}` })
  await post(`/conversations/${id}/inputs`, {
    commandId: `say-${Math.random()}`,
    content: [{ type: 'text', text: words }],
  })
  return id
}

/** What holds behind every proxy of the guide. */
async function expectWhole(behind: Behind): Promise<void> {
  const { server, url } = behind
  const origin = new URL(url)
  // The page, by the address with a token, and a file of it.
  const entered = await fetch(`${url}/?token=${server.token}`, { redirect: 'manual' })
  expect(entered.status).toBe(303)
  expect(entered.headers.get('location')).toMatch(new RegExp(`^${origin.pathname.replace(/\/$/, '')}/#`))
  const page = await (await fetch(`${url}/`)).text()
  const script = /src="([^"]*assets[^"]*)"/.exec(page)?.[1] ?? ''
  expect((await fetch(new URL(script, origin))).status).toBe(200)
  // Words as they are written, over events and over a socket; and Stop through the proxy.
  const id = await begin(behind, '/demo stream-slow')
  const events = await followByEvents({ ...server, url }, id)
  closing.push(() => events.close())
  await expect.poll(() => events.text()).toMatch(/\S/)
  const client = createClient({ url, token: server.token })
  closing.push(async () => client.close())
  const store = client.conversation(id)
  closing.push(async () => unlisten())
  const unlisten = store.subscribe(() => {})
  const isRunning = () => store.getSnapshot().overview.runState.exclusive !== null
  await expect.poll(() => store.getSnapshot().draft?.blocks[0]?.text ?? '').toMatch(/\S/)
  expect(isRunning()).toBe(true)
  store.stop('stop')
  await expect.poll(isRunning).toBe(false)
  // A file that is larger than proxies usually let through.
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(FILE_BYTES)], { type: 'application/octet-stream' }), 'large.bin')
  const sent = await fetch(`${url}/api/v1/attachments`, { method: 'POST', headers: bearer(behind), body: form })
  expect(sent.status, await sent.text()).toBe(201)
}

describe.each(PROXIES)('behind %s', (name) => {
  it('[PACK8] the block of the guide carries the page, what streams, Stop and large files', async () => {
    await expectWhole(await openBehind(name, ''))
  })

  it('[PACK8] all of it stands under a path that the proxy leaves on, with and without the slash', async () => {
    const behind = await openBehind(name, '/agents')
    await expectWhole(behind)
    const bare = await fetch(behind.url, { redirect: 'manual' })
    expect([200, 301, 302, 307, 308]).toContain(bare.status)
    expect(await (await fetch(behind.url)).text()).toContain('content="/agents"')
  })

  it('[PACK8] and under one that it takes off', async () => {
    await expectWhole(await openBehind(name, '/agents', TAKES_OFF[name]))
  })
})

/** The blocks of the guide with the path taken off before the server sees it. */
const TAKES_OFF: Readonly<Record<ProxyName, (block: string) => string>> = {
  nginx: (block) => block.replace('location / {', 'location /agents/ {').replace(/(proxy_pass [^;]*);/, '$1/;'),
  Caddy: (block) => block.replace(/reverse_proxy[\s\S]*?\n {2}\}/, (inner) => `handle_path /agents* {\n${inner}\n}`),
  HAProxy: (block) =>
    block.replace('backend holdfast\n', 'backend holdfast\n  http-request replace-path /agents(/)?(.*) /\\2\n'),
}

/** A page's end of a conversation behind a proxy: how often its line was cut, and how many characters of the answer are there. */
function followed(behind: Behind, id: string) {
  const client = createClient({ url: behind.url, token: behind.server.token })
  closing.push(async () => client.close())
  let cuts = 0
  client.link.subscribe(() => {
    if (client.link.getSnapshot().type !== 'live') cuts += 1
  })
  const store = client.conversation(id)
  const unlisten = store.subscribe(() => {})
  closing.push(async () => unlisten())
  return {
    store,
    cuts: () => cuts,
    read: () => store.getSnapshot().draft?.blocks[0]?.text.length ?? 0,
  }
}

describe('behind a proxy that does it wrong', () => {
  it('[PACK8, SYNC1] lines that it cuts in the middle of an answer come back, and nothing is lost or doubled', async () => {
    const behind = await openBehind('nginx', '')
    const id = await begin(behind, '/demo stream-slow')
    const { store, cuts, read } = followed(behind, id)
    for (let cut = 1; cut <= 3; cut += 1) {
      const before = read()
      await expect.poll(read).toBeGreaterThan(before)
      await behind.proxy.stop()
      await expect.poll(cuts).toBeGreaterThanOrEqual(cut)
      behind.proxy = await behind.again()
    }
    store.stop('stop')
    await expect.poll(() => store.getSnapshot().window.runEnds.size).toBe(1)
    const texts = (items: readonly { readonly role?: string; readonly parts?: readonly object[] }[]) =>
      items.filter(({ role }) => role === 'assistant').flatMap(({ parts }) => parts)
    const told = await fetch(`${behind.server.url}/api/v1/conversations/${id}/transcript`, { headers: bearer(behind) })
    expect(texts(store.getSnapshot().window.items)).toEqual(texts((await told.json()).items))
  })

  it('[PACK8, SYNC1] one that gathers answers and ends what is silent: the page reads words as they are written, and comes back', async () => {
    const behind = await openBehind('nginx', '', (block) =>
      block.replace('proxy_buffering off;', 'proxy_buffering on;').replace('read_timeout 1h;', 'read_timeout 2s;'),
    )
    const id = await begin(behind, '/demo stream-slow')
    const { store, cuts, read } = followed(behind, id)
    for (let piece = 0; piece < 3; piece += 1) {
      const before = read()
      await expect.poll(read).toBeGreaterThan(before)
    }
    store.stop('stop')
    await expect.poll(() => store.getSnapshot().window.runEnds.size).toBe(1)
    const before = cuts()
    await expect.poll(cuts, { timeout: 20_000 }).toBeGreaterThan(before)
    store.send([{ type: 'text', text: 'Are you there?' }], 'turn')
    await expect.poll(() => store.getSnapshot().window.runEnds.size, { timeout: 20_000 }).toBe(2)
  })

  it('[PACK8] one that does not pass on the name is told so, and changes nothing', async () => {
    const behind = await openBehind('nginx', '', (block) =>
      block.replace('proxy_set_header Host $http_host;', 'proxy_set_header Host other.example.org;'),
    )
    const answer = await fetch(`${behind.url}/api/v1/conversations`, { headers: bearer(behind) })
    expect(answer.ok).toBe(false)
    expect((await answer.json()).detail).toContain('other.example.org')
  })
})
