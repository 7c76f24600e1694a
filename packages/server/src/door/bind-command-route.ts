import { API_PATH, type Route } from '@holdfast/protocol'
import type { FastifyRequest } from 'fastify'
import type { Principal } from '../parts/principal.ts'
import { type Answer, type BindDeps, noteCaller, sendAnswer, toIncomingRequest } from './bind-route.ts'

/** A request for a command: who asks, and nothing of what is asked is read yet. */
export interface CommandCall {
  readonly principal: Principal
  readonly params: unknown
  /** Reads address, query and body. @throws {ZodError} */
  read(): { readonly params: object; readonly query: object; readonly body: object }
}

/** Serves the route of a command. Who asks is known here; whether they may is checked where all commands are carried out. [SEC1] */
export function bindCommandRoute(
  { app, gate, limiter }: Pick<BindDeps, 'app' | 'gate' | 'limiter'>,
  route: Route,
  handle: (call: CommandCall) => Promise<Answer>,
): void {
  const callers = new WeakMap<FastifyRequest, Principal>()
  app.route({
    method: route.method,
    url: API_PATH + route.path,
    onRequest: async (request, reply) => {
      await limiter.count(route, request, reply)
      const principal = await gate.principalOf(toIncomingRequest(request))
      noteCaller(request, principal)
      callers.set(request, principal)
    },
    handler: async (request, reply) => {
      const principal = callers.get(request)
      if (!principal) throw new Error(`Nobody asked who calls ${route.path}`)
      const { params } = request
      const read = () => ({
        params: fieldsOf(route.params.parse(params)),
        query: fieldsOf(route.query.parse(request.query)),
        body: fieldsOf(route.body.parse(request.body)),
      })
      return sendAnswer(reply, await handle({ principal, params, read }))
    },
  })
}

/** What was read of a place that has fields; nothing of one that is not looked at. */
function fieldsOf(read: unknown): object {
  return typeof read === 'object' && read !== null ? read : {}
}
