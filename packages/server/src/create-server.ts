import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import websocket from '@fastify/websocket'
import type { Clock, Ids, Records } from '@holdfast/conversation'
import type { Engine, LiveBus } from '@holdfast/engine'
import { CLOSE, type ModelsAnswer, SOCKET_PATH } from '@holdfast/protocol'
import fastify, { type FastifyInstance } from 'fastify'
import { hostNames, isLoopback, PublicAddressError, urlOf } from './addresses.ts'
import { type ApiDeps, bindApi } from './api.ts'
import { createAttachments, MAX_ATTACHMENT_BYTES } from './attachments.ts'
import { bindMetrics, watchRequests } from './bind-metrics.ts'
import { answerProblem, toKnock } from './bind-route.ts'
import { createCommands } from './commands.ts'
import { createDesks } from './desks.ts'
import { createGate } from './gate.ts'
import { createListChanges } from './list-changes.ts'
import type { Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { LINE_LIMITS, type LineLimits } from './outlet.ts'
import { bindPage } from './page.ts'
import { SECURITY_HEADERS } from './security-headers.ts'
import { startSession } from './session.ts'
import type { SocketLine } from './socket-line.ts'
import { RefusedError } from './to-problem.ts'

/** What a server is made of. */
export interface ServerDeps {
  readonly engine: Engine
  readonly bus: LiveBus
  readonly store: ApiDeps['store']
  readonly records: Records
  readonly ids: Ids
  readonly clock: Clock
  readonly log: Log
  /** The providers and models as they are now, without anything secret. */
  readonly models: () => ModelsAnswer
  /** The version of the program. */
  readonly version: string
  /** Names this process; another one after every start. */
  readonly serverId: string
  readonly startupToken: string
  /** Folder of the built page; null when only the API is served. */
  readonly webRoot: string | null
  /** How much a line may hold back for its reader. */
  readonly limits?: LineLimits
  /** Counts what happens; without it, one of this server alone. */
  readonly metrics?: Metrics
  /** Serves further routes of the table on the same parts. */
  readonly mounts?: readonly ((api: ApiDeps) => void)[]
}

/** A server of the API, the socket and the page. */
export interface Server {
  /**
   * Listens; port 0 takes any that is free.
   *
   * @throws {PublicAddressError} when other computers could reach the address. [SEC2]
   */
  listen(address: { readonly host: string; readonly port: number }): Promise<{ readonly url: string }>
  /** Refuses every new command from now on, and goes on serving what runs. */
  stopAccepting(): void
  /** Says goodbye to every client and closes. */
  close(): Promise<void>
}

/** The most that the body of a request has, in bytes. */
const MAX_BODY_BYTES = 12_000_000

/** Makes a server. It listens when it is told to. */
export async function createServer(deps: ServerDeps): Promise<Server> {
  const { engine, bus, store, clock, log } = deps
  const limits = deps.limits ?? LINE_LIMITS
  const metrics = deps.metrics ?? createMetrics({ ofProcess: false, clock })
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
    requestTimeout: 60_000,
    genReqId: ({ headers }) => ownRequestId(headers['x-request-id']) ?? deps.ids.next('request'),
    frameworkErrors: (error, _request, reply) => void answerProblem(reply.headers(SECURITY_HEADERS), error, log),
  })
  const lines = new Set<SocketLine>()
  let allowedHosts: ReadonlySet<string> = new Set()
  let ready = false

  const gate = createGate({ startupToken: deps.startupToken, allowedHosts: () => allowedHosts })
  const desks = createDesks(deps.records, clock)
  const listChanges = createListChanges({
    ...{ bus, store, desks, clock },
    onError: (error) => log.error('a row of the list cannot be read', { error }),
  })
  const attachments = createAttachments({ ...deps, clock })
  const commands = createCommands({ engine, store, listChanges, attachments, desks })

  await app.register(cookie)
  await app.register(multipart, { limits: { files: 1, fields: 0, fileSize: MAX_ATTACHMENT_BYTES } })
  await app.register(websocket, { options: { maxPayload: MAX_BODY_BYTES, perMessageDeflate: false } })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS)
    gate.checkPlace(toKnock(request))
  })
  watchRequests(app, { metrics, log })
  app.setErrorHandler((error, _request, reply) => answerProblem(reply, error, log))
  app.setNotFoundHandler((request, reply) =>
    answerProblem(
      reply,
      new RefusedError(404, 'not-found', `There is no ${request.method} ${request.url.split('?')[0]}`),
      log,
    ),
  )

  const api: ApiDeps = {
    ...deps,
    app,
    gate,
    commands,
    attachments,
    desks,
    limits,
    checkOwner: commands.owned,
    isReady: () => ready,
  }
  bindApi(api)
  bindMetrics({ ...api, metrics })
  for (const mount of deps.mounts ?? []) mount(api)
  bindSocket(app)
  await bindPage({ app, gate, webRoot: deps.webRoot })

  function bindSocket(routed: FastifyInstance): void {
    routed.route({
      method: 'GET',
      url: SOCKET_PATH,
      onRequest: async (request) => {
        gate.userOf(toKnock(request))
      },
      handler: async () => {
        throw new RefusedError(400, 'bad-request', 'This address is a WebSocket')
      },
      wsHandler: (socket, request) => {
        const userId = gate.userOf(toKnock(request))
        const line = startSession({ ...deps, socket, userId, commands, listChanges, limits })
        lines.add(line)
        metrics.onSocket('opened')
        socket.on('close', () => {
          lines.delete(line)
          metrics.onSocket('closed')
        })
      },
    })
  }

  return {
    async listen({ host, port }) {
      if (!isLoopback(host)) throw new PublicAddressError(host)
      await app.listen({ host, port })
      const bound = app.server.address()
      const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port
      allowedHosts = hostNames(host, boundPort)
      ready = true
      return { url: urlOf(host, boundPort) }
    },
    stopAccepting() {
      ready = false
      commands.stopAccepting()
    },
    async close() {
      ready = false
      commands.stopAccepting()
      listChanges.close()
      for (const line of lines) line.close(CLOSE.goingAway)
      await app.close()
    },
  }
}

/** The id that a proxy gave a request, when it is one. */
function ownRequestId(given: string | readonly string[] | undefined): string | null {
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : null
}
