import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { type Program, startProgram } from './support/program.ts'

// Each test starts the program.
vi.setConfig({ testTimeout: 120_000 })

const PASSWORD = 'correct horse battery'

let base: string
let program: Program
let mail: GuardedServer

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-mcp-sign-in-'))
  await mkdir(join(base, 'data'), { mode: 0o700 })
  mail = await startGuarded()
})

afterEach(async () => {
  await program.stop()
  mail.server.closeAllConnections()
  await new Promise((resolve) => mail.server.close(resolve))
  await rm(base, { recursive: true })
})

async function start(sharing: object): Promise<void> {
  const file = join(base, 'config.json')
  await writeFile(file, JSON.stringify({ mcpServers: { mail: { url: `${mail.origin}/mcp`, ...sharing } } }))
  program = await startProgram(join(base, 'data'), { HOLDFAST_CONFIG: file }, ['--auth', 'accounts'])
}

interface GuardedServer {
  readonly server: Server
  readonly origin: string
}

/** A server of somebody's mail, which is used after a sign-in by OAuth, and signs in whoever comes. */
async function startGuarded(): Promise<GuardedServer> {
  const challenges = new Map<string, string>()
  let origin = ''
  const json = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', origin)
    switch (pathname) {
      case '/mcp': {
        if (request.headers.authorization !== 'Bearer token-1') {
          const metadata = `${origin}/.well-known/oauth-protected-resource`
          response.setHeader('www-authenticate', `Bearer resource_metadata="${metadata}"`)
          return json(response, 401, {})
        }
        if (request.method !== 'POST') return json(response, 405, {})
        const asked = Asked.parse(JSON.parse(await text(request)))
        return asked.id === undefined ? json(response, 202, {}) : json(response, 200, resultOf(asked))
      }
      case '/.well-known/oauth-protected-resource':
        return json(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] })
      case '/.well-known/oauth-authorization-server':
        return json(response, 200, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        })
      case '/register':
        return json(response, 201, { ...JSON.parse(await text(request)), client_id: 'client-1' })
      case '/authorize':
        challenges.set('code-1', searchParams.get('code_challenge') ?? '')
        return json(response, 200, {})
      case '/token': {
        const form = new URLSearchParams(await text(request))
        const verifier = form.get('code_verifier') ?? ''
        const isSame = challenges.get('code-1') === createHash('sha256').update(verifier).digest('base64url')
        return isSame
          ? json(response, 200, { access_token: 'token-1', token_type: 'Bearer' })
          : json(response, 400, { error: 'invalid_grant' })
      }
      default:
        return json(response, 404, {})
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { server, origin }
}

const Asked = z.object({ id: z.union([z.number(), z.string()]).optional(), method: z.string() })

function resultOf({ id, method }: z.infer<typeof Asked>): object {
  const result = (body: object) => ({ jsonrpc: '2.0', id, result: body })
  switch (method) {
    case 'initialize':
      return result({
        protocolVersion: '2025-06-18',
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'mail', version: '1' },
      })
    case 'tools/list':
      return result({ tools: [{ name: 'read_mail', description: 'Reads mail', inputSchema: { type: 'object' } }] })
    case 'resources/list':
      return result({ resources: [{ uri: 'mail://1', name: 'A letter' }] })
    case 'resources/templates/list':
      return result({ resourceTemplates: [] })
    case 'resources/read':
      return result({ contents: [{ uri: 'mail://1', text: 'a private letter' }] })
    default:
      return { jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } }
  }
}

type Sent = Readonly<Record<string, string>>

async function ask(as: Sent, method: string, path: string, body?: unknown) {
  const headers = { origin: program.url, ...as, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
  const answer = await fetch(`${program.url}/api/v1${path}`, { redirect: 'manual', ...init })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const SignedIn = z.object({ pageKey: z.string() })

/** Signs in with a browser, and gives what its page sends. */
async function signIn(email: string): Promise<Sent> {
  const answer = await ask({}, 'POST', '/auth/sign-in/email', { email, password: PASSWORD })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { cookie, 'holdfast-page-key': SignedIn.parse(JSON.parse(answer.text)).pageKey }
}

async function person(name: string, role: 'admin' | 'user'): Promise<Sent> {
  const email = `${name}@example.org`
  await program.call('POST', '/users', { name, email, role, password: PASSWORD })
  return signIn(email)
}

const Servers = z.object({
  servers: z.array(
    z.object({
      state: z.looseObject({ type: z.string(), url: z.string().nullish() }),
      signIn: z.object({ by: z.string().nullable(), isShared: z.boolean() }).nullable(),
    }),
  ),
})

async function mailAsSeenBy(as: Sent) {
  const { servers } = Servers.parse(JSON.parse((await ask(as, 'GET', '/mcp-servers')).text))
  const [one] = servers
  if (!one) throw new Error('There is no server')
  return one
}

const untilState = (as: Sent, type: string) =>
  vi.waitFor(async () => expect((await mailAsSeenBy(as)).state.type).toBe(type), { timeout: 20_000 })

/** Begins a sign-in, and has the browser of somebody sign in at the page. @returns the way back. */
async function signInAt(as: Sent): Promise<string> {
  const begun = await ask(as, 'POST', '/mcp-servers/mail/sign-in')
  expect(begun.status).toBe(200)
  const url = new URL(z.object({ url: z.string() }).parse(JSON.parse(begun.text)).url)
  await fetch(url)
  return `/mcp-servers/sign-in?code=code-1&state=${url.searchParams.get('state')}&iss=${encodeURIComponent(mail.origin)}`
}

const letter = { server: 'mail', uri: 'mail://1' }

/** The names of the tools that a conversation of somebody has. */
async function toolsOf(as: Sent): Promise<string> {
  const made = await ask(as, 'POST', '/conversations', { commandId: `command_${Math.random()}` })
  const { id } = z.object({ id: z.string() }).parse(JSON.parse(made.text))
  return (await ask(as, 'GET', `/conversations/${id}/tools`)).text
}

test('[SEC23] a sign-in with a server is begun and ended by the session of one admin, and is used for admins', async () => {
  await start({})
  const [ann, root, bob] = [await person('ann', 'admin'), await person('root', 'admin'), await person('bob', 'user')]
  await untilState(ann, 'needs-sign-in')
  expect((await mailAsSeenBy(bob)).state.url ?? null).toBe(null)
  expect(JSON.stringify(await mailAsSeenBy(bob))).not.toContain('state=')
  expect((await ask(bob, 'POST', '/mcp-servers/mail/sign-in')).status).toBe(403)

  // What one admin was led back with is of no use in the session of another, nor without any.
  const back = await signInAt(root)
  expect((await ask({}, 'GET', back)).status).toBe(403)
  expect((await ask(bob, 'GET', back)).status).toBe(403)
  expect((await ask(ann, 'GET', back)).status).toBe(403)
  const elsewhere = await signIn('root@example.org')
  expect((await ask(elsewhere, 'GET', back)).status).toBe(403)
  // An address from before another began leads to nothing, even in the session that has begun since.
  const own = await signInAt(ann)
  expect((await ask(ann, 'GET', back)).status).toBe(404)
  // A browser that comes from elsewhere shows no key: it is led to the page, and nothing is ended by that.
  const led = await ask({ accept: 'text/html' }, 'GET', own)
  expect([led.status, led.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\.\.\/\.\.\/\.\.\/#mcp-sign-in\?code=/),
  ])
  expect((await mailAsSeenBy(ann)).state.type).toBe('needs-sign-in')
  expect((await ask(ann, 'GET', own)).status).toBe(200)

  await untilState(ann, 'connected')
  expect((await mailAsSeenBy(bob)).signIn).toEqual({ by: 'ann', isShared: false })
  expect((await ask(ann, 'POST', '/mcp-servers/resource', letter)).text).toContain('a private letter')
  for (const [method, path, body] of [
    ['POST', '/mcp-servers/resource', letter],
    ['GET', '/mcp-servers/material?server=mail', undefined],
    ['POST', '/mcp-servers/prompt', { server: 'mail', prompt: 'p', arguments: {} }],
    [
      'POST',
      '/mcp-servers/complete',
      { server: 'mail', of: { type: 'prompt', name: 'p' }, argument: 'a', value: '', given: {} },
    ],
  ] as const)
    expect((await ask(bob, method, path, body)).status, path).toBe(403)
  const made = await ask(bob, 'POST', '/conversations', { commandId: 'command_of_bob' })
  const { id } = z.object({ id: z.string() }).parse(JSON.parse(made.text))
  const content = [{ type: 'resource', ...letter, name: 'A letter' }]
  expect((await ask(bob, 'POST', `/conversations/${id}/inputs`, { commandId: 'command_2', content })).status).toBe(403)
  expect(await toolsOf(ann)).toContain('mail__read_mail')
  expect(await toolsOf(bob)).not.toContain('mail__read_mail')
})

test('[SEC23] a sign-in that the operator’s file shares is used for everybody', async () => {
  await start({ shareSignIn: true })
  const [ann, bob] = [await person('ann', 'admin'), await person('bob', 'user')]
  await untilState(ann, 'needs-sign-in')
  expect((await ask(ann, 'GET', await signInAt(ann))).status).toBe(200)
  await untilState(ann, 'connected')
  expect((await mailAsSeenBy(bob)).signIn).toEqual({ by: 'ann', isShared: true })
  expect((await ask(bob, 'POST', '/mcp-servers/resource', letter)).text).toContain('a private letter')
  expect(await toolsOf(bob)).toContain('mail__read_mail')
})
