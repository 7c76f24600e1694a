import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EXTERNAL_AGENT, type Records, type Settings } from '@holdfast/conversation'
import type { Engine, FactSource, LiveMessage, ModelChoice, PlaceQuery, WorkbenchPorts } from '@holdfast/engine'
import { systemClock, systemIds } from '@holdfast/engine/system'
import { createExternalAgents, type ExternalAgents } from '@holdfast/external-agent'
import { type AgentDirectory, createSeal, type Diagnostics, type ExternalAgentDirectory } from '@holdfast/server'
import { createProcessRegister } from '@holdfast/tool/process'
import type { WorkbenchDeps } from '@holdfast/workbench'
import type { Config } from '../config.ts'
import type { OwnGateway } from '../providers/gateway-providers.ts'
import { besideOwn, programOf } from './beside-own.ts'
import { createExternalDirectory, type RunningExternals } from './external-directory.ts'
import { offeredChoices } from './offered-choices.ts'
import { createStoredExternals } from './stored-externals.ts'

/** The external agents of an installation, as its other parts take them. */
export interface Externals
  extends Pick<ExternalAgents, 'house' | 'heard' | 'close'>,
    Pick<RunningExternals, 'refresh' | 'secrets'> {
  models(): readonly ModelChoice[]
  /** Which there are, and who may change that. [AGENT45] */
  readonly directory: ExternalAgentDirectory
  /** The agents that people may choose, those that are programs among them. */
  beside(own: AgentDirectory): AgentDirectory
  /** The tools of conversations that they answer, and those that a person may hand tasks to. [AGENT57] */
  readonly forWorkbench: Required<Pick<WorkbenchDeps, 'externalTools' | 'programsOf'>>
  /** What the engine has of a workbench: an agent finds out itself what the model would be told. */
  portsOf(workbench: WorkbenchPorts): WorkbenchPorts
}

/** What they are opened with. */
export interface ExternalsDeps {
  readonly records: Records
  /** Seals the values of variables. [SEC4] */
  readonly secret: Uint8Array
  readonly isAdmin: (userId: string) => boolean
  readonly places: { readonly folderOf: (query: PlaceQuery) => string | null }
  readonly engine: () => Engine
  readonly settings: () => Pick<Settings, 'agentModels'>
  /** Asked for late: it is made with the engine. */
  readonly gateway: () => Pick<OwnGateway, 'openFor' | 'openHouse' | 'reaches' | 'payers'>
  readonly log: Pick<Diagnostics, 'error' | 'warn'>
}

const GRACE_MS = 1_000

/** Finds the agents whose programs are installed, each time that they are asked for. Nothing is started or installed. [AGENT14] */
export function openExternals(
  { environment, ownDir, externalAgents }: Config,
  { records, secret, isAdmin, places, engine, settings, gateway, log }: ExternalsDeps,
): Externals {
  const directory = createExternalDirectory({
    stored: createStoredExternals({ records, seal: createSeal(secret, 'external-agents'), clock: systemClock }),
    ofFile: externalAgents,
    environment,
    test: (agent, signal) => inFolder((folder) => agents.test(agent, { folder, signal })),
    choices: (asked) =>
      offeredChoices(
        { gateway, settings, look: (of) => inFolder((folder) => agents.choices({ ...of, folder })) },
        asked,
      ),
    warn: log.warn,
  })
  const { installed } = directory

  /** Does something in an empty folder, which goes with its end. */
  async function inFolder<Value>(act: (folder: string) => Promise<Value>): Promise<Value> {
    const folder = await mkdtemp(join(emptyFolder(), 'test-'))
    try {
      return await act(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  const emptyFolder = (): string => ownFolder('external-agents')

  function ownFolder(name: string): string {
    const folder = join(ownDir, name)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  }

  const agents = createExternalAgents({
    clock: systemClock,
    environment,
    register: createProcessRegister({ folder: registerFolder(ownDir), clock: systemClock, graceMs: GRACE_MS }),
    agents: installed,
    mayUse: isAdmin,
    folderOf: places.folderOf,
    emptyFolder,
    nextCallId: () => systemIds.next('call'),
    engine,
    async openGateway({ paidBy: chosen, ...of }) {
      const paidBy = chosen ?? (settings().agentModels === 'providers' ? 'providers' : 'own')
      return paidBy === 'own' ? null : gateway().openFor({ ...of, paidBy })
    },
    openHouse: (asked) => gateway().openHouse(asked),
    settingsFolder: () => ownFolder('external-agent-settings'),
    onFault: (error) => log.error('an external agent has a fault', { error }),
  })
  return {
    house: agents.house,
    heard: (message: LiveMessage) => agents.heard(message),
    close: agents.close,
    models: agents.models,
    directory: {
      ...directory,
      change: (id, change) => directory.change(id, change).finally(agents.changed),
      async remove(id) {
        await directory.remove(id)
        agents.removed(id)
      },
    },
    refresh: () => directory.refresh().finally(agents.changed),
    secrets: directory.secrets,
    forWorkbench: {
      externalTools: agents.toolsOf,
      programsOf: (userId) => (isAdmin(userId) ? installed().map(programOf) : []),
    },
    beside: (own) => besideOwn(own, { installed, isAdmin }),
    portsOf: (workbench) => ({
      toolsOf: workbench.toolsOf,
      instructionsOf: workbench.instructionsOf,
      workspaceOf: workbench.workspaceOf,
      strangersFiles: workbench.strangersFiles,
      changesLeftBy: workbench.changesLeftBy,
      changeReviewer: workbench.changeReviewer,
      facts: workbench.facts.map(forModels),
    }),
  }
}

/** Ends agents that outlived a Holdfast which was killed. [RUN14] */
export async function endLeftExternals(ownDir: string): Promise<void> {
  await createProcessRegister({ folder: registerFolder(ownDir), clock: systemClock, graceMs: GRACE_MS }).endLeftOver()
}

/** What an agent that is a program does not find out itself. [AGENT44] */
const TOLD_TO_AGENTS: ReadonlySet<FactSource['section']> = new Set(['canvas', 'memories', 'schedules'])

/** Time, folder and map are known to an agent that is a program; the rest it is told when a turn begins, for nothing reaches it in one. */
function forModels(source: FactSource): FactSource {
  return {
    ...source,
    async textNow(at) {
      if (!at.state.settings.agentId?.startsWith(EXTERNAL_AGENT)) return source.textNow(at)
      if (!TOLD_TO_AGENTS.has(source.section)) return null
      return at.stepCount === 0 ? source.textNow(at) : (at.noted?.text ?? null)
    },
  }
}

function registerFolder(ownDir: string): string {
  return join(ownDir, 'external-agent-processes')
}
