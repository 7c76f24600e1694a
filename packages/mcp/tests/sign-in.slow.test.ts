import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { McpServer } from '@modelcontextprotocol/server'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { listenOn } from './support/listen-on.ts'
import { openServer, textOf, untilConnected } from './support/open-server.ts'
import { serveMcp } from './support/serve-mcp.ts'

interface Guarded {
  readonly url: string
  /** Every request that was made, with its bearer token. */
  readonly seen: { readonly path: string; readonly token: string | null; readonly key: string | null }[]
}

/** A server that is used only after a sign-in by OAuth, and its authorization server: at the same address, or at another. */
async function startGuarded(isApart: boolean): Promise<Guarded> {
  const seen: { path: string; token: string | null; key: string | null }[] = []
  let signInOrigin = ''
  const challenges = new Map<string, string>()
  const handle = serveMcp(() => {
    const server = new McpServer({ name: 'guarded', version: '1.0.0' })
    server.registerTool('who', { inputSchema: z.object({}) }, async () => ({
      content: [{ type: 'text', text: 'you' }],
    }))
    return server
  })
  let origin = ''
  const json = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', origin)
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null
    const isOfSignIn = request.headers.host === new URL(signInOrigin).host
    const key = request.headers['x-api-key']
    seen.push({
      path: isApart && isOfSignIn ? `elsewhere ${pathname}` : pathname,
      token,
      key: typeof key === 'string' ? key : null,
    })
    switch (pathname) {
      case '/mcp':
        if (token === 'token-1') return handle(request, response)
        response.setHeader(
          'www-authenticate',
          `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`,
        )
        return json(response, 401, {})
      case '/.well-known/oauth-protected-resource':
        return json(response, 200, { resource: `${origin}/mcp`, authorization_servers: [signInOrigin] })
      case '/.well-known/oauth-authorization-server':
        return json(response, 200, {
          issuer: signInOrigin,
          authorization_endpoint: `${signInOrigin}/authorize`,
          token_endpoint: `${signInOrigin}/token`,
          registration_endpoint: `${signInOrigin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        })
      case '/register':
        return json(response, 201, { ...JSON.parse(await text(request)), client_id: 'client-1' })
      case '/authorize': {
        challenges.set('code-1', searchParams.get('code_challenge') ?? '')
        return json(response, 200, {})
      }
      case '/token': {
        const form = new URLSearchParams(await text(request))
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url')
        if (challenges.get(form.get('code') ?? '') !== challenge) return json(response, 400, { error: 'invalid_grant' })
        return json(response, 200, { access_token: 'token-1', token_type: 'Bearer' })
      }
      default:
        return json(response, 404, {})
    }
  }
  const listen = async () =>
    `http://127.0.0.1:${await listenOn(createServer((request, response) => void answer(request, response)))}`
  origin = await listen()
  signInOrigin = isApart ? await listen() : origin
  return { url: `${origin}/mcp`, seen }
}

it('[TOOL9] [SEC4] a server that wants a sign-in is used after it; a callback that nobody asked for changes nothing', async () => {
  const guarded = await startGuarded(false)
  const open = openServer({ type: 'http', url: guarded.url, headers: {} })
  await expect.poll(() => open.server.status().state.type, { timeout: 10_000 }).toBe('needs-sign-in')
  const { state } = open.server.status()
  const page = new URL((state.type === 'needs-sign-in' && state.url) || '')
  expect(page.pathname).toBe('/authorize')
  expect(page.searchParams.get('code_challenge_method')).toBe('S256')
  expect(page.searchParams.get('redirect_uri')).toBe('http://127.0.0.1:9/api/v1/mcp-sign-in')
  const stateToken = page.searchParams.get('state') ?? ''
  expect(stateToken.length).toBeGreaterThan(40)
  // The person signs in at the page.
  await fetch(page)
  expect(await open.server.finishSignIn(new URLSearchParams({ code: 'code-1', state: 'guessed' }), 'Ann')).toBe(false)
  expect(open.server.status().state.type).toBe('needs-sign-in')
  expect(await open.server.finishSignIn(new URLSearchParams({ code: 'code-1', state: stateToken }), 'Ann')).toBe(true)
  await untilConnected(open)
  expect(textOf(await open.call('who', {}))).toBe('you')
  // A state is good once.
  expect(await open.server.finishSignIn(new URLSearchParams({ code: 'code-1', state: stateToken }), 'Bob')).toBe(false)
  expect(guarded.seen.filter(({ token }) => token !== null).every(({ path }) => path === '/mcp')).toBe(true)
  expect(JSON.stringify([open.server.status(), open.server.logs()])).not.toContain('token-1')
})

it('[SEC24] the operator’s headers go to the server and to nobody that it names', async () => {
  const guarded = await startGuarded(true)
  const open = openServer({ type: 'http', url: guarded.url, headers: { 'X-Api-Key': 'key-of-the-operator' } })
  await expect.poll(() => open.server.status().state.type, { timeout: 10_000 }).toBe('needs-sign-in')
  const { state } = open.server.status()
  const page = new URL((state.type === 'needs-sign-in' && state.url) || '')
  await fetch(page)
  const callback = new URLSearchParams({
    code: 'code-1',
    state: page.searchParams.get('state') ?? '',
    iss: page.origin,
  })
  expect(await open.server.finishSignIn(callback, 'Ann')).toBe(true)
  await untilConnected(open)
  const elsewhere = guarded.seen.filter(({ path }) => path.startsWith('elsewhere '))
  expect(elsewhere.map(({ path }) => path)).toEqual(expect.arrayContaining(['elsewhere /register', 'elsewhere /token']))
  expect(elsewhere.filter(({ key }) => key !== null)).toEqual([])
  const ofServer = guarded.seen.filter(({ path }) => path === '/mcp')
  expect(ofServer.every(({ key }) => key === 'key-of-the-operator')).toBe(true)
})
