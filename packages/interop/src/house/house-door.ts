import type { Clock } from '@holdfast/conversation'
import type { ApiDeps, Diagnostics } from '@holdfast/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { createGatewayKeys, keyIn, type OpenGateway } from '../gateway/gateway-keys.ts'
import { headersOf, passAnswer } from '../mcp/over-http.ts'
import type { HousePort } from './house-server.ts'

/** What the door to house tools is made of. */
export interface HouseDoorDeps {
  readonly port: HousePort
  readonly clock: Pick<Clock, 'after'>
  readonly version: string
  /** Where this process listens, without a path; known when it does. */
  readonly url: () => Promise<string>
  readonly log: Pick<Diagnostics, 'error'>
}

/** Lets external agents call tools of Holdfast over MCP, each those of one conversation. [AGENT41, AGENT43] */
export interface HouseDoor {
  /** Opens the tools of a conversation, at `url` with `key` as a bearer, until `revoke`. */
  open(of: { readonly conversationId: string; readonly userId: string }): Promise<{
    readonly url: string
    readonly key: string
    readonly revoke: () => void
  }>
  /** Serves them. */
  readonly bind: (api: Pick<ApiDeps, 'app'>) => void
}

/** The most that one call has, in bytes. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

const PATH = '/house'

/** A call that is answered later, with the key that it came with. */
interface Waiting {
  readonly opened: OpenGateway
  readonly requestId: unknown
  readonly calledOff: AbortController
}

const Called = z.looseObject({ id: z.union([z.string(), z.number()]), method: z.literal('tools/call') })
const CalledOff = z.looseObject({
  method: z.literal('notifications/cancelled'),
  params: z.looseObject({ requestId: z.union([z.string(), z.number()]) }),
})

/** Makes the door of one process. */
export function createHouseDoor({ port, clock, version, url, log }: HouseDoorDeps): HouseDoor {
  const keys = createGatewayKeys('hfh')
  const waiting = new Set<Waiting>()

  /** Requests have no line of their own: which one is called off is told by its number, of the same key. */
  function callOff(opened: OpenGateway, body: unknown): void {
    const read = CalledOff.safeParse(body)
    if (!read.success) return
    const meant = [...waiting].filter((one) => one.opened === opened && one.requestId === read.data.params.requestId)
    // Two clients with one key may number alike.
    if (meant.length === 1) meant[0]?.calledOff.abort()
  }

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const opened = keys.find(keyIn(request.headers, '') ?? '')
    if (opened === null) return reply.code(401).send(NO_KEY)
    const { body, method } = request
    callOff(opened, body)
    const left = new AbortController()
    reply.raw.on('close', () => left.abort())
    const calledOff = new AbortController()
    const called = Called.safeParse(body)
    const call: Waiting = { opened, requestId: called.data?.id, calledOff }
    if (called.success) {
      waiting.add(call)
      reply.raw.on('close', () => waiting.delete(call))
    }
    // Most installations never serve it: what speaks it is loaded with the first request. [ARCH13]
    const { answerHouse } = await import('./house-server.ts')
    const signal = AbortSignal.any([left.signal, calledOff.signal, opened.signal])
    const { conversationId } = opened
    const answer = await answerHouse(
      { port, conversationId, clock, version, signal },
      { method, headers: headersOf(request), body },
    )
    passAnswer(reply, answer)
    return reply
  }

  return {
    async open(of) {
      return { ...keys.make(of), url: `${await url()}${PATH}` }
    },
    bind: ({ app }) =>
      void app.register(async (scope) => {
        scope.route({
          method: ['GET', 'POST', 'DELETE'],
          url: PATH,
          bodyLimit: MAX_BODY_BYTES,
          errorHandler: (error, _request, reply) => {
            const status = error.statusCode ?? 500
            if (status >= 500) log.error('house tools could not be served', { error })
            void reply.code(status).send({ error: error.message })
          },
          handler: serve,
        })
      }),
  }
}

const NO_KEY = {
  error:
    'This key opens no tools. A key is made for the process of one agent, and ends with it: let Holdfast start the agent again',
}
