import * as z from 'zod'
import { entryOf } from '../envelope.ts'
import { ownSettingFields } from '../settings/settings.ts'
import { ConversationSettings } from './conversation-entries.ts'

/** What an agent sets for the conversations that it answers in. A setting that is absent follows the installation. */
export const AgentSettings = z.object({
  ...ConversationSettings.pick({
    modelId: true,
    parameters: true,
    instructions: true,
    toolMode: true,
    includedTools: true,
    permissionMode: true,
    memories: true,
  }).shape,
  ...ownSettingFields,
})
export type AgentSettings = z.infer<typeof AgentSettings>

/**
 * Another agent answers from here on, the first one included. What it sets is frozen here: a later change of the agent,
 * or its deletion, changes nothing in this log. [AGENT4, REQ1]
 */
export const AgentSwitched = entryOf('agent-switched', {
  agentId: z.string().min(1),
  agentName: z.string(),
  /** An emoji or initials, as they were then. */
  avatar: z.string().max(32).exactOptional(),
  /** Which version of the agent was chosen; absent for one that never changes. */
  version: z.int().positive().exactOptional(),
  /** What it set then; absent for an agent that sets nothing. */
  settings: AgentSettings.exactOptional(),
})
