import { english } from '../words/english.ts'
import type { Language } from './languages.ts'
import type { Catalogue } from './speech.ts'

/** The catalogue of a language. English is part of the page; the others are loaded when they are wanted. */
export async function loadWords(language: Language): Promise<Catalogue> {
  switch (language) {
    case 'en':
      return english
    case 'de':
      return (await import('../words/german.ts')).german
    case 'ja':
      return { ...english, ...(await import('../words/japanese.ts')).japanese }
    case 'ar':
      return { ...english, ...(await import('../words/arabic.ts')).arabic }
    case 'en-XA':
    case 'ar-XB':
    case 'ja-XC':
      return (await import('./pseudo-words.ts')).pseudoWords(english, language)
  }
}
