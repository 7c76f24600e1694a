import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { EXTERNAL_AGENT } from '@holdfast/conversation'
import type { Engine, FactSource, LiveMessage, ModelChoice, PlaceQuery, WorkbenchPorts } from '@holdfast/engine'
import { systemClock, systemIds } from '@holdfast/engine/system'
import { createExternalAgents, type ExternalAgents, KNOWN_AGENTS, type KnownAgent } from '@holdfast/external-agent'
import type { AgentDirectory, Diagnostics } from '@holdfast/server'
import { createProcessRegister } from '@holdfast/tool/process'
import type { Config } from '../config.ts'
import { besideOwn } from './beside-own.ts'

/** The external agents of an installation, as its other parts take them. */
export interface Externals extends Pick<ExternalAgents, 'toolsOf' | 'heard' | 'close'> {
  models(): readonly ModelChoice[]
  /** The agents that people may choose, those that are programs among them. */
  beside(own: AgentDirectory): AgentDirectory
  /** What the engine has of a workbench: an agent finds out itself what the model would be told. */
  portsOf(workbench: WorkbenchPorts): WorkbenchPorts
}

/** What they are opened with. */
export interface ExternalsDeps {
  readonly isAdmin: (userId: string) => boolean
  readonly folderOf: (query: PlaceQuery) => string | null
  readonly engine: () => Engine
  readonly log: Pick<Diagnostics, 'error'>
}

const GRACE_MS = 1_000

/** Finds the known agents whose programs are installed, each time that they are asked for. Nothing is started or installed. [AGENT14] */
export function openExternals(
  { environment, ownDir }: Config,
  { isAdmin, folderOf, engine, log }: ExternalsDeps,
): Externals {
  const installed = (): readonly KnownAgent[] => {
    const path = environment['PATH'] ?? ''
    return KNOWN_AGENTS.filter(({ command }) => isOnPath(command, path))
  }
  const agents = createExternalAgents({
    clock: systemClock,
    environment,
    register: createProcessRegister({ folder: registerFolder(ownDir), clock: systemClock, graceMs: GRACE_MS }),
    agents: installed,
    mayUse: isAdmin,
    folderOf,
    emptyFolder() {
      const folder = join(ownDir, 'external-agents')
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return folder
    },
    nextCallId: () => systemIds.next('call'),
    engine,
    onFault: (error) => log.error('an external agent has a fault', { error }),
  })
  return {
    toolsOf: agents.toolsOf,
    heard: (message: LiveMessage) => agents.heard(message),
    close: agents.close,
    models: agents.models,
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

/** Time, folder and map are known to an agent that is a program. */
function forModels(source: FactSource): FactSource {
  return {
    ...source,
    async textNow(at) {
      return at.state.settings.agentId?.startsWith(EXTERNAL_AGENT) ? null : source.textNow(at)
    },
  }
}

function registerFolder(ownDir: string): string {
  return join(ownDir, 'external-agent-processes')
}

function isOnPath(command: string, path: string): boolean {
  return path.split(delimiter).some((folder) => folder !== '' && isProgram(join(folder, command)))
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}
