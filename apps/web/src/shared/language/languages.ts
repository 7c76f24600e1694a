/** The languages that the page speaks, each by its own name. A draft was made by a machine and read by nobody yet. */
export const LANGUAGES = [
  { language: 'en', name: 'English', isDraft: false },
  { language: 'de', name: 'Deutsch', isDraft: false },
  { language: 'ja', name: '日本語', isDraft: true },
  { language: 'ar', name: 'العربية', isDraft: true },
] as const satisfies readonly { readonly language: string; readonly name: string; readonly isDraft: boolean }[]

/**
 * English for who looks at the page: `en-XA` with strange letters and at twice its length, `ar-XB` in Arabic letters from right
 * to left, `ja-XC` in wide letters without spaces. What is cut off or out of its place then would be so in some language.
 */
export const PSEUDO_LANGUAGES = ['en-XA', 'ar-XB', 'ja-XC'] as const

/** One of them. */
export type PseudoLanguage = (typeof PSEUDO_LANGUAGES)[number]

/** A language that the page speaks. */
export type Language = (typeof LANGUAGES)[number]['language'] | PseudoLanguage

/** Where a person wants it: as the browser says, or one of them. */
export type LanguageChoice = 'browser' | Language

/** Languages that are written from right to left. */
const FROM_THE_RIGHT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur'])

/** The language for a wish: the first that the browser asks for and the page speaks; English where there is none. */
export function languageFor(wish: LanguageChoice, browserLanguages: readonly string[]): Language {
  if (wish !== 'browser') return wish
  for (const asked of browserLanguages) {
    const known = LANGUAGES.find(({ language }) => language === baseOf(asked))
    if (known) return known.language
  }
  return 'en'
}

/**
 * How numbers, dates and prices are written: as in the browser's region where that speaks the language too.
 * Digits are those that code and prices are written with. [UI5]
 */
export function localeFor(language: Language, browserLanguages: readonly string[]): string {
  const base = baseOf(language)
  const region = browserLanguages.find((asked) => baseOf(asked) === base)
  return new Intl.Locale(region ?? base, { numberingSystem: 'latn' }).toString()
}

/** The direction in which a language is written. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return FROM_THE_RIGHT.has(baseOf(language)) ? 'rtl' : 'ltr'
}

function baseOf(tag: string): string {
  return tag.split('-')[0]?.toLowerCase() ?? ''
}
