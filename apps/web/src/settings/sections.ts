/** The pages of the settings, in their order. */
export const SETTINGS_SECTIONS = [
  { section: 'appearance', name: 'Appearance', also: 'theme dark light contrast text size motion direction' },
  { section: 'models', name: 'Models and providers', also: 'default key price window connect anthropic openai ollama' },
  { section: 'agents', name: 'Agents', also: 'instructions prompt persona share starters' },
  { section: 'permissions', name: 'Permissions', also: 'rules allow deny revoke always' },
  { section: 'memories', name: 'Memories', also: 'remember forget facts about me' },
  { section: 'keyboard', name: 'Keyboard', also: 'keys shortcuts chords' },
  { section: 'data', name: 'Data', also: 'export import erase archive delete' },
] as const

/** One of them. */
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]['section']

/** The page of an address; the first for one that there is not. */
export function toSettingsSection(text: string): SettingsSection {
  return SETTINGS_SECTIONS.find(({ section }) => section === text)?.section ?? 'appearance'
}
