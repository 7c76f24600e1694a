import { type ConversationSettings, type Settings, settingsNow, settingsOfConversation } from '@holdfast/conversation'
import type { EnginePorts } from '../api/ports.ts'

/** What holds in a conversation: its own settings and its agent's above the installation's. [WIN10] */
export function settingsOfLog(ports: Pick<EnginePorts, 'settings'>, own: ConversationSettings): Settings {
  return settingsOfConversation(settingsNow(ports.settings), own)
}
