import { API_PATH, PROTOCOL_VERSION } from '@holdfast/protocol'
import { afterEach, expect, test } from 'vitest'
import { type Credentials, PASSWORD, send, setUp } from './support/people.ts'
import { type Served, serve, TOKEN } from './support/serve.ts'
import { connect } from './support/socket-client.ts'

let served: Served

afterEach(async () => {
  await served.close()
})

/** What a browser has after the link of the terminal: what it sends to every port of the machine, and what it does not. */
async function arrive(): Promise<{ readonly cookie: string; readonly pageKey: string }> {
  const arrival = await fetch(`${served.url}/?token=${TOKEN}`, { redirect: 'manual' })
  const cookie = arrival.headers.get('set-cookie')?.split(';')[0] ?? ''
  const pageKey = /^\/#page-key=([\w-]{20,})$/.exec(arrival.headers.get('location') ?? '')?.[1] ?? ''
  return { cookie, pageKey }
}

/** Everything that opens with a credential: a question, a change, a socket. */
async function triesWith(as: Credentials): Promise<readonly (number | string)[]> {
  const list = await send(served, ['GET', '/conversations'], { as })
  const made = await send(served, ['POST', '/conversations'], { as, body: { commandId: `command_${Math.random()}` } })
  const socket = await connect(served, { origin: served.url, ...as }).then(
    (client) => {
      client.socket.close()
      return 'open'
    },
    (error: Error) => /\d{3}/.exec(error.message)?.[0] ?? error.message,
  )
  return [list.status, made.status, socket]
}

test('[SEC19] the cookie that another port of the machine was sent opens nothing: neither a route nor the socket', async () => {
  served = await serve({ webRoot: null })
  const { cookie, pageKey } = await arrive()
  expect(await triesWith({ cookie })).toEqual([401, 401, '401'])
  expect(await triesWith({ 'holdfast-page-key': pageKey })).toEqual([401, 401, '401'])
  expect(await triesWith({ cookie, 'holdfast-page-key': 'x'.repeat(43) })).toEqual([401, 401, '401'])
  expect(await triesWith({ cookie, 'holdfast-page-key': pageKey })).toEqual([200, 201, 'open'])
})

test('[SEC19] the key of one browser does not go with the cookie of another', async () => {
  served = await serve({ webRoot: null })
  const [one, other] = [await arrive(), await arrive()]
  expect(one.cookie).not.toBe(other.cookie)
  expect(await triesWith({ cookie: one.cookie, 'holdfast-page-key': other.pageKey })).toEqual([401, 401, '401'])
})

test('[SEC19] a page shows its key to the socket among the protocols that it speaks', async () => {
  served = await serve({ webRoot: null })
  const { cookie, pageKey } = await arrive()
  const protocols = `holdfast, holdfast-page-key.${pageKey}`
  const client = await connect(served, { cookie, origin: served.url, 'sec-websocket-protocol': protocols }).catch(
    // A client that asked for no protocol gives up when one is named; the server let it in by then.
    (error: Error) => error.message,
  )
  expect(client).toMatch(/protocol/)
  const wrong = {
    cookie,
    origin: served.url,
    'sec-websocket-protocol': `holdfast, holdfast-page-key.${'x'.repeat(43)}`,
  }
  await expect(connect(served, wrong)).rejects.toThrow('401')
})

test('[SEC19] with accounts a session opens with its key alone, which the sign-in gives', async () => {
  served = await serve({ webRoot: null, withAccounts: true })
  await setUp(served)
  const body = { email: 'ada@example.org', password: PASSWORD }
  const signedIn = await send(served, ['POST', '/auth/sign-in/email'], { as: {}, body })
  const { cookie } = signedIn
  const { pageKey } = signedIn.body as { pageKey: string }
  expect(await triesWith({ cookie })).toEqual([401, 401, '401'])
  expect(await triesWith({ cookie, 'holdfast-page-key': pageKey })).toEqual([200, 201, 'open'])
  const again = await send(served, ['POST', '/auth/sign-in/email'], { as: {}, body })
  const other = again.body as { pageKey: string }
  expect(await triesWith({ cookie, 'holdfast-page-key': other.pageKey })).toEqual([401, 401, '401'])
})

test('[SEC19] a link for one file opens that file, with the cookie, for a minute, and nothing else', async () => {
  served = await serve({ webRoot: null })
  const { cookie, pageKey } = await arrive()
  const id = await served.newConversation()
  const target = `${API_PATH}/conversations/${id}/export?format=json`
  const page = { cookie, 'holdfast-page-key': pageKey }
  const made = await send(served, ['POST', '/auth/tickets'], { as: page, body: { target } })
  expect(made.status).toBe(201)
  const { ticket } = made.body as { ticket: string }
  const statusOf = async (path: string, as: Credentials) => {
    const answer = await fetch(served.url + path, { headers: { ...as } })
    await answer.arrayBuffer()
    return answer.status
  }
  expect(await statusOf(`${target}&ticket=${ticket}`, { cookie })).toBe(200)
  expect(await statusOf(`${target}&ticket=${ticket}`, {})).toBe(401)
  expect(await statusOf(`${target}&ticket=${ticket}x`, { cookie })).toBe(401)
  expect(await statusOf(`${target}&redact=true&ticket=${ticket}`, { cookie })).toBe(401)
  expect(await statusOf(`${API_PATH}/conversations?ticket=${ticket}`, { cookie })).toBe(401)
  expect(await statusOf(target, { cookie })).toBe(401)
  expect(await send(served, ['POST', '/auth/tickets'], { as: { cookie }, body: { target } })).toMatchObject({
    status: 401,
  })
  expect(PROTOCOL_VERSION).toBe(1)
})

test('[UI25] a link into a conversation or the settings lets in as well, and leads there', async () => {
  served = await serve({ webRoot: null })
  for (const [address, led] of [
    ['/c/conv_1', '/c/conv_1'],
    ['/c/conv%201?m=7&dock=tools', '/c/conv%201?m=7&dock=tools'],
    ['/settings/models', '/settings/models'],
    ['/?dock=tools', '/?dock=tools'],
    ['/auth/token', '/'],
  ] as const) {
    const link = `${served.url}${address}${address.includes('?') ? '&' : '?'}token=${TOKEN}`
    const arrival = await fetch(link, { redirect: 'manual' })
    expect([arrival.status, arrival.headers.get('location')?.split('#')[0]]).toEqual([303, led])
    expect(arrival.headers.get('set-cookie')).toContain('holdfast_')
    expect(arrival.headers.get('location')).not.toContain(TOKEN)
  }
  expect(
    (await fetch(`${served.url}/c/conv_1?token=wrong`, { redirect: 'manual' })).headers.get('set-cookie'),
  ).toBeNull()
})
