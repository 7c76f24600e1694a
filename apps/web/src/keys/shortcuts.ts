import type { Preferences } from '../preferences/preferences.ts'

/** What a chord does anywhere in the page. */
export type ShortcutId =
  | 'palette'
  | 'search'
  | 'new-conversation'
  | 'stop'
  | 'focus-composer'
  | 'toggle-list'
  | 'toggle-inspector'
  | 'next-region'
  | 'previous-region'
  | 'keyboard-help'
  | 'settings'
  | 'copy-code'

/** A chord with its use. */
export interface Shortcut {
  readonly id: ShortcutId
  readonly name: string
  /** Where nothing else was chosen. */
  readonly chord: string
}

/** All of them, in the order of the help. */
export const SHORTCUTS: readonly Shortcut[] = [
  { id: 'palette', name: 'Command palette', chord: 'Mod+K' },
  { id: 'search', name: 'Search conversations and messages', chord: 'Mod+Shift+F' },
  { id: 'new-conversation', name: 'New conversation', chord: 'Mod+Shift+O' },
  { id: 'stop', name: 'Stop', chord: 'Mod+.' },
  { id: 'focus-composer', name: 'Write a message', chord: 'Shift+Escape' },
  { id: 'toggle-list', name: 'Show or hide the list', chord: 'Mod+B' },
  { id: 'toggle-inspector', name: 'Show or hide the inspector', chord: 'Mod+J' },
  { id: 'next-region', name: 'Next part of the page', chord: 'F6' },
  { id: 'previous-region', name: 'Previous part of the page', chord: 'Shift+F6' },
  { id: 'copy-code', name: 'Copy the last block of code', chord: 'Mod+Shift+:' },
  { id: 'keyboard-help', name: 'Keys', chord: 'Mod+/' },
  { id: 'settings', name: 'Settings', chord: 'Mod+,' },
]

/** Keys that stay where they are, with what they do and where. */
export const FIXED_KEYS: readonly {
  readonly keys: readonly string[]
  readonly name: string
  readonly where: string
}[] = [
  { keys: ['Enter'], name: 'Send, or queue while an answer is written', where: 'Message field' },
  { keys: ['Shift+Enter'], name: 'New line', where: 'Message field' },
  { keys: ['Mod+Enter'], name: 'Stop, then send', where: 'Message field' },
  { keys: ['Alt+Enter'], name: 'Join the running turn', where: 'Message field' },
  { keys: ['Escape'], name: 'Close what is open, or stop the answer', where: 'Conversation' },
  { keys: ['Mod+Alt+Enter'], name: 'Allow the oldest request once', where: 'Conversation' },
  { keys: ['Mod+Alt+Backspace'], name: 'Deny the oldest request', where: 'Conversation' },
  { keys: ['J', 'K'], name: 'Next and previous message', where: 'A message' },
  { keys: ['C'], name: 'Copy it', where: 'A message' },
  { keys: ['E'], name: 'Edit it', where: 'A message of yours' },
  { keys: ['R'], name: 'Retry', where: 'A reply' },
  { keys: ['B'], name: 'Branch from here', where: 'A reply' },
  { keys: ['[', ']'], name: 'Previous and next branch', where: 'A message with branches' },
  { keys: ['ArrowUp', 'ArrowDown'], name: 'Move', where: 'List of conversations' },
  { keys: ['F2'], name: 'Rename', where: 'List of conversations' },
  { keys: ['Delete'], name: 'Archive', where: 'List of conversations' },
]

type Chosen = Pick<Preferences, 'chords' | 'hasShortcuts'>

/** The chord of a shortcut, as it was chosen. */
export function chordFor(id: ShortcutId, { chords }: Pick<Preferences, 'chords'>): string {
  return chords[id] ?? SHORTCUTS.find((shortcut) => shortcut.id === id)?.chord ?? ''
}

/** What a chord does; null where it does nothing, or all are off. Stop works always. */
export function shortcutOf(chord: string, chosen: Chosen): ShortcutId | null {
  const found = SHORTCUTS.find(({ id }) => chordFor(id, chosen) === chord)?.id ?? null
  return chosen.hasShortcuts || found === 'stop' ? found : null
}

/** Which other shortcut has a chord already. */
export function holderOf(chord: string, id: ShortcutId, chosen: Chosen): Shortcut | null {
  return SHORTCUTS.find((other) => other.id !== id && chordFor(other.id, chosen) === chord) ?? null
}
