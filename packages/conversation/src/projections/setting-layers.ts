import { DEFAULT_AGENT_ID } from '../canvas/canvas.ts'
import type { AgentSettings } from '../entries/agent-entries.ts'
import { ConversationSettings } from '../entries/conversation-entries.ts'
import type { EntryOf } from '../entry.ts'
import type { Json } from '../json.ts'
import type { Projection } from '../projection.ts'

/** The agent of a conversation with no agent of its own: it sets nothing, and cannot be changed or deleted. */
export const DEFAULT_AGENT = { agentId: DEFAULT_AGENT_ID, name: 'Holdfast' } as const

/** An agent as a conversation has it: frozen when it was chosen. */
export interface AgentInUse {
  readonly agentId: string
  readonly name: string
  /** An emoji or initials; null for none. */
  readonly avatar: string | null
  /** Null for an agent that never changes. */
  readonly version: number | null
  readonly settings: AgentSettings
}

/** What is set for a conversation, and by whom. */
export interface SettingLayers {
  /** What is set for the conversation itself. */
  readonly own: ConversationSettings
  /** Null where none was ever chosen. */
  readonly agent: AgentInUse | null
}

/** The settings of a conversation in layers: its own stand above those of its agent. */
export const settingLayers: Projection<SettingLayers> = {
  name: 'setting-layers',
  version: 1,
  initial: { own: {}, agent: null },
  reduce(state, entries) {
    let { own, agent } = state
    for (const entry of entries) {
      if (entry.type === 'conversation-created') own = entry.settings
      if (entry.type === 'settings-changed') own = changed(own, entry.changes)
      if (entry.type !== 'agent-switched') continue
      agent = agentOf(entry)
      own = keptBeside(agent, own)
    }
    return own === state.own && agent === state.agent ? state : { own, agent }
  },
}

/**
 * The settings that hold: the conversation's own, else the agent's. What is absent follows the installation. An agent
 * without a memory is told none, whatever the conversation says.
 */
export function settingsInForce({ own, agent }: SettingLayers): ConversationSettings {
  if (agent === null) return own
  const held = { ...agent.settings, ...own, agentId: agent.agentId, ...answersItself(agent) }
  // An agent that is told no memories is told none here either, whatever the conversation says.
  return agent.settings.memories === 'off' ? { ...held, memories: 'off' } : held
}

/** Ids of agents that are programs of their own begin so. [AGENT1] */
export const EXTERNAL_AGENT = 'external:'

/** An external agent is its own model with its own tools, whatever else is set for the conversation. [AGENT1] */
function answersItself({ agentId, settings: { modelId } }: AgentInUse): ConversationSettings {
  if (!agentId.startsWith(EXTERNAL_AGENT) || modelId === undefined) return {}
  return { modelId, toolMode: 'cached' }
}

/** The agent that an entry brought. */
export function agentOf(entry: Omit<EntryOf<'agent-switched'>, 'seq' | 'at' | 'v' | 'conversationId'>): AgentInUse {
  const { agentId, agentName, avatar, version, settings } = entry
  return { agentId, name: agentName, avatar: avatar ?? null, version: version ?? null, settings: settings ?? {} }
}

/** Modes of permission, the narrowest first. */
const MODES = ['plan', 'ask', 'accept-edits', 'sandboxed', 'bypass'] as const

type Mode = NonNullable<ConversationSettings['permissionMode']>

/** The mode that permits less. */
export function narrowerMode(one: Mode, other: Mode): Mode {
  return MODES.indexOf(one) <= MODES.indexOf(other) ? one : other
}

/**
 * What of a conversation's own settings outlives a switch. Instructions and tools are the new agent's own; a model and
 * its parameters stay unless the agent names some; a mode stays unless the agent's is narrower. [AGENT4]
 */
function keptBeside({ settings }: AgentInUse, own: ConversationSettings): ConversationSettings {
  const { agentId, instructions, toolMode, includedTools, modelId, parameters, permissionMode, ...rest } = own
  // What was chosen of one external agent means nothing to another.
  const { externalMode, externalModel, paidBy, ...others } = rest
  const namesModel = settings.modelId !== undefined || settings.parameters !== undefined
  const agentMode = settings.permissionMode
  const isWithin = (mode: Mode): boolean => agentMode === undefined || narrowerMode(mode, agentMode) === mode
  const keepsMode = permissionMode !== undefined && isWithin(permissionMode)
  return {
    ...others,
    ...(namesModel || modelId === undefined ? {} : { modelId }),
    ...(namesModel || parameters === undefined ? {} : { parameters }),
    ...(keepsMode ? { permissionMode } : {}),
  }
}

function changed(current: ConversationSettings, changes: Readonly<Record<string, Json>>): ConversationSettings {
  const merged = Object.entries({ ...current, ...changes }).filter(([, value]) => value !== null)
  return ConversationSettings.parse(Object.fromEntries(merged))
}
