import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import { type Program, startProgram } from './support/program.ts'

/** Each is said once where it is allowed, and must be read nowhere else. */
const CANARIES = {
  key: 'sk-ant-canary-7f3c9a',
  header: 'canary-of-a-header',
  message: 'canaryword',
  title: 'canarytitle',
  body: 'canarybody',
  query: 'canaryquery',
  wrongToken: 'canary-of-a-wrong-token',
}

let dataDir: string
let program: Program
let collected: string[]
let collector: Server
let provider: Server

const MODELS = [{ type: 'model', id: 'claude-sonnet-4-5', display_name: 'Sonnet', created_at: '2026-01-01T00:00:00Z' }]

async function listening(answer: (body: string, method: string) => { status: number; body: string }): Promise<Server> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      const given = answer(body, request.method ?? '')
      response.writeHead(given.status, { 'content-type': 'application/json' }).end(given.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const addressOf = (server: Server): string => {
  const bound = server.address() as AddressInfo
  return `http://127.0.0.1:${bound.port}`
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-telemetry-'))
  collected = []
  collector = await listening((body) => {
    collected.push(body)
    return { status: 200, body: '{}' }
  })
  // A provider that repeats in its refusal what it was sent, as some do.
  provider = await listening((body, method) => ({
    status: method === 'GET' ? 200 : 400,
    body:
      method === 'GET'
        ? JSON.stringify({ data: MODELS, has_more: false, first_id: null, last_id: null })
        : JSON.stringify({
            type: 'error',
            error: { type: 'invalid_request_error', message: `${CANARIES.key} ${body}` },
          }),
  }))
  program = await startProgram(
    dataDir,
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: addressOf(collector),
      ANTHROPIC_API_KEY: CANARIES.key,
      ANTHROPIC_BASE_URL: addressOf(provider),
    },
    ['--log-level', 'debug'],
  )
})

afterEach(async () => {
  await program.stop()
  collector.close()
  provider.close()
  await rm(dataDir, { recursive: true })
})

/** What the program said, without the line that hands out its token. */
const logged = () =>
  program
    .output()
    .split('\n')
    .filter((line) => !line.startsWith('{"url"'))
    .join('\n')

async function metrics(): Promise<string> {
  const answer = await fetch(`${program.url}/metrics`, { headers: { authorization: `Bearer ${program.token}` } })
  expect(answer.status).toBe(200)
  return answer.text()
}

async function converse(modelId: string, commandId: string): Promise<string> {
  const created = await program.call('POST', '/conversations', { commandId, modelId, title: CANARIES.title })
  const id = (created as { id: string }).id
  const text = `say ${CANARIES.message}`
  await program.call('POST', `/conversations/${id}/inputs`, {
    commandId: `${commandId}:1`,
    content: [{ type: 'text', text }],
  })
  await expect
    .poll(async () => JSON.stringify(await program.call('GET', `/conversations/${id}/entries`)), { timeout: 20_000 })
    .toContain('"run-finished"')
  return id
}

test('[SEC4] no log line, metric or span holds a key, a token or a word that somebody wrote', async () => {
  await converse('demo', 'c1')
  const refused = await converse('anthropic/claude-sonnet-4-5', 'c2')
  const log = JSON.stringify(await program.call('GET', `/conversations/${refused}/entries`))
  expect(log).toContain('"step-failed"')
  const { url, token } = program
  const json = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  await fetch(`${url}/api/v1/conversations`, { headers: { authorization: `Bearer ${CANARIES.wrongToken}` } })
  await fetch(`${url}/api/v1/search?q=${CANARIES.query}&token=${token}`, {
    headers: { ...json, 'x-canary': CANARIES.header },
  })
  await fetch(`${url}/api/v1/conversations`, { method: 'POST', headers: json, body: `{"${CANARIES.body}": ` })
  await fetch(`${url}/${CANARIES.query}/${CANARIES.body}`, { headers: json })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/socket`, { headers: json })
  await new Promise((resolve) => socket.on('open', resolve))
  socket.send(`{"type":"${CANARIES.body}"}`)
  await new Promise((resolve) => socket.on('close', resolve))

  const figures = await metrics()
  await program.stop()
  await expect.poll(() => collected.length).toBeGreaterThan(0)
  const spans = collected.join('\n')
  expect(logged()).toContain('"a request was answered"')
  for (const [place, text] of Object.entries({ log: logged(), figures, spans })) {
    for (const canary of [...Object.values(CANARIES), token])
      expect(text, `${canary} in ${place}`).not.toContain(canary)
  }
})

test('[SEC4] metrics need the token, count what happened, and spans follow the log', async () => {
  expect((await fetch(`${program.url}/metrics`)).status).toBe(401)
  const id = await converse('demo', 'c1')
  const figures = await metrics()
  expect(figures).toMatch(/holdfast_runs_total\{purpose="turn",outcome="completed"\} 1/)
  expect(figures).toMatch(/holdfast_model_requests_total\{model="[^"]+",outcome="completed"\} [1-9]/)
  expect(figures).toMatch(/holdfast_model_first_delta_seconds_count\{model="[^"]+"\} 1/)
  expect(figures).toMatch(
    /holdfast_http_requests_total\{method="POST",route="\/api\/v1\/conversations",status="201"\} 1/,
  )
  expect(figures).toMatch(/process_resident_memory_bytes \d+/)
  const answer = await fetch(`${program.url}/api/v1/health`, { headers: { 'x-request-id': 'from-the-proxy-1' } })
  expect(answer.headers.get('x-request-id')).toBe('from-the-proxy-1')
  await program.stop()
  await expect.poll(() => collected.length).toBeGreaterThan(0)
  const sent = JSON.parse(collected[0] ?? '{}')
  const spans = sent.resourceSpans[0].scopeSpans[0].spans as {
    name: string
    spanId: string
    parentSpanId?: string
    attributes: { key: string; value: Record<string, unknown> }[]
  }[]
  const run = spans.find(
    ({ name, attributes }) => name === 'invoke_agent' && JSON.stringify(attributes).includes('turn'),
  )
  const chat = spans.find(({ name, parentSpanId }) => name.startsWith('chat ') && parentSpanId === run?.spanId)
  const of = (key: string) => chat?.attributes.find((attribute) => attribute.key === key)?.value
  expect(of('gen_ai.conversation.id')).toEqual({ stringValue: id })
  expect(of('gen_ai.usage.output_tokens')).toEqual({ intValue: expect.any(Number) })
})
