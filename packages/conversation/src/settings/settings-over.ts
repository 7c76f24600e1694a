import type { ConversationSettings } from '../entries/conversation-entries.ts'
import { SETTING_KEYS, type SettingKey, type Settings, type SomeSettings, USUAL_SETTINGS } from './settings.ts'

/** The settings of the installation: what their source says now, and the usual ones where there is none. */
export function settingsNow(source: (() => Settings) | undefined): Settings {
  return source === undefined ? USUAL_SETTINGS : source()
}

/** Settings with some of them set anew. */
export function settingsOver(below: Settings, set: SomeSettings): Settings {
  return { ...below, ...set }
}

/**
 * The settings of a conversation: its own and its agent's, which are one here, above the installation's. Two of them may
 * stand among the parameters of the model, where programs write what a provider calls by its own name.
 */
export function settingsOfConversation(installation: Settings, own: ConversationSettings): Settings {
  return settingsOver(settingsOver(installation, fromParameters(own)), setIn(own))
}

/** What of a conversation's or an agent's settings are settings of the table. */
export function setIn(own: ConversationSettings): SomeSettings {
  const set = Object.entries(own).filter(([key]) => isSettingKey(key))
  return Object.fromEntries(set)
}

/** Whether a text names a setting. */
export function isSettingKey(text: string): text is SettingKey {
  return SETTING_KEYS.some((key) => key === text)
}

function fromParameters({ parameters }: ConversationSettings): SomeSettings {
  const budget = parameters?.['thinkingBudgetTokens']
  const most = parameters?.['maxOutputTokens']
  return {
    ...(typeof budget === 'number' ? { thinking: budget } : {}),
    ...(typeof most === 'number' ? { maxOutputTokens: most } : {}),
  }
}
