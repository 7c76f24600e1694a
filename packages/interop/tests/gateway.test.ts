import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { readBody } from '../src/gateway/asked-body.ts'
import { chooseProvider, type GatewayProvider } from '../src/gateway/gateway-provider.ts'
import { ALL_FORMS, GATEWAY_TOKEN, PROVIDER_KEY, type ServedGateway, serveGateway } from './support/served-gateway.ts'

const opened: { close(): Promise<unknown> }[] = []

async function open(forms = ALL_FORMS, baseUrl?: string): Promise<ServedGateway> {
  const served = await serveGateway({ forms, ...(baseUrl === undefined ? {} : { baseUrl }) })
  opened.push(served)
  return served
}

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

const anthropic = ({ origin, key }: ServedGateway): Anthropic =>
  new Anthropic({ baseURL: `${origin}/anthropic`, apiKey: key, maxRetries: 0 })
const openai = ({ origin, key }: ServedGateway): OpenAI =>
  new OpenAI({ baseURL: `${origin}/openai`, apiKey: key, maxRetries: 0 })

const HELLO = { role: 'user', content: 'Hello.' } as const
const CLAUDE = { model: 'claude-opus-5-5', max_tokens: 100, messages: [HELLO] }
const GEMINI = 'v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse'
const GEMINI_BODY = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }] })

/** What both counted of the last request. */
async function lastOf(served: ServedGateway) {
  const usage = (await served.usages()).at(-1)
  const counted = served.provider.requests.at(-1)
  if (!usage || !counted?.usage) throw new Error('Nothing was asked')
  const { inputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens, outputTokens } = counted.usage
  const theirs = {
    inputTokens,
    cacheReadTokens,
    cacheCreation5mTokens: cacheWrite5mTokens,
    cacheCreation1hTokens: cacheWrite1hTokens,
    outputTokens,
  }
  return { usage, theirs, counted }
}

describe('the gateway, asked by the vendors’ own clients', () => {
  it.each([
    [
      'Anthropic Messages, streamed',
      async (served: ServedGateway) => {
        const stream = anthropic(served).messages.stream(CLAUDE)
        return (await stream.finalText()).length
      },
    ],
    [
      'Anthropic Messages, whole',
      async (served: ServedGateway) => (await anthropic(served).messages.create(CLAUDE)).content.length,
    ],
    [
      'Chat Completions, streamed with its usage',
      async (served: ServedGateway) => {
        const stream = await openai(served).chat.completions.create({
          model: 'gpt-5.2',
          messages: [HELLO],
          stream: true,
          stream_options: { include_usage: true },
        })
        let count = 0
        for await (const chunk of stream) count += chunk.choices[0]?.delta.content?.length ?? 0
        return count
      },
    ],
    [
      'Chat Completions, whole',
      async (served: ServedGateway) =>
        (await openai(served).chat.completions.create({ model: 'gpt-5.2', messages: [HELLO] })).choices.length,
    ],
    [
      'Responses, streamed',
      async (served: ServedGateway) => {
        const stream = await openai(served).responses.create({ model: 'gpt-5.2', input: 'Hello.', stream: true })
        let count = 0
        for await (const event of stream) if (event.type === 'response.output_text.delta') count += event.delta.length
        return count
      },
    ],
    [
      'Responses, whole',
      async (served: ServedGateway) =>
        (await openai(served).responses.create({ model: 'gpt-5.2', input: 'Hello.' })).output_text.length,
    ],
    [
      'Gemini, streamed, with the key in the query',
      async ({ origin, key }: ServedGateway) => {
        const answer = await fetch(`${origin}/google/${GEMINI}&key=${key}`, { method: 'POST', body: GEMINI_BODY })
        return (await answer.text()).length
      },
    ],
    [
      'Gemini, whole, with the key in its header',
      async ({ origin, key }: ServedGateway) => {
        const url = `${origin}/google/v1beta/models/gemini-3-pro:generateContent`
        const answer = await fetch(url, { method: 'POST', body: GEMINI_BODY, headers: { 'x-goog-api-key': key } })
        return (await answer.text()).length
      },
    ],
  ])('[AGENT8] answers and counts as the provider does: %s', async (_, ask) => {
    const served = await open()
    await served.begin()
    expect(await ask(served)).toBeGreaterThan(0)
    const { usage, theirs, counted } = await lastOf(served)
    expect(counted.status).toBe(200)
    expect(usage).toMatchObject({ ...theirs, purpose: 'gateway', measured: true, outcome: 'completed', status: 200 })
    expect(usage.costUsd).toBeGreaterThan(0)
    expect(counted.path).not.toContain(served.key)
    await served.release()
    expect(served.faults).toEqual([])
  })

  it('[AGENT25] keeps the hash, the size, the path, the model and the status of what it passed on', async () => {
    const served = await open()
    await served.begin()
    await anthropic(served).messages.create(CLAUDE)
    const { usage, counted } = await lastOf(served)
    const { conversationId, url } = served
    const answer = await fetch(`${url}/api/v1/conversations/${conversationId}/requests/${usage.stepId}`, {
      headers: { authorization: `Bearer ${GATEWAY_TOKEN}` },
    })
    expect(await answer.json()).toMatchObject({
      purpose: 'gateway',
      providerId: 'strict-anthropic',
      modelId: 'strict-anthropic/claude-opus-5-5',
      request: null,
      notRebuilt: 'passed-on',
      passed: { path: '/v1/messages', sizeBytes: counted.rawBody.length },
      requestHash: createHash('sha256').update(counted.rawBody).digest('hex'),
      usage: { status: 200, outputTokens: usage.outputTokens },
    })
  })

  it('[AGENT25] marks as estimated what the provider told no figures of', async () => {
    const served = await open()
    await served.begin()
    const stream = await openai(served).chat.completions.create({ model: 'gpt-5.2', messages: [HELLO], stream: true })
    for await (const _ of stream);
    const [usage] = await served.usages()
    expect(usage).toMatchObject({ measured: false, outcome: 'completed' })
    expect(usage?.inputTokens).toBeGreaterThan(0)
    expect(usage?.outputTokens).toBeGreaterThan(0)
  })

  it('[AGENT25] counts nothing for what the provider turned away, and passes its words back', async () => {
    const served = await open()
    await served.begin()
    const refused = anthropic(served).messages.create({ ...CLAUDE, model: 'no-such-model' })
    await expect(refused).rejects.toMatchObject({ status: 404 })
    const [usage] = await served.usages()
    expect(usage).toMatchObject({ inputTokens: 0, outputTokens: 0, outcome: 'failed', status: 404, measured: true })
  })
})

/** A server that answers in odd pieces, and remembers what came. */
async function openOddServer(pieces: readonly string[]) {
  const seen: { body: Buffer; headers: IncomingHttpHeaders; url: string }[] = []
  const next = Promise.withResolvers<void>()
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    seen.push({ body: Buffer.concat(chunks), headers: request.headers, url: request.url ?? '' })
    response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_1' })
    const [first = '', ...others] = pieces
    response.write(Buffer.from(first, 'latin1'))
    await next.promise
    for (const piece of others) response.write(Buffer.from(piece, 'latin1'))
    response.end()
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: AddressInfo = addressOf(server.address())
  opened.push({
    async close() {
      next.resolve()
      server.closeAllConnections()
      server.close()
    },
  })
  return { url: `http://127.0.0.1:${port}`, seen, goOn: () => next.resolve() }
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('It listens at no port')
  return address
}

describe('what is passed on', () => {
  it('[AGENT8] is every byte of the body, there and back, as soon as it comes', async () => {
    const pieces = [
      'event: odd\r\ndata: {"type": "mess',
      'age_start" , "é\xff\x00"}\r\n\r\n',
      ': a comment\n\ndata: {}',
    ]
    const odd = await openOddServer(pieces)
    const served = await open(['anthropic'], odd.url)
    await served.begin()
    const body = Buffer.concat([
      Buffer.from(' {"model":"m", "messages":[] ,\n"odd":"\\u00e9é"}\r\n'),
      Buffer.from([0xff, 0]),
    ])
    const answer = await fetch(`${served.origin}/anthropic/v1/messages?beta=true`, {
      method: 'POST',
      body,
      headers: {
        'x-api-key': served.key,
        'anthropic-beta': 'files-2025, mcp',
        'content-type': 'application/json; odd=1',
        cookie: 'a=b',
      },
    })
    expect(answer.headers.get('request-id')).toBe('req_1')
    const reader = answer.body?.getReader()
    // The rest is not written before this piece has come.
    expect(Buffer.from((await reader?.read())?.value ?? []).toString('latin1')).toBe(pieces[0])
    odd.goOn()
    const rest: Buffer[] = []
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read())
      rest.push(Buffer.from(read.value))
    expect(Buffer.concat(rest).toString('latin1')).toBe(pieces.slice(1).join(''))
    const [sent] = odd.seen
    expect(sent?.body.equals(body)).toBe(true)
    expect(sent?.url).toBe('/v1/messages?beta=true')
    expect(sent?.headers).toMatchObject({
      'x-api-key': PROVIDER_KEY,
      'anthropic-beta': 'files-2025, mcp',
      'content-type': 'application/json; odd=1',
    })
    expect(sent?.headers).not.toHaveProperty('cookie')
    expect(JSON.stringify(sent?.headers)).not.toContain(served.key)
    expect(await served.usages()).toMatchObject([{ outcome: 'failed', measured: false }])
  })

  it.each([
    ['/v1/files', 404],
    ['/v1/../../api/v1/conversations', 404],
    ['/v1/messages/../../x', 404],
    ['/v1/messages%2f..%2fx', 404],
    ['//evil.example/v1/messages', 404],
    ['/v1/messages/batches', 404],
    ['/http://evil.example/v1/messages', 404],
  ])('[AGENT27] leads nowhere but to a model: %s', async (path, status) => {
    const served = await open()
    await served.begin()
    const raw = await rawRequest(served, `/gateway/anthropic${path}`)
    expect(raw).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(raw).not.toContain(PROVIDER_KEY)
    expect(served.provider.requests).toEqual([])
  })
})

/** A request whose path no client has tidied up. */
async function rawRequest({ url, key }: ServedGateway, path: string): Promise<string> {
  const { connect } = await import('node:net')
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.end(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nx-api-key: ${key}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
  )
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

describe('the key of a gateway', () => {
  it('[AGENT27] opens nothing else, and nothing else opens a gateway', async () => {
    const served = await open()
    await served.begin()
    const { url, key, origin } = served
    for (const headers of [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }])
      expect((await fetch(`${url}/api/v1/conversations`, { headers })).status).toBe(401)
    expect((await fetch(`${url}/api/v1/conversations?token=${key}`)).status).toBe(401)
    for (const [vendor, path, shape] of [
      ['anthropic', 'v1/messages', { type: 'error', error: { type: 'authentication_error' } }],
      ['openai', 'chat/completions', { error: { code: 'invalid_api_key' } }],
      ['google', GEMINI, { error: { code: 401, status: 'UNAUTHENTICATED' } }],
    ] as const)
      for (const authorization of ['Bearer wrong', `Bearer ${GATEWAY_TOKEN}`]) {
        const answer = await fetch(`${origin}/${vendor}/${path}`, {
          method: 'POST',
          body: '{}',
          headers: { authorization },
        })
        expect(answer.status).toBe(401)
        expect(await answer.json()).toMatchObject(shape)
      }
    expect(served.provider.requests).toEqual([])
  })

  it('[AGENT27] dies with its agent, and what is under way with it', async () => {
    const served = await open()
    served.provider.otherwise({ parts: [{ type: 'text', text: 'Long. '.repeat(100) }], deltasPerSecond: 20 })
    await served.begin()
    const stream = await anthropic(served).messages.create({ ...CLAUDE, stream: true })
    await stream[Symbol.asyncIterator]().next()
    served.revoke()
    await served.provider.requests[0]?.done
    expect(served.provider.requests[0]?.ending).toBe('client-closed')
    await expect(anthropic(served).messages.create(CLAUDE)).rejects.toMatchObject({ status: 401 })
    await served.release()
    expect(await served.usages()).toMatchObject([{ outcome: 'stopped', measured: false }])
  })
})

describe('what a gateway refuses', () => {
  it('[AGENT26] says in the words and the shape of the vendor that no provider speaks its form', async () => {
    const served = await open(['openai-chat'])
    await served.begin()
    const refused = anthropic(served).messages.create(CLAUDE)
    await expect(refused).rejects.toThrow(/No provider speaks anthropic: there is Strict openai-chat \(openai-chat\)/)
    await expect(openai(served).responses.create({ model: 'gpt-5.2', input: 'x' })).rejects.toMatchObject({
      status: 400,
    })
    expect(served.provider.requests).toEqual([])
  })

  it('[AGENT26, COST7] stops before the request that would pass the budget', async () => {
    const served = await open()
    await served.setBudget(0.05)
    await served.begin()
    const refused = anthropic(served).messages.create(CLAUDE)
    await expect(refused).rejects.toMatchObject({ status: 403 })
    await expect(refused).rejects.toThrow(/The budget of \$0\.05 does not reach/)
    expect(served.provider.requests).toEqual([])
    expect(await served.usages()).toEqual([])
    await served.setBudget(5)
    await anthropic(served).messages.create(CLAUDE)
    expect(await served.usages()).toHaveLength(1)
  })

  it('[AGENT26] asks no model while no reply runs', async () => {
    const served = await open()
    await expect(anthropic(served).messages.create(CLAUDE)).rejects.toThrow(/No reply of this conversation is running/)
    await served.begin()
    await anthropic(served).messages.create(CLAUDE)
    await served.release()
    await expect(openai(served).responses.create({ model: 'gpt-5.2', input: 'x' })).rejects.toMatchObject({
      status: 403,
    })
    expect(served.provider.requests).toHaveLength(1)
  })

  it('[AGENT26] says that the provider gives no answer, and counts nothing for it', async () => {
    const served = await open(['anthropic'], 'http://127.0.0.1:2')
    await served.begin()
    await expect(anthropic(served).messages.create(CLAUDE)).rejects.toThrow(/502.*nothing listens there/s)
    expect(await served.usages()).toMatchObject([{ outcome: 'failed', inputTokens: 0, costUsd: 0 }])
  })

  it('[AGENT75] the person is told once in a reply why its agent gets no answers', async () => {
    const served = await open(['anthropic'], 'http://127.0.0.1:2')
    await served.begin()
    for (const _ of [1, 2]) await expect(anthropic(served).messages.create(CLAUDE)).rejects.toThrow(/502/)
    expect(await served.usages()).toHaveLength(2)
    const notices = (await served.log()).filter(({ type }) => type === 'notice-raised')
    expect(notices).toMatchObject([
      {
        code: 'gateway-failed',
        severity: 'warning',
        text: expect.stringMatching(/127\.0\.0\.1:2.*nothing listens there/),
      },
    ])
    await served.release()
    await served.begin()
    await expect(anthropic(served).messages.create(CLAUDE)).rejects.toThrow(/502/)
    expect((await served.log()).filter(({ type }) => type === 'notice-raised')).toHaveLength(2)
  })

  it('[AGENT8, STOP1] a request that cannot even be made is recorded, and does not keep its run from ending', async () => {
    const served = await serveGateway({ forms: ['anthropic'], headers: { 'x-team': 'two\nlines' } })
    opened.push(served)
    await served.begin()
    await expect(anthropic(served).messages.create(CLAUDE)).rejects.toThrow()
    expect(served.faults).toHaveLength(1)
    await served.release()
    expect(await served.usages()).toMatchObject([{ outcome: 'failed', measured: false }])
  })

  it('[AGENT26] reads a body of any number of parts', () => {
    const words = Array.from({ length: 400_000 }, () => 'a')
    expect(readBody(Buffer.from(JSON.stringify({ messages: words }))).words.length).toBe(799_999)
  })

  it('[AGENT26] takes no body that no vendor would take', async () => {
    const served = await open()
    await served.begin()
    const body = Buffer.alloc(33 * 1024 * 1024, 32)
    const headers = { 'x-api-key': served.key }
    const answer = await fetch(`${served.origin}/anthropic/v1/messages`, { method: 'POST', body, headers })
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ error: { type: 'request_too_large' } })
  })
})

describe('a stop', () => {
  it('[AGENT28] closes the line to the provider and that to the agent, and nothing more is asked before the next run', async () => {
    const served = await open()
    served.provider.otherwise({ parts: [{ type: 'text', text: 'Long. '.repeat(200) }], deltasPerSecond: 20 })
    await served.begin()
    const stream = await anthropic(served).messages.create({ ...CLAUDE, stream: true })
    const events = stream[Symbol.asyncIterator]()
    for (let at = 0; at < 4; at++) await events.next()
    await served.stop()
    const [asked] = served.provider.requests
    await asked?.done
    expect(asked?.ending).toBe('client-closed')
    await expect(
      (async () => {
        for (let event = await events.next(); event.done !== true; event = await events.next());
      })(),
    ).rejects.toThrow()
    const log = await served.log()
    const [usage] = await served.usages()
    expect(usage).toMatchObject({ outcome: 'stopped', measured: false, inputTokens: asked?.usage?.inputTokens })
    expect(usage?.seq).toBeLessThan(log.find(({ type }) => type === 'run-finished')?.seq ?? 0)
    await expect(anthropic(served).messages.create(CLAUDE)).rejects.toMatchObject({ status: 403 })
    served.provider.otherwise({ parts: [{ type: 'text', text: 'Short.' }] })
    await served.begin()
    await anthropic(served).messages.create(CLAUDE)
    expect(served.provider.requests).toHaveLength(2)
  })

  it('[AGENT28] waits at a good end for what is still asked, so that it is measured', async () => {
    const served = await open()
    served.provider.otherwise({ parts: [{ type: 'text', text: 'A title of a few words' }], deltasPerSecond: 40 })
    await served.begin()
    const stream = await anthropic(served).messages.create({ ...CLAUDE, stream: true })
    const events = stream[Symbol.asyncIterator]()
    await events.next()
    await served.release()
    const log = await served.log()
    const [usage] = await served.usages()
    expect(usage).toMatchObject({ outcome: 'completed', measured: true })
    expect(usage?.seq).toBeLessThan(log.find(({ type }) => type === 'run-finished')?.seq ?? 0)
  })
})

describe('which provider is asked', () => {
  it('[AGENT54] is the one that pays, and no other where that one cannot', async () => {
    const paid = await serveGateway({ forms: ALL_FORMS, payerId: 'strict-openai-chat' })
    opened.push(paid)
    await paid.begin()
    await expect(anthropic(paid).messages.create(CLAUDE)).rejects.toMatchObject({ status: 400 })
    expect(paid.provider.requests).toEqual([])
    const stream = await openai(paid).chat.completions.create({ model: 'gpt-5.2', messages: [HELLO], stream: true })
    for await (const _ of stream);
    expect(await paid.usages()).toMatchObject([{ providerId: 'strict-openai-chat' }])
  })

  const provider = (
    providerId: string,
    models: readonly string[],
    forms: GatewayProvider['forms'],
  ): GatewayProvider => ({
    providerId,
    name: providerId,
    forms,
    baseUrl: 'http://127.0.0.1:9',
    headers: {},
    lists: (name) => models.includes(name),
    modelOf: (name) => ({ modelId: `${providerId}/${name}`, price: null, maxOutputTokens: null }),
  })
  const far = provider('far', ['gpt-5.2', 'shared'], ['openai-responses', 'openai-chat'])
  const local = provider('local', ['llama', 'shared'], ['openai-chat'])
  const both = [far, local]
  const idOf = (asked: string | null, modelId: string | null) => {
    const chosen = chooseProvider(both, { form: 'openai-chat', asked, modelId })
    return chosen.type === 'found' ? chosen.provider.providerId : chosen.reason
  }

  it('[AGENT40] is one that has the model: what is meant for a local server goes to no other', () => {
    expect(idOf('llama', null)).toBe('local')
    expect(idOf('llama', 'far/gpt-5.2')).toBe('local')
    expect(idOf('gpt-5.2', null)).toBe('far')
    expect(idOf('shared', 'local/llama')).toBe('local')
    expect(idOf('shared', 'external:opencode')).toBe('far')
    expect(idOf('nobody-has-it', 'external:opencode')).toBe('far')
    expect(idOf(null, 'local/llama')).toBe('local')
  })
})

describe('the context of an agent', () => {
  it('[AGENT39] is the largest request of its last turn that was passed on, until its session ends', async () => {
    const served = await serveGateway({ forms: ALL_FORMS, isAgent: true })
    opened.push(served)
    const { engine, conversationId } = served
    const nothing = { heldBy: 'agent', usedTokens: 0, measured: false, percent: null }
    expect(await engine.contextOf(conversationId)).toMatchObject(nothing)
    await served.begin()
    expect(await engine.contextOf(conversationId)).toMatchObject(nothing)
    const ask = (content: string) =>
      anthropic(served).messages.create({ ...CLAUDE, messages: [{ role: 'user', content }] })
    await ask('Hello.')
    await ask('A long way to say hello. '.repeat(40))
    await ask('Bye.')
    const sizes = (await served.usages()).flatMap((usage) =>
      usage.purpose === 'gateway'
        ? [usage.inputTokens + usage.cacheReadTokens + usage.cacheCreation5mTokens + usage.outputTokens]
        : [],
    )
    expect(sizes).toHaveLength(3)
    const largest = { heldBy: 'agent', usedTokens: Math.max(...sizes), measured: true, windowTokens: 100_000 }
    expect(await engine.contextOf(conversationId)).toMatchObject(largest)
    await served.release()
    expect(await engine.contextOf(conversationId)).toMatchObject(largest)
    await engine.noteAgent({ conversationId, note: { type: 'detached', agentId: 'one', reason: 'It ended' } })
    expect(await engine.contextOf(conversationId)).toMatchObject(nothing)
  })
})
