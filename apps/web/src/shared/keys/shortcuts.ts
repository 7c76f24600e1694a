import type { PlainKey } from '../language/say.ts'
import type { Preferences } from '../preferences/preferences.ts'

/** What a chord does anywhere in the page. */
export type ShortcutId =
  | 'palette'
  | 'search'
  | 'find'
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
  /** What it does. */
  readonly name: PlainKey
  /** Where nothing else was chosen. */
  readonly chord: string
}

/** All of them, in the order of the help. */
export const SHORTCUTS: readonly Shortcut[] = [
  { id: 'palette', name: 'keys.command-palette', chord: 'Mod+K' },
  { id: 'search', name: 'keys.search-conversations-and-messages', chord: 'Mod+Shift+F' },
  { id: 'find', name: 'find.in-conversation', chord: 'Mod+F' },
  { id: 'new-conversation', name: 'common.new-conversation', chord: 'Mod+Shift+O' },
  { id: 'stop', name: 'common.stop', chord: 'Mod+.' },
  { id: 'focus-composer', name: 'keys.write-a-message', chord: 'Shift+Escape' },
  { id: 'toggle-list', name: 'keys.show-or-hide-the-list', chord: 'Mod+B' },
  { id: 'toggle-inspector', name: 'keys.show-or-hide-the-inspector', chord: 'Mod+J' },
  { id: 'next-region', name: 'keys.next-part-of-the-page', chord: 'F6' },
  { id: 'previous-region', name: 'keys.previous-part-of-the-page', chord: 'Shift+F6' },
  { id: 'copy-code', name: 'keys.copy-the-last-block-of', chord: 'Mod+Shift+:' },
  { id: 'keyboard-help', name: 'keys.keys', chord: 'Mod+/' },
  { id: 'settings', name: 'common.settings', chord: 'Mod+,' },
]

/** Keys that stay where they are, with what they do and where. */
export const FIXED_KEYS: readonly {
  readonly keys: readonly string[]
  readonly name: PlainKey
  readonly where: PlainKey
}[] = [
  { keys: ['Enter'], name: 'keys.send-or-queue-while-an', where: 'keys.message-field' },
  { keys: ['Shift+Enter'], name: 'keys.new-line', where: 'keys.message-field' },
  { keys: ['Mod+Enter'], name: 'keys.stop-then-send', where: 'keys.message-field' },
  { keys: ['Alt+Enter'], name: 'keys.join-the-running-turn', where: 'keys.message-field' },
  { keys: ['ArrowUp'], name: 'keys.edit-the-last-queued', where: 'keys.message-field' },
  { keys: ['Escape'], name: 'keys.close-what-is-open-or', where: 'common.conversation' },
  { keys: ['Mod+Alt+Enter'], name: 'keys.allow-the-oldest-request-once', where: 'common.conversation' },
  { keys: ['Mod+Alt+Backspace'], name: 'keys.deny-the-oldest-request', where: 'common.conversation' },
  { keys: ['J', 'K'], name: 'keys.next-and-previous-message', where: 'keys.a-message' },
  { keys: ['C'], name: 'keys.copy-it', where: 'keys.a-message' },
  { keys: ['E'], name: 'keys.edit-it', where: 'keys.a-message-of-yours' },
  { keys: ['R'], name: 'keys.retry', where: 'keys.a-reply' },
  { keys: ['B'], name: 'keys.branch-from-here', where: 'keys.a-reply' },
  { keys: ['[', ']'], name: 'keys.previous-and-next-branch', where: 'keys.a-message-with-branches' },
  { keys: ['ArrowUp', 'ArrowDown'], name: 'keys.move', where: 'keys.list-of-conversations' },
  { keys: ['F2'], name: 'common.rename', where: 'keys.list-of-conversations' },
  { keys: ['Delete'], name: 'keys.archive', where: 'keys.list-of-conversations' },
]

type Chosen = Pick<Preferences, 'chords' | 'hasShortcuts'>

/** The chord of a shortcut, as it was chosen. */
export function chordFor(id: ShortcutId, { chords }: Pick<Preferences, 'chords'>): string {
  return chords[id] ?? SHORTCUTS.find((shortcut) => shortcut.id === id)?.chord ?? ''
}

/** What a chord does; null where it does nothing, or all are off. Stop works always. */
export function shortcutOf(chord: string, chosen: Chosen): ShortcutId | null {
  // Where a sign is written with Shift, as the slash is in German, Shift is no part of the chord.
  const unshifted = chord.replace(/Shift\+([^\p{L}\p{N}])$/u, '$1')
  const held = (asked: string): ShortcutId | null =>
    SHORTCUTS.find(({ id }) => chordFor(id, chosen) === asked)?.id ?? null
  const found = held(chord) ?? held(unshifted)
  return chosen.hasShortcuts || found === 'stop' ? found : null
}

/** Which other shortcut has a chord already. */
export function holderOf(chord: string, id: ShortcutId, chosen: Chosen): Shortcut | null {
  return SHORTCUTS.find((other) => other.id !== id && chordFor(other.id, chosen) === chord) ?? null
}
