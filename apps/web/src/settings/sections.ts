/** The pages of the settings, in their order. */
export const SETTINGS_SECTIONS = [
  { section: 'appearance', name: 'settings.appearance', also: 'settings.also-appearance' },
  { section: 'models', name: 'settings.models-and-providers', also: 'settings.also-models' },
  { section: 'agents', name: 'settings.agents', also: 'settings.also-agents' },
  { section: 'permissions', name: 'settings.permissions', also: 'settings.also-permissions' },
  { section: 'memories', name: 'settings.memories', also: 'settings.also-memories' },
  { section: 'keyboard', name: 'settings.keyboard', also: 'settings.also-keyboard' },
  { section: 'data', name: 'settings.data', also: 'settings.also-data' },
] as const

/** One of them. */
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]['section']

/** The page of an address; the first for one that there is not. */
export function toSettingsSection(text: string): SettingsSection {
  return SETTINGS_SECTIONS.find(({ section }) => section === text)?.section ?? 'appearance'
}
