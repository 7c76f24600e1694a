import { say } from '../language/say.ts'

/** Keys that are not a chord by themselves. */
const MODIFIERS = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Dead', 'Process'])

/** What of a key press makes a chord. */
export type ChordEvent = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** Whether Command is the main key here, and not Ctrl. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** The chord of a key press, such as `Mod+Shift+F`; null for a modifier alone. `Mod` is Command on Apple's, else Ctrl. */
export function chordOf(event: ChordEvent): string | null {
  if (MODIFIERS.has(event.key)) return null
  const modifiers = [
    (isApple ? event.metaKey : event.ctrlKey) && 'Mod',
    event.altKey && 'Alt',
    event.shiftKey && 'Shift',
    isApple && event.ctrlKey && 'Ctrl',
  ].filter((modifier) => modifier !== false)
  return [...modifiers, keyOf(event)].join('+')
}

/** A chord as the keys are called here. */
export function chordWords(chord: string): string {
  const names: Readonly<Record<string, string>> = isApple
    ? { Mod: '⌘', Alt: '⌥', Shift: '⇧', Ctrl: '⌃' }
    : { Mod: say('keys.control'), Shift: say('keys.shift'), Delete: say('keys.delete') }
  return chord
    .split('+')
    .map((key) => names[key] ?? key)
    .join(isApple ? '' : ' + ')
}

/** Letters by what is printed on them; with Alt a letter may write something else, then by its place. */
function keyOf({ key, code, altKey }: ChordEvent): string {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? []
  if (altKey && letter !== undefined) return letter
  return key.length === 1 ? key.toUpperCase() : key
}
