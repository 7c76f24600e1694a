import {
  type AgentInUse,
  type AgentSettings,
  type ConversationSettings,
  narrowerMode,
  permissionModeOf,
} from '@holdfast/conversation'
import type { EnginePorts } from '@holdfast/engine'

/** What a sub-agent begins with. */
export interface SubAgentSettings {
  readonly settings: ConversationSettings
  /** Null for one like its caller, without its instructions. */
  readonly agent: AgentInUse | null
}

/**
 * What a sub-agent may do: what its caller may, or less where its own agent is set so. [AGENT4, PERM1]
 *
 * @param mode - the mode of permission where the caller's conversation has none.
 */
export function subAgentSettings(
  caller: ConversationSettings,
  agent: AgentInUse | null,
  mode: EnginePorts['permissions']['mode'],
): SubAgentSettings {
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
