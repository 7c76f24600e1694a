import { ConversationSettings } from '../entries/conversation-entries.ts'
import type { Json } from '../json.ts'
import type { Projection } from '../projection.ts'

/** What is set for the conversation itself. What is absent follows the agent, then the installation. */
export const settings: Projection<ConversationSettings> = {
  name: 'settings',
  version: 1,
  initial: {},
  reduce(state, entries) {
    let next = state
    for (const entry of entries) {
      if (entry.type === 'conversation-created') next = entry.settings
      if (entry.type === 'settings-changed') next = changed(next, entry.changes)
      if (entry.type === 'agent-switched') next = { ...next, agentId: entry.agentId }
    }
    return next
  },
}

function changed(current: ConversationSettings, changes: Readonly<Record<string, Json>>): ConversationSettings {
  const merged = Object.entries({ ...current, ...changes }).filter(([, value]) => value !== null)
  return ConversationSettings.parse(Object.fromEntries(merged))
}
