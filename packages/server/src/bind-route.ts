import { API_PATH, type AnswerOf, PROBLEM_MEDIA_TYPE, type Route } from '@holdfast/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { type Gate, type Knock } from './gate.ts'
import { RefusedError, toProblem } from './to-problem.ts'
import type { Log } from './log.ts'

/** What every route needs. */
export interface BindDeps {
  readonly app: FastifyInstance
  readonly gate: Gate
  /** @throws when the conversation is not the user's. */
  readonly checkOwner: (userId: string, conversationId: string) => Promise<unknown>
}

/** A request after its checks. */
export interface Call<Params, Query, Body> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** The handler has taken the answer over: it writes to the connection itself. */
export const TAKEN_OVER = Symbol('taken over')

type Answers = Readonly<Record<number, z.ZodType>>

/** Serves a route that anyone may call. */
export function bindOpenRoute<Params, Query, Body, Answer extends Answers>(
  { app }: BindDeps,
  route: Route<Params, Query, Body, Answer>,
  handle: (call: Call<Params, Query, Body>) => Promise<AnswerOf<Answer>>,
): void {
  app.route({
    method: route.method,
    url: API_PATH + route.path,
    handler: async (request, reply) => answer(reply, await handle(checkedCall(route, request, reply))),
  })
}

/**
 * Serves a route for users. Who asks is known before anything of the request is looked at, and where the
 * route names a conversation, that it is theirs. [SEC1]
 */
export function bindRoute<Params, Query, Body, Answer extends Answers>(
  { app, gate, checkOwner }: BindDeps,
  route: Route<Params, Query, Body, Answer>,
  handle: (
    call: Call<Params, Query, Body> & { readonly userId: string },
  ) => Promise<AnswerOf<Answer> | typeof TAKEN_OVER>,
): void {
  app.route({
    method: route.method,
    url: API_PATH + route.path,
    onRequest: async (request) => {
      gate.userOf(toKnock(request))
    },
    handler: async (request, reply) => {
      const userId = gate.userOf(toKnock(request))
      if (route.access === 'owner') await checkOwner(userId, conversationIdOf(request))
      const answered = await handle({ ...checkedCall(route, request, reply), userId })
      return answered === TAKEN_OVER ? reply : answer(reply, answered)
    },
  })
}

/** What the gate sees of a request. */
export function toKnock(request: FastifyRequest): Knock {
  const isSocket = request.headers.upgrade?.toLowerCase() === 'websocket'
  return { method: request.method, headers: request.headers, cookies: request.cookies, isSocket }
}

/** Answers with the problem that an error is. */
export function answerProblem(reply: FastifyReply, error: unknown, log: Log): FastifyReply {
  const problem = toProblem(error)
  if (problem.status >= 500) log.error('a request failed', { code: problem.code, url: reply.request.routeOptions.url, error })
  return reply.code(problem.status).type(PROBLEM_MEDIA_TYPE).send(problem)
}

function checkedCall<Params, Query, Body, Answer extends Answers>(
  route: Route<Params, Query, Body, Answer>,
  request: FastifyRequest,
  reply: FastifyReply,
): Call<Params, Query, Body> {
  return {
    params: route.params.parse(request.params),
    query: route.query.parse(request.query),
    body: route.body.parse(request.body),
    request,
    reply,
  }
}

function conversationIdOf({ params }: FastifyRequest): string {
  if (typeof params === 'object' && params !== null && 'id' in params && typeof params.id === 'string') return params.id
  throw new RefusedError(404, 'not-found', 'The address names no conversation')
}

function answer(reply: FastifyReply, { status, body }: { readonly status: number; readonly body: unknown }): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').send(body)
}
