import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createRouteApi, RequestFailedError, type RouteApi } from '@holdfast/client'
import { routes } from '@holdfast/protocol'
import { afterEach, describe, expect, it } from 'vitest'

type Answering = (request: IncomingMessage, response: ServerResponse) => unknown

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

describe('the way to the routes of a server', () => {
  it('[SYNC1] fills in the address, names who asks, and reads the answer by its schema', async () => {
    const seen: (string | undefined)[] = []
    const api = await apiOf(async (request, response) => {
      seen.push(request.method, request.url, request.headers.authorization, await text(request))
      json(response, 200, { status: 'ok', version: '1', store: 'ok' })
    })
    expect(await api.call(routes.health, { query: { a: 'b c' } })).toEqual({ status: 'ok', version: '1', store: 'ok' })
    expect(seen).toEqual(['GET', '/api/v1/health?a=b+c', 'Bearer secret', ''])
  })

  it('[SYNC1] keeps an id in its place of the address, whatever is in it', async () => {
    const seen: (string | undefined)[] = []
    const api = await apiOf((request, response) => {
      seen.push(request.url)
      json(response, 404, {})
    })
    await api.call(routes.readConversation, { params: { id: '../a/b?c#d' } }).catch(() => {})
    expect(seen).toEqual(['/api/v1/conversations/..%2Fa%2Fb%3Fc%23d'])
  })

  it('[SYNC1] says what the server said of a refusal, and its status where it said nothing readable', async () => {
    const problem = {
      type: 'about:blank',
      title: 'Not found',
      status: 404,
      detail: 'There is no such',
      code: 'not-found',
    }
    const told = await apiOf((_, response) => json(response, 404, problem))
    expect(await failureOf(told.call(routes.health, {}))).toMatchObject({ message: 'There is no such', status: 404 })
    const silent = await apiOf((_, response) => response.writeHead(502).end('<html>'))
    expect(await failureOf(silent.call(routes.health, {}))).toMatchObject({ status: 502, problem: null })
  })

  it.each([
    ['no JSON', '<html>'],
    ['another shape', '{"status":"ok"}'],
    ['half an answer', '{"status":'],
  ])('[SYNC1] fails as a request where the answer is %s', async (_, body) => {
    const api = await apiOf((__, response) => response.writeHead(200).end(body))
    expect(await failureOf(api.call(routes.health, {}))).toMatchObject({ status: 200, problem: null })
  })

  it('[CLI47] waits as long as a call is known to last, and no longer', async () => {
    const late = await apiOf((_, response) => {
      setTimeout(() => json(response, 200, { status: 'ok', version: '1', store: 'ok' }), 300)
    })
    expect(await late.call(routes.health, { answerMs: 10_000 })).toMatchObject({ status: 'ok' })
    expect((await failureOf(late.call(routes.health, { answerMs: 50 }))).status).toBeNull()
  })

  it('[SYNC1] says that nobody answers', async () => {
    const api = createRouteApi({ url: 'http://127.0.0.1:1', token: 'secret' })
    expect((await failureOf(api.call(routes.health, {}))).message).toBe('The server was not reached')
    const broken = await apiOf((request) => request.socket.destroy())
    expect((await failureOf(broken.call(routes.health, {}))).status).toBeNull()
  })

  it('[SYNC1] gives a file its name, and one without a readable name a plain one', async () => {
    const named = (name: string) => async () => {
      const api = await apiOf((_, response) => {
        response.writeHead(200, { 'content-disposition': `attachment; filename*=UTF-8''${name}` }).end('words')
      })
      const { name: got, content } = await api.download(routes.health, { signal: new AbortController().signal })
      return [got, await text(content)]
    }
    expect(await named('%C3%B6%20a.txt')()).toEqual(['ö a.txt', 'words'])
    expect(await named('%E0%A4%A')()).toEqual(['file', 'words'])
  })

  it('[SYNC1] sends a file in pieces', async () => {
    let got = ''
    const api = await apiOf(async (request, response) => {
      got = await text(request)
      json(response, 200, { status: 'ok', version: '1', store: 'ok' })
    })
    const content = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of ['one ', 'two']) controller.enqueue(new TextEncoder().encode(piece))
        controller.close()
      },
    })
    await api.upload({ ...routes.health, method: 'POST' }, { content, signal: new AbortController().signal })
    expect(got).toBe('one two')
  })

  it('[SYNC1] follows until the server closes, fails where the line breaks, and ends quietly where one leaves', async () => {
    const caughtUp = 'event: caught-up\ndata: {"conversationId":"a","head":1}\n\n'
    const events = (end: (response: ServerResponse) => void) =>
      apiOf((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(caughtUp, () => end(response))
      })
    const leaving = new AbortController()
    expect(await followed(await events((response) => response.end()), leaving.signal)).toEqual(['caught-up'])
    await failureOf(followed(await events((response) => response.destroy()), leaving.signal))
    const left = followed(await events(() => leaving.abort()), leaving.signal)
    expect((await left).length).toBeLessThanOrEqual(1)
  })

  it('[SYNC1] fails as a request where an event cannot be read', async () => {
    const api = await apiOf((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('event: entry\ndata: {"half\n\n')
    })
    await failureOf(followed(api, new AbortController().signal))
  })
})

async function followed(api: RouteApi, signal: AbortSignal): Promise<string[]> {
  const types: string[] = []
  for await (const event of api.follow('a', { after: 0, signal })) types.push(event.type)
  return types
}

async function failureOf(asking: Promise<unknown>): Promise<RequestFailedError> {
  const failure = await asking.then(
    () => null,
    (error: unknown) => error,
  )
  if (failure instanceof RequestFailedError) return failure
  throw new Error('It was expected to fail as a request', { cause: failure })
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function apiOf(answering: Answering): Promise<RouteApi> {
  const server = createServer((request, response) => void answering(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  const { port } = server.address() as AddressInfo
  return createRouteApi({ url: `http://127.0.0.1:${port}`, token: 'secret' })
}
