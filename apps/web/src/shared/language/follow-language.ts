import { onPreferences, readPreferences } from '../preferences/preferences.ts'
import { tellProblem } from '../toasts/toasts.ts'
import { type Language, languageFor, localeFor } from './languages.ts'
import { loadWords } from './load-words.ts'
import { say } from './say.ts'
import { speak, speech } from './speech.ts'

/** Speaks the language that was chosen, now and whenever another one is. @returns when the first one is there. */
export async function followLanguage(): Promise<void> {
  onPreferences(() => {
    const wanted = wantedLanguage()
    if (wanted !== speech().language) void goOverTo(wanted)
  })
  // A page whose words are not reached speaks English; the next line to the server brings them.
  addEventListener('online', () => void goOverTo(wantedLanguage()))
  await goOverTo(wantedLanguage())
}

/** The language for what was chosen here. */
function wantedLanguage(): Language {
  return languageFor(readPreferences().language, navigator.languages)
}

async function goOverTo(language: Language): Promise<void> {
  try {
    const words = await loadWords(language)
    // Another one may have been chosen while this one was under way.
    if (language !== wantedLanguage()) return
    const locale = localeFor(language, navigator.languages)
    if (speech().locale !== locale || speech().words !== words) speak({ language, locale, words })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    tellProblem(say('language.not-loaded'))
  }
}
