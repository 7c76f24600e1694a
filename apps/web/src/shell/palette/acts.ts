import type { ShortcutId } from '../../shared/keys/shortcuts.ts'
import type { PlainKey } from '../../shared/language/say.ts'
import type { FoundWords } from '../list/marked-words.tsx'

/** Something that a person can do by its name. */
export interface Act {
  readonly id: string
  readonly section: (typeof SECTIONS)[number]
  readonly name: string
  /** Other words by which it is found. */
  readonly also: string
  /** What presses it without the palette; null for none. */
  readonly shortcut: ShortcutId | null
  /** Words of a message that were found; absent for what is found by its name. */
  readonly found?: FoundWords
  readonly run: () => void
}

/** The sections in their order. Messages are found by the server, and stand below what is found here. */
export const SECTIONS = [
  'now',
  'actions',
  'conversations',
  'files',
  'settings',
  'models',
  'agents',
  'messages',
] as const

/** What the sections are called. */
export const SECTION_NAMES: Readonly<Record<Act['section'], PlainKey>> = {
  now: 'palette.now',
  actions: 'palette.actions',
  conversations: 'common.conversations',
  files: 'palette.files',
  settings: 'common.settings',
  models: 'palette.models',
  agents: 'palette.agents',
  messages: 'palette.messages',
}
