import { API_PATH, CommandFrame, type Route, routes, ServerFrame, SOCKET_PATH, scopeOf } from '@holdfast/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { commandFields } from './support/command-frames.ts'
import type { Credentials } from './support/people.ts'
import { bodies } from './support/route-bodies.ts'
import { type Served, serve } from './support/serve.ts'
import { CANARY, makeWorlds, type PersonName, type Worlds } from './support/two-worlds.ts'

const MANY = { max: 1_000_000, windowMs: 60_000 }

let served: Served
let worlds: Worlds
let head = 0
let cellCount = 0

beforeAll(async () => {
  served = await serve({ webRoot: null, withAccounts: true, rateLimits: { api: MANY, signIn: MANY, account: MANY } })
  worlds = await makeWorlds(served)
  head = await headNow()
})

afterAll(async () => {
  await served.close()
})

async function headNow(): Promise<number> {
  return (await served.store.read({ conversationId: worlds.conversationId, after: 0, limit: 1 })).head
}

/** A route with what its address names. */
interface Named {
  readonly name: string
  readonly route: Route
}

const table: readonly Named[] = Object.entries<Route>(routes).map(([name, route]) => ({ name, route }))

/** What is answered to someone; null where what they ask for is theirs to have, so that nothing is tried. */
function wanted(person: PersonName, { name, route }: Named): readonly number[] | 'anything of their own' | null {
  const { access } = route
  if (access === 'anyone') return 'anything of their own'
  const needed = scopeOf(route)
  switch (person) {
    case 'nobody':
    case 'wrong key':
    case 'deleted key':
    case 'expired session':
    case 'disabled user':
      return [401]
    case 'other user':
      if (access === 'admin') return [403]
      return access === 'owner' || access === 'record' ? [404] : ownOf(name)
    case 'other admin':
      if (access === 'admin') return null
      return access === 'owner' || access === 'record' ? [404] : ownOf(name)
    case 'read key of the owner':
      return needed === 'read' ? null : [403]
    case 'tools key of the owner':
      return needed === 'tools' ? null : [403]
    case 'admin key of a former admin':
      return [403]
  }
}

/** Routes that would end what the person comes in with. */
const ENDS_SESSION: ReadonlySet<string> = new Set(['signOut', 'changePassword', 'endOtherSignIns'])

function ownOf(name: string): 'anything of their own' | null {
  return ENDS_SESSION.has(name) ? null : 'anything of their own'
}

async function ask({ name, route }: Named, as: Credentials): Promise<{ status: number; text: string }> {
  const { conversationId, records } = worlds
  const path = route.path.replace(/:(\w+)/g, (_, parameter: string) =>
    parameter === 'id' ? conversationId : (records[parameter] ?? `${parameter}_none`),
  )
  const query = route.method === 'DELETE' ? '?commandId=command_d' : name === 'search' ? `?q=${CANARY}` : ''
  const body = bodies[name]
  const answer = await fetch(served.url + API_PATH + path + query, {
    method: route.method,
    headers: { origin: served.url, ...as, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const isStream = answer.headers.get('content-type')?.includes('event-stream')
  return { status: answer.status, text: await (isStream ? beginningOf(answer) : answer.text()) }
}

/** The first piece of an answer that goes on. */
async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(first?.value)
}

const PEOPLE: readonly PersonName[] = [
  'nobody',
  'wrong key',
  'deleted key',
  'expired session',
  'disabled user',
  'other user',
  'other admin',
  'read key of the owner',
  'tools key of the owner',
  'admin key of a former admin',
]

describe('every route, for everyone who may not', () => {
  for (const person of PEOPLE) {
    test(`[SEC1] ${person} gets nothing of the owner`, async () => {
      const leaks: string[] = []
      for (const named of table) {
        const expected = wanted(person, named)
        if (expected === null) continue
        const { status, text } = await ask(named, worlds.people[person])
        cellCount += 1
        if (text.includes(CANARY)) leaks.push(`${named.name} shows it`)
        if (expected !== 'anything of their own' && !expected.includes(status)) leaks.push(`${named.name}: ${status}`)
        if (status >= 500) leaks.push(`${named.name} fails with ${status}: ${text}`)
      }
      expect(leaks).toEqual([])
      expect(await headNow()).toBe(head)
    })
  }
})

/** What the server sends to one frame after hello, on a socket of someone. */
async function answerTo(as: Credentials, frame: object): Promise<ServerFrame | 'not opened'> {
  const address = served.url.replace('http', 'ws') + SOCKET_PATH
  const socket = new WebSocket(address, { headers: { origin: served.url, ...as } })
  try {
    return await new Promise((resolve, reject) => {
      socket.on('error', () => resolve('not opened'))
      socket.on('close', () => reject(new Error('The socket was closed without an answer')))
      socket.on('open', () => {
        socket.send(JSON.stringify({ type: 'hello', protocol: 1, clientId: 'tab' }))
        socket.send(JSON.stringify(frame))
      })
      socket.on('message', (data: Buffer) => {
        const received = ServerFrame.parse(JSON.parse(data.toString()))
        if (received.type !== 'welcome') resolve(received)
      })
    })
  } finally {
    socket.removeAllListeners('close').terminate()
  }
}

function framesAbout(conversationId: string): readonly object[] {
  const commands = Object.entries(commandFields).map(([name, fields]) => {
    return { type: 'command', name, commandId: `frame_${name}`, conversationId, ...fields }
  })
  return [{ type: 'follow', conversationId, after: 0 }, ...commands]
}

describe('every frame, for everyone who may not', () => {
  test('[SEC1] there is one of each command to try', () => {
    const named = CommandFrame.options
      .map(({ shape }) => shape.name.value)
      .filter((one) => one !== 'create-conversation')
    expect(Object.keys(commandFields).toSorted()).toEqual(named.toSorted())
    for (const frame of framesAbout('c').slice(1)) expect(CommandFrame.safeParse(frame).error).toBeUndefined()
  })

  for (const person of PEOPLE) {
    test(`[SEC1] ${person} gets nothing of the owner by a frame`, async () => {
      const leaks: string[] = []
      for (const frame of framesAbout(worlds.conversationId)) {
        const isOwnToRead = person === 'read key of the owner' && 'after' in frame
        if (isOwnToRead) continue
        const received = await answerTo(worlds.people[person], frame)
        cellCount += 1
        const isRefused = received === 'not opened' || received.type === 'refused'
        if (!isRefused || JSON.stringify(received).includes(CANARY)) leaks.push(`${JSON.stringify(frame)} is answered`)
      }
      expect(leaks).toEqual([])
      expect(await headNow()).toBe(head)
    })
  }
})

test('[SEC2] only what tells nothing of anybody, or lets people in, is open to anyone', () => {
  const open = table.filter(({ route }) => route.access === 'anyone').map(({ name }) => name)
  // A call of an address is signed with the secret of that address.
  expect(open.toSorted()).toEqual([
    'callHook',
    'endMcpSignIn',
    'health',
    'proveServer',
    // The page of the API is the same in every installation of a version, and a browser that follows a link brings no key.
    'readApiPage',
    'readSignInState',
    'ready',
    'setUp',
    'signIn',
  ])
})

test('[SEC1] the matrix has as many cells as it must have', () => {
  expect(cellCount).toBeGreaterThanOrEqual(500)
})
