import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import websocket from '@fastify/websocket'
import type { Clock, Ids, Records, ReplicaStore } from '@holdfast/conversation'
import type { Engine, LiveBus, Memories } from '@holdfast/engine'
import { CLOSE, type ModelsAnswer, SOCKET_PATH } from '@holdfast/protocol'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Accounts } from './accounts/open-accounts.ts'
import type { AgentDirectory } from './agents/agent-directory.ts'
import { type ApiDeps, bindApi } from './api.ts'
import { isLoopback, PublicAddressError, urlOf } from './door/addresses.ts'
import { HEAD_LIMITS, type HeadLimits, LONGEST_ARRIVAL_MS, limitArrival, parserOptions } from './door/arrival-limit.ts'
import { answerProblem, toIncomingRequest } from './door/bind-route.ts'
import { createLines } from './door/lines.ts'
import { type Network, namesOf, OWN_ADDRESS_ONLY, serverOptions } from './door/network.ts'
import { createLimiter, RATE_LIMITS, type RateLimits } from './door/rate-limits.ts'
import { checkRequestOrigin, checkTarget } from './door/request-origin.ts'
import { securityHeaders } from './door/security-headers.ts'
import type { StartUpToken } from './door/start-up-token.ts'
import { createTokenGate } from './door/token-gate.ts'
import { openImports } from './imports/imports.ts'
import type { ImportPorts } from './imports/run-import.ts'
import { createSourceFolder } from './imports/source-folder.ts'
import { LINE_LIMITS, type LineLimits } from './live/outlet.ts'
import { serveSocket } from './live/serve-socket.ts'
import type { SocketLine } from './live/socket-line.ts'
import { createAttachments } from './parts/attachments.ts'
import { collectUploads } from './parts/collect-uploads.ts'
import { createDesks } from './parts/desks.ts'
import type { Diagnostics } from './parts/diagnostics.ts'
import type { ErasedIn } from './parts/erasures.ts'
import { createListChanges } from './parts/list-changes.ts'
import type { McpDirectory } from './parts/mcp-directory.ts'
import { createMetrics, type Metrics } from './parts/metrics.ts'
import type { OpenMedia } from './parts/open-media.ts'
import { createOwnerCheck } from './parts/owner-check.ts'
import { createPreviewWatch } from './parts/preview-watch.ts'
import { checkScope, type Principal } from './parts/principal.ts'
import type { ProviderDirectory } from './parts/provider-directory.ts'
import { createStorage } from './parts/storage.ts'
import { STORAGE_LIMITS, type StorageLimits } from './parts/storage-limits.ts'
import { RefusedError } from './parts/to-problem.ts'
import { createUserCommands } from './parts/user-commands.ts'
import { bindAccounts } from './routes/account-routes.ts'
import { bindAdministration, type StoreFacts } from './routes/administration-routes.ts'
import { bindAgents } from './routes/agent-routes.ts'
import { bindMetrics, watchRequests } from './routes/bind-metrics.ts'
import { bindDoor } from './routes/door-routes.ts'
import { bindMcp, resourceReader } from './routes/mcp-routes.ts'
import { bindPage } from './routes/page.ts'
import { bindPreviews, type PreviewDirectory } from './routes/preview-routes.ts'
import { bindProviders } from './routes/provider-routes.ts'
import { createPointedAt } from './routes/read-pointed-at.ts'
import { bindSettings, type SettingRoutesDeps } from './routes/setting-routes.ts'
import { bindWorkspaceFiles } from './routes/workspace-file-routes.ts'
import { bindWorkspace, type WorkspaceParts } from './routes/workspace-routes.ts'
import { bindWorktrees } from './routes/worktree-routes.ts'

/** What a server is made of. */
export interface ServerDeps extends WorkspaceParts {
  readonly engine: Engine
  readonly bus: LiveBus
  readonly store: ApiDeps['store'] & ImportPorts['store']
  readonly records: Records
  /** Those that the tools of agents change: what the page does to a user's memories follows what they do. */
  readonly memories: Memories
  readonly ids: Ids
  readonly clock: Clock
  readonly log: Diagnostics
  /** The providers and models as they are now, without anything secret. */
  readonly models: () => ModelsAnswer
  /** Says how large the store is; without it, nothing is said of it. [SCALE20] */
  readonly storeFacts?: () => Promise<StoreFacts>
  /** The version of the program. */
  readonly version: string
  /** Names this process; another one after every start. */
  readonly serverId: string
  readonly startupToken: StartUpToken
  /** Makes another start-up token and keeps it in the place of the old one; without it, none can be made. */
  readonly makeStartUpToken?: () => Promise<string>
  /** The servers on the same store; absent where this one has it alone. */
  readonly replicas?: ReplicaStore
  /** Who may come in by an account; without it, whoever has the start-up token. */
  readonly accounts?: Accounts
  /** The MCP servers; absent where there are none. */
  readonly mcp?: McpDirectory
  /** Opens pictures, sound and film of other places for the canvas; absent: none are. */
  readonly openMedia?: OpenMedia
  /** The agents that people may choose; without it, only the one that sets nothing. */
  readonly agents?: AgentDirectory
  /** The providers that admins may change; without it, none can be. */
  readonly providers?: ProviderDirectory
  /** The settings of the installation that admins may change; without it, none can be. */
  readonly settings?: NonNullable<SettingRoutesDeps['settings']>
  /** The previews of this machine; absent where there are none. */
  readonly previews?: PreviewDirectory
  /** How the server is reached; without it, at its own address only. */
  readonly network?: Network
  /** Limits of requests where there are accounts; the usual ones by default. */
  readonly rateLimits?: RateLimits
  /** Folder of the built page; null when only the API is served. */
  readonly webRoot: string | null
  /** Folder for files until they are imported; absent: nothing is imported. */
  readonly importsFolder?: string
  /** What uploads and imports may take; the usual limits by default. */
  readonly storageLimits?: StorageLimits
  /** Bytes that are free on the disk of the data folder; without it, the disk is not asked. */
  readonly freeBytes?: () => Promise<number>
  /** What the head of a request may be; the usual limits by default. */
  readonly headLimits?: HeadLimits
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
   * @throws {PublicAddressError} when other computers could reach the address and there are no accounts. [SEC2]
   */
  listen(address: { readonly host: string; readonly port: number }): Promise<{ readonly url: string }>
  /** Refuses every new command from now on, and goes on serving what runs. */
  stopAccepting(): void
  /** Says goodbye to every client and closes. */
  close(): Promise<void>
}

/** The most that the body of a request has, in bytes. */
const MAX_BODY_BYTES = 12_000_000

/** The longest part of an address; an id is shorter. */
const MAX_PARAMETER_LENGTH = 600

/** Makes a server. It listens when it is told to. */
export async function createServer(deps: ServerDeps): Promise<Server> {
  const { bus, store, clock, log } = deps
  const limits = deps.limits ?? LINE_LIMITS
  const metrics = deps.metrics ?? createMetrics({ ofProcess: false, clock })
  const network = deps.network ?? OWN_ADDRESS_ONLY
  const gate = deps.accounts?.gate ?? createTokenGate(deps.startupToken, clock)
  const headers = securityHeaders(network, deps.previews?.source ?? null)
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    ...serverOptions(network),
    http: parserOptions(deps.headLimits ?? HEAD_LIMITS),
    forceCloseConnections: true,
    requestTimeout: LONGEST_ARRIVAL_MS,
    genReqId: (request) => ownRequestId(request.headers['x-request-id']) ?? deps.ids.next('request'),
    frameworkErrors: (error, _request, reply) => void answerProblem(reply.headers(headers), error, log),
  })
  const lines = new Set<SocketLine>()
  let allowedHosts: ReadonlySet<string> = new Set()
  let ready = false

  const place = { allowedHosts: () => allowedHosts, publicUrl: network.publicUrl, cookieName: gate.cookieName }
  const openLines = createLines({ gate, clock, onError: (error) => log.error('the gate cannot be asked', { error }) })
  const desks = createDesks(deps.records, clock)
  const listChanges = createListChanges({
    bus,
    store,
    desks,
    clock,
    onError: (error) => log.error('a row of the list cannot be read', { error }),
  })
  const mcp = deps.mcp ?? null
  const storageLimits = deps.storageLimits ?? STORAGE_LIMITS
  const storage = createStorage({ store, limits: storageLimits, freeBytes: deps.freeBytes ?? null })
  const attachments = createAttachments({
    ...deps,
    clock,
    storage,
    attachmentBytes: storageLimits.attachmentBytes,
    readResource: mcp && resourceReader(mcp, deps.accounts ?? null),
    pointedAt: createPointedAt({ store, log, agents: deps.agents ?? null }),
  })
  const forgetting = new Set<(erased: ErasedIn) => Promise<void>>([({ userId }) => attachments.forgetGone(userId)])
  const onErased = async (erased: ErasedIn): Promise<void> => {
    for (const forget of forgetting) await forget(erased)
  }
  const commands = createUserCommands({ ...deps, listChanges, attachments, desks, onErased })

  const previewWatch = createPreviewWatch({ engine: deps.engine, desks, clock, log })

  const { importsFolder } = deps
  const importing = { ...deps, storage, storageLimits, onConversation: listChanges.changed }
  const imports =
    importsFolder === undefined ? null : await openImports({ ...importing, folder: createSourceFolder(importsFolder) })
  let stopCollecting = (): void => {}

  limitArrival(app, clock)
  await app.register(cookie)
  await app.register(multipart, { limits: { files: 1, fields: 0, fileSize: storageLimits.attachmentBytes } })
  await app.register(websocket, { options: { maxPayload: MAX_BODY_BYTES, perMessageDeflate: false } })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    const { originalUrl, routeOptions, headers: sent } = request
    checkTarget({ target: originalUrl, routeUrl: routeOptions.url, upgrade: sent.upgrade })
    checkRequestOrigin(place, toIncomingRequest(request))
  })
  watchRequests(app, { metrics, log })
  app.setErrorHandler((error, _request, reply) => answerProblem(reply, error, log))
  app.setNotFoundHandler(({ method, url }, reply) =>
    answerProblem(reply, new RefusedError(404, 'not-found', `There is no ${method} ${url.split('?')[0]}`), log),
  )

  const limiter = await createLimiter(app, deps.accounts ? (deps.rateLimits ?? RATE_LIMITS) : null)
  const binding = { app, gate, lines: openLines, limiter, checkOwner: createOwnerCheck(commands, store) }
  const { checkAccepting } = commands
  const whenErased: ApiDeps['whenErased'] = (forget) => void forgetting.add(forget)
  const asked = { limits, imports, openMedia: deps.openMedia ?? null, checkAccepting, isReady: () => ready, whenErased }
  const api: ApiDeps = { ...deps, ...binding, commands, attachments, desks, ...asked }
  bindApi(api)
  bindMetrics({ ...api, metrics })
  bindAdministration({ ...deps, ...binding, metrics })
  bindAccounts({ ...binding, accounts: deps.accounts ?? null, clock: deps.clock })
  const makeStartUpToken = deps.makeStartUpToken ?? null
  bindDoor({ ...binding, startupToken: deps.startupToken, makeStartUpToken, accounts: deps.accounts ?? null })
  bindAgents({ ...binding, agents: deps.agents ?? null, store: deps.store })
  bindProviders({ ...binding, providers: deps.providers ?? null })
  bindMcp({ ...binding, mcp, accounts: deps.accounts ?? null })
  bindSettings({ ...binding, settings: deps.settings ?? null })
  bindWorkspace({ ...deps, ...binding, commands })
  bindWorkspaceFiles({ ...deps, ...binding, commands, files: deps.workspaceFiles ?? null })
  bindWorktrees({ ...deps, ...binding, worktrees: deps.worktrees ?? null })
  bindPreviews({ ...binding, previews: deps.previews ?? null, startupToken: deps.startupToken, watch: previewWatch })
  for (const mount of deps.mounts ?? []) mount(api)
  bindSocket(app)
  await bindPage({ app, gate, network, webRoot: deps.webRoot })

  function bindSocket(routed: FastifyInstance): void {
    const callers = new WeakMap<FastifyRequest, Principal>()
    routed.route({
      method: 'GET',
      url: SOCKET_PATH,
      onRequest: async (request, reply) => {
        await limiter.count({ path: SOCKET_PATH }, request, reply)
        const principal = await gate.principalOf(toIncomingRequest(request))
        checkScope(principal, 'read')
        openLines.enter(principal, request.raw.socket)
        callers.set(request, principal)
      },
      handler: async () => {
        throw new RefusedError(400, 'bad-request', 'This address is a WebSocket')
      },
      wsHandler: (socket, request) => {
        const principal = callers.get(request)
        if (!principal) throw new Error('Nobody asked who opens the socket')
        const line = serveSocket({
          ...deps,
          socket,
          wire: request.raw.socket,
          principal,
          commands,
          listChanges,
          desks,
          limits,
        })
        lines.add(line)
        const unwatch = openLines.watch(principal, () => line.close(CLOSE.notAllowed))
        metrics.onSocket('opened')
        socket.on('close', () => {
          unwatch()
          lines.delete(line)
          metrics.onSocket('closed')
        })
      },
    })
  }

  return {
    async listen({ host, port }) {
      if (gate.mode === 'token' && !isLoopback(host)) throw new PublicAddressError(host)
      await app.listen({ host, port })
      const bound = app.server.address()
      const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port
      allowedHosts = namesOf(network, { host, port: boundPort })
      ready = true
      imports?.start()
      const onError = (error: unknown) => log.error('old uploads cannot be deleted', { error })
      stopCollecting = collectUploads({ store, clock, onError })
      return { url: urlOf(host, boundPort) }
    },
    stopAccepting() {
      ready = false
      commands.stopAccepting()
    },
    async close() {
      ready = false
      commands.stopAccepting()
      stopCollecting()
      await imports?.close()
      listChanges.close()
      openLines.close()
      for (const line of lines) line.close(CLOSE.goingAway)
      await app.close()
    },
  }
}

/** The id that a proxy gave a request, when it is one. */
function ownRequestId(given: string | readonly string[] | undefined): string | null {
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : null
}
