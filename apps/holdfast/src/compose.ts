import { join } from 'node:path'
import { createEngineOn, createInProcessBus, createTimeFact, createWorkspaceFact, type Engine } from '@holdfast/engine'
import { sha256, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'
import { bindAiSdk } from '@holdfast/interop'
import { HTTP_LIMITS } from '@holdfast/provider'
import { createDemoModel } from '@holdfast/provider/demo'
import { createServer, LOCAL_USER_ID } from '@holdfast/server'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { removeServerFile, writeServerFile } from './cli/server-file.ts'
import type { Config } from './config.ts'
import { openDataFolder } from './data-folder.ts'
import { localSetups } from './providers/detect-local.ts'
import { createModelRegistry } from './providers/model-registry.ts'
import { resumeWaiting } from './resume-waiting.ts'
import { startUpToken } from './start-up-token.ts'
import { createStderrLog } from './stderr-log.ts'
import { createAllowedWorkspace } from './tools/allowed-workspace.ts'
import { commandsOf, describeShell, endLeftCommands, findShell } from './tools/find-shell.ts'
import { createToolSets } from './tools/tool-sets.ts'
import { VERSION } from './version.ts'
import { findWebRoot } from './web-root.ts'

/** Tools that read the conversation itself and nothing else: asking about them protects nobody. */
const HARMLESS_TOOLS = ['todo', 'read_result'].map(
  (tool) => ({ id: `built-in:${tool}`, effect: 'allow', tool }) as const,
)

/** A running Holdfast. */
export interface Running {
  readonly url: string
  readonly token: string
  /** Refuses new work, ends what runs and writes it down, says goodbye, closes. */
  close(): Promise<void>
}

/** Picks the parts, puts them together and starts to listen. `quiet` says what went wrong and nothing else. */
export async function startHoldfast(config: Config, { quiet }: { readonly quiet: boolean }): Promise<Running> {
  const log = createStderrLog({ quiet })
  const allowed = createAllowedWorkspace(config.workspace)
  await openDataFolder(config.dataDir)
  const token = await startUpToken(config.dataDir)
  const {
    store,
    records,
    close: closeStore,
  } = await createSqliteStore({
    dataDir: join(config.dataDir, 'store'),
    clock: systemClock,
    onDamage: (damage) => log.error('the store is damaged', { ...damage }),
  })
  const bus = createInProcessBus()
  const models = createModelRegistry({
    setups: config.providers,
    local: config.detect ? localSetups(config.providers, HTTP_LIMITS) : [],
    defaultModelId: config.defaultModelId,
    demo: createDemoModel({ clock: systemClock, ids: systemIds }),
    clock: systemClock,
    ports: { ids: systemIds },
    warn: log.warn,
  })
  const holder = systemIds.next('run')
  const machine = config.workspace === null ? null : await findShell(config, commandsOf(config))
  if (machine) log.info('agents may use the workspace', { folder: allowed.folderOf({}), shell: describeShell(machine) })
  const tools = createToolSets({
    store,
    bus,
    clock: systemClock,
    ids: systemIds,
    engine: (): Engine => engine,
    allowed,
    machine,
    onFault: (error) => log.error('a command of an agent could not be ended', { error }),
  })
  const permissions = {
    ...config.permissions,
    rules: [...config.permissions.rules, ...HARMLESS_TOOLS],
    workspaceRoot: allowed.folderOf({}),
    mode: 'ask',
  } as const
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const engine = createEngineOn(
    {
      store,
      records,
      bus,
      clock: systemClock,
      ids: systemIds,
      random: systemRandom,
      sha256,
      models: models.choices,
      toolsOf: tools.toolsOf,
      workspaceOf: tools.workspaceOf,
      fileChanges: tools.fileChanges,
      permissions,
      facts: [createTimeFact({ timeZone }), createWorkspaceFact({ workspaceOf: tools.workspaceOf, permissions })],
      autoTitles: true,
      holder,
    },
    { onFault: ({ conversationId, error }) => log.error('a run ended by a fault', { conversationId, error }) },
  )
  const webRoot = await findWebRoot()
  if (webRoot === null) log.warn('the page is not built; only the API is served', {})
  const server = await createServer({
    engine,
    bus,
    store,
    records,
    ids: systemIds,
    clock: systemClock,
    log,
    models: models.answer,
    version: VERSION,
    serverId: holder,
    startupToken: token,
    importsFolder: join(config.dataDir, 'imports'),
    webRoot,
    mounts: [bindAiSdk],
  })

  async function close(): Promise<void> {
    server.stopAccepting()
    await removeServerFile(config.dataDir)
    models.close()
    await engine.close()
    await tools.close()
    await server.close()
    await closeStore()
  }

  try {
    // The data folder has one owner: whatever ran in it before this process is dead.
    await Promise.all([store.endLeases(), endLeftCommands(config), models.ask(config.detectMs)])
    await engine.recover()
    await resumeWaiting({ store, engine, ownerId: LOCAL_USER_ID })
    const { url } = await server.listen({ host: config.host, port: config.port })
    await writeServerFile(config.dataDir, { url, pid: process.pid })
    return { url, token, close }
  } catch (error) {
    await close()
    throw error
  }
}
