import type { ShortcutId } from '../keys/shortcuts.ts'
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
  'Now',
  'Actions',
  'Conversations',
  'Files',
  'Settings',
  'Models',
  'Agents',
  'Messages',
] as const
