import { useSyncExternalStore } from 'react'
import * as z from 'zod'
import { directionOf, LANGUAGES, PSEUDO_LANGUAGES } from '../language/languages.ts'
import { onSpeech, speech } from '../language/speech.ts'
import { NOTIFY_KINDS } from '../notify/happenings.ts'

const Text = z.string()

/** How a person wants the page. It is kept in this browser; `public/first-paint.js` reads it too. */
const Preferences = z.object({
  theme: z.enum(['system', 'light', 'dark', 'high-contrast']).catch('system'),
  /** Of messages, in pixels at the browser's usual size. */
  textSizePx: z.int().min(14).max(20).catch(16),
  motion: z.enum(['system', 'reduced', 'full']).catch('system'),
  language: z.enum(['browser', ...PSEUDO_LANGUAGES, ...LANGUAGES.map(({ language }) => language)]).catch('browser'),
  /** Of the layout; `language` for the one in which the language is written. */
  direction: z.enum(['language', 'ltr', 'rtl']).catch('language'),
  isListShown: z.boolean().catch(true),
  /** Whether the tab of files opens what an agent changes. */
  followsFiles: z.boolean().catch(true),
  hasShortcuts: z.boolean().catch(true),
  /** Chords that were given instead of the usual ones, by the name of the shortcut. */
  chords: z.record(z.string(), z.string()).catch({}),
  /** Who answers in new conversations; null for the one that the server names. */
  defaultModelId: Text.nullable().catch(null),
  /** Whether the browser tells what happens while nobody looks, and of what. */
  notifies: z.boolean().catch(false),
  notifyKinds: z.array(z.enum(NOTIFY_KINDS)).catch([...NOTIFY_KINDS]),
  wasNotifyingOffered: z.boolean().catch(false),
  /** Ids of pinned conversations, first pinned first. */
  pinnedIds: z.array(Text).catch([]),
})
export type Preferences = Readonly<z.infer<typeof Preferences>>

const KEY = 'holdfast.preferences'
const CHANGED = 'holdfast:preferences'

/** What holds where nothing was chosen. */
export const USUAL: Preferences = Preferences.parse({})

let known: { readonly text: string | null; readonly preferences: Preferences } = { text: null, preferences: USUAL }

/** What holds now. What cannot be read counts as not chosen. */
export function readPreferences(): Preferences {
  const text = localStorage.getItem(KEY)
  if (text !== known.text) known = { text, preferences: parsed(text) }
  return known.preferences
}

/** Chooses something, in all tabs of this browser. */
export function choose(change: Partial<Preferences>): void {
  localStorage.setItem(KEY, JSON.stringify({ ...readPreferences(), ...change }))
  dispatchEvent(new Event(CHANGED))
}

/** A part of the preferences, by reference; renders again when it changes. */
export function usePreference<Name extends keyof Preferences>(name: Name): Preferences[Name] {
  return useSyncExternalStore(onPreferences, () => readPreferences()[name])
}

/** Calls when something was chosen here or in another tab. @returns a function that ends it. */
export function onPreferences(listener: () => void): () => void {
  addEventListener(CHANGED, listener)
  addEventListener('storage', listener)
  return () => {
    removeEventListener(CHANGED, listener)
    removeEventListener('storage', listener)
  }
}

/** Shows the page as it was chosen, now and whenever something else is chosen. `public/first-paint.js` does it first. */
export function showPreferences(): void {
  show()
  onPreferences(show)
  onSpeech(show)
}

function parsed(text: string | null): Preferences {
  if (text === null) return USUAL
  try {
    return Preferences.catch(USUAL).parse(JSON.parse(text))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return USUAL
  }
}

/** The language is that of the words that are shown: one that was just chosen may still be on its way. */
function show(): void {
  const { theme, textSizePx, motion, direction } = readPreferences()
  const { documentElement: root } = document
  root.dataset['theme'] = theme
  root.dataset['motion'] = motion
  root.lang = speech().language
  root.dir = direction === 'language' ? directionOf(speech().language) : direction
  root.style.fontSize = `${(textSizePx / 16) * 100}%`
}
