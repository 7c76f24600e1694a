import type { ShortcutId } from '../keys/shortcuts.ts'

/** Something that a person can do by its name. */
export interface Act {
  readonly id: string
  readonly section: 'Now' | 'Actions' | 'Conversations' | 'Models' | 'Settings'
  readonly name: string
  /** Other words by which it is found. */
  readonly also: string
  /** What presses it without the palette; null for none. */
  readonly shortcut: ShortcutId | null
  readonly run: () => void
}

/** The sections in their order. */
export const SECTIONS = [
  'Now',
  'Actions',
  'Conversations',
  'Models',
  'Settings',
] as const satisfies readonly Act['section'][]
