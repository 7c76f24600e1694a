import {
  type AgentInUse,
  type AgentSettings,
  type ConversationSettings,
  narrowerMode,
  permissionModeOf,
} from '@holdfast/conversation'
import type { EnginePorts } from '@holdfast/engine'
import type { AgentProgram } from './agent-programs.ts'

/** What a sub-agent begins with. */
export interface SubAgentSettings {
  readonly settings: ConversationSettings
  /** Null for one like its caller, without its instructions. */
  readonly agent: AgentInUse | null
}

/** Who is to work for whom. */
export interface SubAgentWish {
  readonly caller: ConversationSettings
  readonly agent: AgentInUse | null
  /** The program that the agent is; null for one of ours. */
  readonly program: AgentProgram | null
  /** The mode of permission where the caller's conversation has none. */
  readonly mode: EnginePorts['permissions']['mode']
}

/** What a sub-agent may do: what its caller may, or less where its own agent is set so. [AGENT4, PERM1] */
export function subAgentSettings({ caller, agent, program, mode }: SubAgentWish): SubAgentSettings {
  const { modelId, parameters, toolMode, includedTools } = caller
  const permissionMode = permissionModeOf(caller, { mode })
  const folder = placeOf(caller)
  if (agent === null) {
    const settings = {
      ...folder,
      permissionMode,
      ...(modelId === undefined ? {} : { modelId }),
      ...(parameters === undefined ? {} : { parameters }),
      ...(toolMode === undefined ? {} : { toolMode }),
      ...(includedTools === undefined ? {} : { includedTools }),
    }
    return { settings, agent }
  }
  const { settings: says } = agent
  if (program !== null) {
    const { includedTools: _, ...others } = says
    const tools = [toolMode, says.toolMode].some(isChoice) ? 'ask' : permissionMode
    const own = narrowerMode(tools, permissionModeOf(says, { mode: tools }))
    const permitted = { permissionMode: narrowerMode(permissionMode, own), toolMode: 'cached' as const }
    return { settings: folder, agent: { ...agent, settings: { ...program.settings, ...others, ...permitted } } }
  }
  const narrowed: AgentSettings = {
    ...says,
    ...toolsWithin(caller, says),
    permissionMode: narrowerMode(permissionMode, permissionModeOf(says, { mode: permissionMode })),
  }
  const namesModel = says.modelId !== undefined || modelId === undefined
  return { settings: { ...folder, ...(namesModel ? {} : { modelId }) }, agent: { ...agent, settings: narrowed } }
}

/** A sub-agent works where its caller does, in the same worktree. [WS7] */
function placeOf({ workspaceId, worktreeId, workspace }: ConversationSettings): ConversationSettings {
  return {
    ...(workspaceId === undefined ? {} : { workspaceId }),
    ...(worktreeId === undefined ? {} : { worktreeId }),
    ...(workspace === undefined ? {} : { workspace }),
  }
}

/**
 * A choice of our tools says nothing of a program's, which it could not be kept to: what a program wants to do is asked
 * about instead, whatever mode its caller is in. [AGENT60]
 */
function isChoice(toolMode: ConversationSettings['toolMode']): boolean {
  return toolMode === 'manual' || toolMode === 'all-off'
}

type ToolChoice = Pick<ConversationSettings, 'toolMode' | 'includedTools'>

/** The tools of an agent, as far as its caller has them. */
function toolsWithin(caller: ToolChoice, agent: ToolChoice): ToolChoice {
  if (agent.toolMode === 'all-off' || caller.toolMode === 'all-off') return { toolMode: 'all-off' }
  if (caller.toolMode !== 'manual') return agent.toolMode === undefined ? ownMode(caller) : {}
  // What is chosen by hand is nothing until something is.
  const includedTools = caller.includedTools ?? []
  if (agent.toolMode !== 'manual') return { toolMode: 'manual', includedTools }
  const within = new Set(includedTools)
  return { toolMode: 'manual', includedTools: (agent.includedTools ?? []).filter((name) => within.has(name)) }
}

function ownMode({ toolMode }: ToolChoice): ToolChoice {
  return toolMode === undefined ? {} : { toolMode }
}
