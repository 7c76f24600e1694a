import { useSyncExternalStore } from 'react'
import type { english } from '../words/english.ts'
import { firstEnglish } from '../words/first-english.ts'
import type { Language } from './languages.ts'

/** What the page speaks now. */
export interface Speech {
  readonly language: Language
  /** How numbers, dates and prices are written. */
  readonly locale: string
  /** The texts of the messages in that language; all of them as soon as a part with a script of its own is drawn. */
  readonly words: SomeWords
}

/** The text of each message, by its key. */
export type Catalogue = { readonly [Key in keyof typeof english]: string }

/** The texts of some messages. */
export type SomeWords = Partial<Catalogue>

/** A catalogue that a machine drafted. What it lacks is said in English. */
export type DraftCatalogue = Partial<Catalogue>

let current: Speech = { language: 'en', locale: 'en', words: firstEnglish }
const listeners = new Set<() => void>()

/** What is spoken now. English before anything was chosen. */
export function speech(): Speech {
  return current
}

/** Goes over to another language. */
export function speak(next: Speech): void {
  current = next
  for (const listener of [...listeners]) listener()
}

/** The language of the page; renders again when it changes. */
export function useLanguage(): Language {
  return useSyncExternalStore(onSpeech, () => current.language)
}

/** Makes something once for each speech: a formatter of dates, say. */
export function perSpeech<Made>(make: (spoken: Speech) => Made): () => Made {
  let kept: { readonly spoken: Speech; readonly made: Made } | null = null
  return () => {
    if (kept?.spoken !== current) kept = { spoken: current, made: make(current) }
    return kept.made
  }
}

/** Calls when another language is spoken. @returns a function that ends it. */
export function onSpeech(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
