import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import websocket from '@fastify/websocket'
import { CLOSE, SOCKET_PATH } from '@holdfast/protocol'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { type ApiDeps, bindApi } from './api.ts'
import { isLoopback, PublicAddressError, urlOf } from './door/addresses.ts'
import { HEAD_LIMITS, LONGEST_ARRIVAL_MS, limitArrival, parserOptions } from './door/arrival-limit.ts'
import { answerProblem, noteCaller, toIncomingRequest } from './door/bind-route.ts'
import { createLines } from './door/lines.ts'
import { namesOf, OWN_ADDRESS_ONLY, serverOptions } from './door/network.ts'
import { isProbeUrl } from './door/probes.ts'
import { createLimiter, RATE_LIMITS } from './door/rate-limits.ts'
import { checkRequestOrigin, checkTarget } from './door/request-origin.ts'
import { securityHeaders } from './door/security-headers.ts'
import { createTokenGate } from './door/token-gate.ts'
import { openImports } from './imports/imports.ts'
import { createSourceFolder } from './imports/source-folder.ts'
import { LINE_LIMITS } from './live/outlet.ts'
import { serveSocket } from './live/serve-socket.ts'
import type { SocketLine } from './live/socket-line.ts'
import { watchTerminals } from './live/watch-terminals.ts'
import { createAttachments } from './parts/attachments.ts'
import { collectUploads } from './parts/collect-uploads.ts'
import { createDesks } from './parts/desks.ts'
import type { ErasedIn } from './parts/erasures.ts'
import { createListChanges } from './parts/list-changes.ts'
import { createMetrics } from './parts/metrics.ts'
import { createOwnerCheck } from './parts/owner-check.ts'
import { checkScope, type Principal } from './parts/principal.ts'
import { createStorage } from './parts/storage.ts'
import { STORAGE_LIMITS } from './parts/storage-limits.ts'
import { RefusedError } from './parts/to-problem.ts'
import { createUserCommands } from './parts/user-commands.ts'
import { createPreviewWatch } from './previews/preview-watch.ts'
import { openPushes } from './push/open-pushes.ts'
import { bindAccounts } from './routes/account-routes.ts'
import { bindAdministration } from './routes/administration-routes.ts'
import { bindAgents } from './routes/agent-routes.ts'
import { bindMetrics, watchRequests } from './routes/bind-metrics.ts'
import { bindDocsSite } from './routes/docs-site.ts'
import { bindDoor } from './routes/door-routes.ts'
import { bindExternalAgents } from './routes/external-agent-routes.ts'
import { bindMcp, resourceReader } from './routes/mcp-routes.ts'
import { asksForPage, sendNotFoundPage } from './routes/not-found-page.ts'
import { bindPage } from './routes/page.ts'
import { bindPresets } from './routes/preset-routes.ts'
import { bindPreviews } from './routes/preview-routes.ts'
import { bindProviders } from './routes/provider-routes.ts'
import { bindPushes } from './routes/push-routes.ts'
import { createPointedAt } from './routes/reading/read-pointed-at.ts'
import { bindSchedules } from './routes/schedule-routes.ts'
import { bindSettings } from './routes/setting-routes.ts'
import { bindTerminals } from './routes/terminal-routes.ts'
import { bindVoice } from './routes/voice-routes.ts'
import { createWorkInWorktree } from './routes/work-in-worktree.ts'
import { bindWorkspaceFiles } from './routes/workspace-file-routes.ts'
import { bindWorkspace } from './routes/workspace-routes.ts'
import { bindWorktrees } from './routes/worktree-routes.ts'
import type { Address, Server, ServerDeps } from './server-deps.ts'

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
  const workInWorktree = createWorkInWorktree(deps)
  const commands = createUserCommands({ ...deps, listChanges, attachments, desks, onErased, workInWorktree })

  const pushes = openPushes(deps, desks)
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
    if (!isProbeUrl(routeOptions.url)) checkRequestOrigin(place, toIncomingRequest(request))
  })
  watchRequests(app, { metrics, log })
  app.setErrorHandler((error, _request, reply) => answerProblem(reply, error, log))
  app.setNotFoundHandler((request, reply) => {
    if (asksForPage(request)) return sendNotFoundPage(reply, network.basePath)
    const { method, url } = request
    return answerProblem(reply, new RefusedError(404, 'not-found', `There is no ${method} ${url.split('?')[0]}`), log)
  })
  const limiter = await createLimiter(app, {
    ...deps,
    limits: deps.accounts ? (deps.rateLimits ?? RATE_LIMITS) : null,
    replicas: deps.replicas ?? null,
  })
  const binding = { app, gate, lines: openLines, limiter, checkOwner: createOwnerCheck(commands, store) }
  const { checkAccepting } = commands
  const whenErased: ApiDeps['whenErased'] = (forget) => void forgetting.add(forget)
  const asked = { limits, imports, openMedia: deps.openMedia ?? null, checkAccepting, isReady: () => ready, whenErased }
  const api: ApiDeps = { ...deps, ...binding, commands, attachments, desks, ...asked }
  bindApi(api)
  bindMetrics({ ...api, metrics })
  bindAdministration({ ...deps, ...binding, metrics })
  bindAccounts({ ...deps, ...binding, accounts: deps.accounts ?? null, clock })
  bindDoor({ ...deps, ...binding, makeStartUpToken: deps.makeStartUpToken ?? null, accounts: deps.accounts ?? null })
  bindAgents({ ...binding, agents: deps.agents ?? null, store: deps.store })
  bindPresets({ ...binding, presets: deps.presets ?? null })
  bindProviders({ ...binding, providers: deps.providers ?? null })
  bindMcp({ ...binding, mcp, accounts: deps.accounts ?? null })
  bindSettings({ ...binding, settings: deps.settings ?? null })
  bindWorkspace({ ...deps, ...binding, commands })
  bindTerminals({ ...deps, ...binding, whenErased })
  const stopTerminalWatch = watchTerminals({
    ...deps,
    terminals: deps.terminals ?? null,
    accounts: deps.accounts ?? null,
  })
  bindSchedules({ ...deps, ...binding, desks, schedules: deps.schedules ?? null, onRead: listChanges.changed })
  bindPushes({ ...binding, pushes })
  bindVoice({ ...binding, voice: deps.voice ?? null })
  bindExternalAgents({ ...binding, externalAgents: deps.externalAgents ?? null, log })
  bindWorkspaceFiles({ ...deps, ...binding, commands, files: deps.workspaceFiles ?? null })
  bindWorktrees({ ...deps, ...binding, worktrees: deps.worktrees ?? null })
  bindPreviews({ ...deps, ...binding, previews: deps.previews ?? null, watch: previewWatch })
  for (const mount of deps.mounts ?? []) mount(api)
  bindSocket(app)
  await bindPage({ app, gate, network, webRoot: deps.webRoot })
  await bindDocsSite(app, deps.webRoot)

  function bindSocket(routed: FastifyInstance): void {
    const callers = new WeakMap<FastifyRequest, Principal>()
    routed.route({
      method: 'GET',
      url: SOCKET_PATH,
      onRequest: async (request, reply) => {
        await limiter.count({ path: SOCKET_PATH }, request, reply)
        const principal = await gate.principalOf(toIncomingRequest(request))
        noteCaller(request, principal)
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
          terminalParts: deps,
          limits,
        })
        lines.add(line)
        const unwatch = openLines.watch(principal, () =>
          line.close(gate.mayComeBack(principal) ? CLOSE.goingAway : CLOSE.notAllowed),
        )
        metrics.onSocket('opened')
        socket.on('close', () => {
          unwatch()
          lines.delete(line)
          metrics.onSocket('closed')
        })
      },
    })
  }

  function checkAddress({ host }: Address): void {
    if (gate.mode === 'token' && !isLoopback(host)) throw new PublicAddressError(host)
  }

  /** @returns where it listens. */
  async function listenAt({ host, port }: Address): Promise<Address> {
    await app.listen({ host, port })
    const bound = app.server.address()
    return { host, port: typeof bound === 'object' && bound !== null ? bound.port : port }
  }

  function begin(names: ReadonlySet<string>): void {
    allowedHosts = names
    ready = true
    imports?.start()
    const onError = (error: unknown) => log.error('old uploads cannot be deleted', { error })
    stopCollecting = collectUploads({ store, clock, onError })
  }

  return {
    async listen(address) {
      checkAddress(address)
      const bound = await listenAt(address)
      begin(namesOf(network, bound))
      return { url: urlOf(bound.host, bound.port) }
    },
    async listenBehind(shared) {
      checkAddress(shared)
      const own = await listenAt({ host: '127.0.0.1', port: 0 })
      begin(new Set([...namesOf(network, shared), ...namesOf(OWN_ADDRESS_ONLY, own)]))
      return { url: urlOf(own.host, own.port) }
    },
    take: (line) => void app.server.emit('connection', line),
    stopAccepting() {
      ready = false
      commands.stopAccepting()
    },
    async close() {
      ready = false
      commands.stopAccepting()
      stopCollecting()
      stopTerminalWatch()
      await imports?.close()
      listChanges.close()
      pushes?.close()
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
