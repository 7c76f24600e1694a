import { createEngineOn, createMemories, type Engine } from '@holdfast/engine'
import { sha256, sha256Both, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'
import { createInterop } from '@holdfast/interop'
import {
  createMetrics,
  createSeal,
  createServer,
  createSettingDirectory,
  LOCAL_USER_ID,
  openVoice,
  urlOf,
} from '@holdfast/server'
import { createTerminals } from '@holdfast/terminal'
import { createWorkbench, HARMLESS_TOOLS } from '@holdfast/workbench'
import { removeServerFile, writeServerFile } from './cli/reach/server-file.ts'
import type { Config } from './config.ts'
import { openDataFolder } from './data-folder.ts'
import { endLeftExternals, openExternals } from './external/open-externals.ts'
import { importParts } from './found-logs/import-parts.ts'
import { createMcpDirectory } from './mcp/directory.ts'
import { endLeftServers, openServers } from './mcp/open-servers.ts'
import { openAgents } from './open-agents.ts'
import { openSchedules } from './open-schedules.ts'
import { openAccountsOf, openTracingTo } from './parts-on-demand.ts'
import { checkPlacesApart } from './places-apart.ts'
import { openPreviews } from './previews/open-previews.ts'
import { openGateway } from './providers/gateway-providers.ts'
import { openModels } from './providers/open-models.ts'
import { secretsOf } from './providers/provider-setup.ts'
import { silenceLimits } from './providers/silence-limits.ts'
import { openPublicMedia } from './public-internet.ts'
import { repeat } from './repeat.ts'
import { openBus } from './replicas/open-bus.ts'
import { createReplica } from './replicas/replica.ts'
import { REDIS_UNUSED } from './replicas/replica-config.ts'
import { resumeWaiting } from './resume-waiting.ts'
import { linkOf, type Running } from './running.ts'
import { secretKey } from './secret-key.ts'
import { pushPort } from './serving/push-port.ts'
import { makeStartUpToken, startUpToken } from './start-up-token.ts'
import { createStderrLog } from './stderr-log.ts'
import { openStore } from './store/open-store.ts'
import { joinDatabase } from './store/shared-database.ts'
import { createSharedReading } from './store/shared-reading.ts'
import { observedBus } from './telemetry/observed-bus.ts'
import { endLeftCommands, terminalPortsOf } from './tools/find-shell.ts'
import { VERSION } from './version.ts'
import { findWebRoot } from './web-root.ts'
import { type BehindPort, foldersLeft, tokenBehind } from './workers/behind-port.ts'
import { openWorkspaces } from './workspaces/open-workspaces.ts'
import { refusingFiles } from './workspaces/refusing-files.ts'

/** How often a shared database is asked for providers, settings and workspaces that others have changed. In milliseconds. */
const SHARED_PAUSE_MS = 7_500

/** Picks the parts, puts them together and starts to listen. `quiet` says what went wrong and nothing else. */
export async function startHoldfast(
  config: Config,
  { quiet, behind }: { readonly quiet: boolean; readonly behind: BehindPort | null },
): Promise<Running> {
  checkPlacesApart(config)
  await openDataFolder(config.dataDir)
  await openDataFolder(config.ownDir)
  const token = await startUpToken(config.dataDir)
  const startupToken = tokenBehind(token, behind)
  const keys = [...config.providers.flatMap(secretsOf), ...(config.bucket ? [config.bucket.secretAccessKey] : [])]
  /** Known when the stored providers have been read. */
  let storedKeys: () => readonly string[] = () => []
  const log = createStderrLog({
    level: quiet ? 'error' : config.logLevel,
    secrets: () => [startupToken.current(), ...keys, ...storedKeys()],
  })
  if (config.replica.redisUrl !== null && config.databaseUrl === null) log.warn(REDIS_UNUSED, {})
  const metrics = createMetrics({ ofProcess: true, clock: systemClock })
  const tracing = config.tracesTo === null ? null : await openTracingTo(config.tracesTo)
  const secret = await secretKey(config.dataDir, config.secretKey)
  const opened = await openStore(config, { clock: systemClock, log })
  const { store, records, replicas, started } = opened
  await joinDatabase(config, { records, secret, now: systemClock.now(), isServing: !quiet })
  if (replicas) metrics.watchReplicas(replicas)
  const isShared = replicas !== null
  const holder = systemIds.next('run')
  const live = await openBus(config.replica, { opened, replicaId: holder, clock: systemClock, ids: systemIds, log })
  const bus = observedBus(live.bus, (message) => {
    metrics.onMessage(message)
    externals.heard(message)
    if (tracing && message.type === 'entries') for (const entry of message.entries) tracing.observe(entry)
  })
  const { models, providers } = await openModels(config, { records, seal: createSeal(secret, 'providers'), log })
  const voice = openVoice({ records, clock: systemClock, seal: createSeal(secret, 'voice'), ask: fetch })
  let reachedAt = ''
  /** Where this process alone listens, which the others of the database are told. */
  let ownUrl = ''
  const settings = createSettingDirectory({ records, clock: systemClock, fixed: config.fixedSettings, warn: log.warn })
  const beating = { replicaId: holder, clock: systemClock, log, times: config.replicaTimes, url: () => ownUrl }
  const replica = replicas ? createReplica({ replicas, ...beating }) : null
  await settings.refresh()
  const {
    directory: workspaceDirectory,
    worktrees,
    startRoot,
    forAgents,
  } = await openWorkspaces(config, { records, log, settings: settings.now })
  const left = await foldersLeft(config, behind)
  for (const ownDir of left) await Promise.all([endLeftServers({ ownDir }, systemClock), endLeftExternals(ownDir)])
  const signIns = { seal: createSeal(secret, 'mcp-sign-ins'), url: () => reachedAt }
  const mcp = await openServers(config, { records, clock: systemClock, ...signIns })
  const memories = createMemories({ records, clock: systemClock, ids: systemIds, isShared, settings: settings.now })
  const { publicUrl, basePath } = config.network
  const page = { basePath, isSecure: publicUrl?.protocol === 'https:' }
  const accounts =
    config.auth === 'accounts'
      ? await openAccountsOf({ records, store, clock: systemClock, log, secret, startupToken, page })
      : null
  const isAdmin = (userId: string): boolean => accounts === null || accounts.people.find(userId)?.role === 'admin'
  const late = { engine: () => engine, gateway: () => gateway, settings: settings.now }
  const externals = openExternals(config, { records, secret, ...forAgents, ...late, isAdmin, log })
  storedKeys = () => [...providers.secrets(), ...voice.secrets(), ...externals.secrets()]
  const { presets, agents: ownAgents } = openAgents(config, {
    records,
    people: () => accounts?.people.list() ?? null,
    models: models.choices,
    settings: settings.now,
    machine: forAgents.machine,
  })
  const agents = externals.beside(ownAgents)
  const permissions = {
    ...config.permissions,
    rules: [...config.permissions.rules, ...HARMLESS_TOOLS],
    workspaceRoot: startRoot,
    mode: 'ask',
  } as const
  const previewed = { records, store, ...forAgents, rootOf: workspaceDirectory.rootOf, secret, startupToken, log }
  const { directory: previewDirectory, previews } = await openPreviews(config, { ...previewed, url: () => reachedAt })
  const workbench = createWorkbench({
    store,
    records,
    bus,
    clock: systemClock,
    ids: systemIds,
    engine: (): Engine => engine,
    ...forAgents,
    previews,
    schedules: () => proposals,
    dataDir: config.ownDir,
    memories,
    mcp,
    agents,
    permissions,
    settings: settings.now,
    hasAccounts: accounts !== null,
    isAdmin,
    ...externals.forWorkbench,
    node: process.execPath,
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    onFault: (error) => log.error('a command of an agent could not be ended', { error }),
  })
  const onFault = (fault: { readonly conversationId: string | null; readonly error: unknown }): void =>
    log.error('a conversation has a fault', { ...fault })
  const interop = createInterop({ bus })
  const engine = createEngineOn(
    {
      store,
      records,
      bus,
      clock: systemClock,
      ids: systemIds,
      random: systemRandom,
      sha256,
      sha256Both,
      models: () => [...models.choices(), ...externals.models()],
      onWindowLearnt: models.learnWindow,
      ...externals.portsOf({ ...workbench, toolsOf: interop.toolsOver(workbench.toolsOf) }),
      permissions,
      agents,
      presets,
      ...(accounts ? { userBudgets: accounts.budgets, people: accounts.people } : {}),
      settings: settings.now,
      autoTitles: true,
      holder,
      ...(replica ? { beats: replica.beats } : { isAlone: true }),
    },
    { onFault },
  )
  const gateway = openGateway({ engine, models, house: externals.house, log })
  const terminals = createTerminals({
    ...terminalPortsOf(config),
    onFault: (error) => log.error('a terminal has a fault', { error }),
  })
  const scheduling = { records, store, engine, bus, secret, workspaceDirectory, agents, presets, models, log }
  const { scheduler, schedules, proposals } = openSchedules(scheduling)
  const webRoot = await findWebRoot()
  if (webRoot === null) log.warn('the page is not built; only the API is served', {})
  const server = await createServer({
    engine: { ...engine, openDraft: (id) => engine.openDraft(id) ?? live.openDraft(id) },
    bus,
    store,
    records,
    memories,
    ids: systemIds,
    clock: systemClock,
    log,
    metrics,
    models: () => ({ ...models.answer(), permissionMode: permissions.mode, silence: silenceLimits(settings.now()) }),
    version: VERSION,
    serverId: holder,
    ...(replicas ? { replicas } : {}),
    storeFacts: opened.facts,
    startupToken,
    async makeStartUpToken() {
      const made = await makeStartUpToken(config.dataDir)
      behind?.tellToken(made)
      return made
    },
    ...importParts(config),
    network: config.network,
    providers,
    settings,
    agents,
    presets,
    ...(accounts ? { accounts } : {}),
    webRoot,
    terminals,
    background: workbench.background,
    workspaces: workbench.workspaceReader,
    workspaceFiles: refusingFiles(workbench.filesByHand),
    workspaceDirectory,
    worktrees,
    schedules,
    push: pushPort(config, secret),
    voice,
    externalAgents: externals.directory,
    previews: previewDirectory,
    openMedia: openPublicMedia,
    mounts: [...interop.mounts, gateway.bind],
    mcp: createMcpDirectory(mcp, { records, clock: systemClock }),
  })
  const refresh = createSharedReading(records, [providers, settings, workspaceDirectory, externals, scheduler])
  const stopAsking = isShared
    ? repeat(refresh, {
        clock: systemClock,
        pauseMs: SHARED_PAUSE_MS,
        onError: (error) => log.error('the stored providers and settings cannot be read', { error }),
      })
    : () => {}
  async function close(): Promise<void> {
    server.stopAccepting()
    stopAsking()
    if (!behind) await removeServerFile(config.dataDir)
    await scheduler.close()
    await replica?.drain(engine)
    models.close()
    await engine.close()
    await Promise.all([externals.close(), workbench.close(), mcp.close(), terminals.close(), previews.close()])
    await server.close()
    await live.close()
    await replica?.leave()
    await opened.close()
    await tracing?.close()
  }

  try {
    await refresh()
    // The data folder has one owner: whatever ran in it before this process is dead. A shared database has others.
    const ending = isShared ? Promise.resolve() : store.endLeases()
    const endCommands = async () => {
      for (const ownDir of left) await endLeftCommands({ ownDir })
    }
    await Promise.all([ending, endCommands(), models.ask(config.detectMs)])
    await replica?.start()
    await engine.recover()
    const owners = new Set([LOCAL_USER_ID, ...(accounts?.people.list() ?? []).map(({ id }) => id)])
    for (const ownerId of owners) await resumeWaiting({ store, engine, ownerId, onFault })
    await scheduler.start()
    const listened = behind ? await server.listenBehind(behind.address) : await server.listen(config)
    const reached = behind ? urlOf(behind.address.host, behind.address.port) : listened.url
    const opened = publicUrl ? `${publicUrl.origin}${basePath}` : `${reached}${basePath}`
    const told = { url: reached, opened, pid: process.pid, run: startupToken.run }
    if (!behind) await writeServerFile(config.dataDir, told)
    reachedAt = opened
    ownUrl = behind ? listened.url : opened
    started()
    gateway.listensAt(listened.url)
    const linkWith = (query: string): string => (accounts ? linkOf(accounts, opened) : `${opened}/?${query}`)
    return {
      url: reached,
      opened,
      token,
      link: linkWith(`token=${token}`),
      linkWithCode: (code) => linkWith(`code=${code}`),
      startupToken,
      take: server.take,
      outdated: replica?.outdated ?? new Promise(() => {}),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
