import { API_PATH, type BodyOf, PROBLEM_MEDIA_TYPE, type Route, routes, type StatusOf } from '@holdfast/protocol'
import { type ApiDeps, bindRoute, TAKEN_OVER } from '@holdfast/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RouteCalls } from './call-route.ts'
import { headersOf, passAnswer } from './over-http.ts'

/** Headers of the transport, which a call of another route has of its own. */
const OF_TRANSPORT: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'transfer-encoding', 'expect'],
  ...['content-length', 'content-type', 'content-encoding', 'accept', 'accept-encoding'],
])

/** Serves clients of MCP over streamable HTTP, of the protocol's versions with a session of initialize and without one. */
export function bindMcp(api: ApiDeps): void {
  bindRoute(api, routes.serveMcp, async ({ body, request, reply, principal }) => {
    // Most installations never serve it: what speaks it is loaded with the first request. [ARCH13]
    const { answerMcp } = await import('./answer-mcp.ts')
    const { version, clock } = api
    const { scopes } = principal
    api.lines.enter(principal, reply.raw)
    const left = new AbortController()
    reply.raw.on('close', () => left.abort())
    const calls = callsAs(api.app, request)
    const answer = await answerMcp(
      { calls, clock, version, scopes },
      { headers: headersOf(request), body, signal: left.signal },
    )
    passAnswer(reply, answer)
    return TAKEN_OVER
  })

  for (const route of [routes.listenMcp, routes.endMcp])
    bindRoute(api, route, async ({ reply, answer }) => {
      // Nothing is told without being asked, and there is no session that could end.
      reply.header('allow', 'POST')
      return answer(405, undefined)
    })
}

/** Calls routes as whoever sent a request: by the same door, with all that it came in with. */
function callsAs(app: FastifyInstance, request: FastifyRequest): RouteCalls {
  const came = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !OF_TRANSPORT.has(name)))
  const base = request.originalUrl.slice(0, request.originalUrl.indexOf(API_PATH))
  return {
    async call(route, { params, query, body }) {
      const path = Object.entries(params ?? {}).reduce(
        (made, [name, value]) => made.replace(`:${name}`, encodeURIComponent(value)),
        route.path,
      )
      const answer = await app.inject({
        method: route.method,
        url: `${base}${API_PATH}${path}`,
        headers: { ...came, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        // That of the line, not of whoever a proxy names: who is trusted is judged once more, by the same headers.
        remoteAddress: request.socket.remoteAddress ?? request.ip,
        ...(query === undefined ? {} : { query: { ...query } }),
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      })
      return readAnswer(route, answer)
    },
  }
}

interface Injected {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** @throws what the server refused it with, in words. */
function readAnswer<Known extends Route>(
  route: Known,
  { statusCode, headers, body }: Injected,
): BodyOf<Known, StatusOf<Known>> {
  const known = route.answers[statusCode]
  if (known) return known.parse(body === '' ? undefined : JSON.parse(body)) as BodyOf<Known, StatusOf<Known>>
  const isProblem = String(headers['content-type']).startsWith(PROBLEM_MEDIA_TYPE)
  const problem: unknown = isProblem ? JSON.parse(body) : null
  const detail = typeof problem === 'object' && problem !== null && 'detail' in problem ? problem.detail : null
  throw new Error(typeof detail === 'string' ? detail : `The server answered with ${statusCode}`)
}
