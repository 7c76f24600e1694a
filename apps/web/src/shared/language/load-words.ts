import { firstEnglish } from '../words/first-english.ts'
import type { Language } from './languages.ts'
import { type Catalogue, type SomeWords, speak, speech } from './speech.ts'

/** English as far as it is here: the first words are part of the page. */
let english: SomeWords = firstEnglish

/** The catalogue of a language. The first words of English are part of the page; the others are loaded when they are wanted. */
export async function loadWords(language: Language): Promise<SomeWords> {
  switch (language) {
    case 'en':
      return english
    case 'de':
      return (await import('../words/german.ts')).german
    case 'ja':
      return { ...(await loadEnglish()), ...(await import('../words/japanese.ts')).japanese }
    case 'ar':
      return { ...(await loadEnglish()), ...(await import('../words/arabic.ts')).arabic }
    case 'en-XA':
    case 'ar-XB':
    case 'ja-XC':
      return (await import('./pseudo-words.ts')).pseudoWords(await loadEnglish(), language)
  }
}

/** Brings the words that only parts with scripts of their own say, before one of them is drawn. [UI6] */
export async function loadTheRest(): Promise<void> {
  if (speech().words !== firstEnglish) return
  const words = await loadEnglish()
  if (speech().words === firstEnglish) speak({ ...speech(), words })
}

async function loadEnglish(): Promise<Catalogue> {
  const whole = (await import('../words/english.ts')).english
  english = whole
  return whole
}
