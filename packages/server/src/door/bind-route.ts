import { API_PATH, type BodyOf, PROBLEM_MEDIA_TYPE, type Problem, type Route, type StatusOf } from '@holdfast/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import type { Diagnostics } from '../parts/diagnostics.ts'
import { checkRoute, type Principal } from '../parts/principal.ts'
import { RefusedError, RefusedForNowError, toProblem, withoutPlaces } from '../parts/to-problem.ts'
import type { Gate, IncomingRequest } from './gate.ts'
import type { Lines } from './lines.ts'
import type { Limiter } from './rate-limits.ts'

/** What every route needs. */
export interface BindDeps {
  readonly app: FastifyInstance
  readonly gate: Gate
  readonly lines: Lines
  readonly limiter: Limiter
  /** @throws when the conversation is not the user's. */
  readonly checkOwner: (userId: string, conversationId: string) => Promise<unknown>
}

/** A request after its checks. */
export interface Call<Known extends Route> {
  readonly params: z.infer<Known['params']>
  readonly query: z.infer<Known['query']>
  readonly body: z.infer<Known['body']>
  /** Makes the answer. */
  readonly answer: <Status extends StatusOf<Known>>(status: Status, body: BodyOf<Known, Status>) => Answer
  /** Makes the answer of a body that is JSON already, in UTF-8. */
  readonly answerText: <Status extends StatusOf<Known>>(status: Status, body: Uint8Array) => Answer
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Who sent a request. */
export interface Caller {
  readonly userId: string
  readonly principal: Principal
}

/** What a handler answers with. */
export interface Answer {
  readonly status: number
  /** Bytes are JSON that is written already. */
  readonly body: unknown
}

/** The handler has taken the answer over: it writes to the connection itself. */
export const TAKEN_OVER = Symbol('taken over')

/** Serves a route that anyone may call. */
export function bindOpenRoute<Known extends Route>(
  { app, limiter }: BindDeps,
  route: Known,
  handle: (call: Call<Known>) => Promise<Answer>,
): void {
  app.route({
    method: route.method,
    url: API_PATH + route.path,
    onRequest: (request, reply) => limiter.count(route, request, reply),
    handler: async (request, reply) => sendAnswer(reply, await handle(checkedCall(route, request, reply))),
  })
}

/**
 * Serves a route for users. Who asks and what they may do is known before anything of the request is looked at, and
 * where the route names a conversation, that it is theirs. [SEC1]
 */
export function bindRoute<Known extends Route>(
  { app, gate, lines, limiter, checkOwner }: BindDeps,
  route: Known,
  handle: (call: Call<Known> & Caller) => Promise<Answer | typeof TAKEN_OVER>,
): void {
  const callers = new WeakMap<FastifyRequest, Principal>()
  app.route({
    method: route.method,
    url: API_PATH + route.path,
    onRequest: async (request, reply) => {
      await limiter.count(route, request, reply)
      const principal = await gate.principalOf(toIncomingRequest(request))
      noteCaller(request, principal)
      checkRoute(principal, route)
      callers.set(request, principal)
    },
    handler: async (request, reply) => {
      const principal = callers.get(request)
      if (!principal) throw new Error(`Nobody asked who calls ${route.path}`)
      const { userId } = principal
      if (route.access === 'owner') await checkOwner(userId, conversationIdOf(request))
      const answered = await handle({ ...checkedCall(route, request, reply), userId, principal })
      if (answered !== TAKEN_OVER) return sendAnswer(reply, answered)
      reply.raw.on(
        'close',
        lines.watch(principal, () => reply.raw.destroy()),
      )
      return reply
    },
  })
}

/** What the gate sees of a request. */
export function toIncomingRequest(request: FastifyRequest): IncomingRequest {
  const { method, url, headers, cookies, protocol, ip } = request
  return {
    method,
    target: url,
    headers,
    cookies,
    protocol,
    address: ip,
    isSocket: headers.upgrade?.toLowerCase() === 'websocket',
  }
}

/** Requests of admins. */
const ofAdmins = new WeakSet<FastifyRequest>()

/** Notes who sends a request: admins are told where the store is that failed. */
export function noteCaller(request: FastifyRequest, { role }: Principal): void {
  if (role === 'admin') ofAdmins.add(request)
}

/** Answers with the problem that an error is. Who is no admin is not told where the store is. */
export function answerProblem(reply: FastifyReply, error: unknown, log: Diagnostics): FastifyReply {
  const told = toProblem(error)
  const problem = ofAdmins.has(reply.request) ? told : withoutPlaces(told)
  // A server that is not ready says so once a second to each balancer, and it is no fault.
  if (problem.status >= 500 && problem.code !== 'not-ready')
    log.error('a request failed', {
      requestId: reply.request.id,
      code: problem.code,
      route: reply.request.routeOptions.url,
      error,
    })
  if (problem.status === 503) reply.header('retry-after', RETRY_S)
  if (error instanceof RefusedForNowError) reply.header('retry-after', Math.max(1, Math.ceil(error.waitMs / 1_000)))
  const isOpenAi = reply.request.url.includes(OPENAI_PATH)
  return reply
    .code(problem.status)
    .type(PROBLEM_MEDIA_TYPE)
    .send(isOpenAi ? { ...problem, error: toOpenAiError(problem) } : problem)
}

/** After so many seconds what was not ready may be, here or at another replica. [SCALE6] */
const RETRY_S = 1

/** As Fastify says it of what it writes itself. */
const JSON_MEDIA_TYPE = 'application/json; charset=utf-8'

/** Sends what a handler answers with. */
export function sendAnswer(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  reply.code(status).header('cache-control', 'no-store')
  return body instanceof Uint8Array ? reply.type(JSON_MEDIA_TYPE).send(body) : reply.send(body)
}

const OPENAI_PATH = `${API_PATH}/interop/openai/`

/** The same problem as clients of OpenAI read it, beside the members of RFC 9457. */
function toOpenAiError({ status, code, detail }: Problem) {
  return { message: detail, type: status < 500 ? 'invalid_request_error' : 'server_error', code, param: null }
}

function checkedCall<Known extends Route>(route: Known, request: FastifyRequest, reply: FastifyReply): Call<Known> {
  return {
    params: checked<Known['params']>(route.params, request.params),
    query: checked<Known['query']>(route.query, request.query),
    body: checked<Known['body']>(route.body, request.body),
    answer: (status, body) => ({ status, body }),
    answerText: (status, body) => ({ status, body }),
    request,
    reply,
  }
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  return schema.parse(value)
}

function conversationIdOf({ params }: FastifyRequest): string {
  const id = typeof params === 'object' && params !== null && 'id' in params ? params.id : null
  // PostgreSQL keeps no text with a NUL character, and no id has one.
  if (typeof id === 'string' && !id.includes('\0')) return id
  throw new RefusedError(404, 'not-found', 'The address names no conversation')
}
