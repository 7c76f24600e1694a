import { directionOf } from '../language/languages.ts'
import { onSpeech, speech } from '../language/speech.ts'
import { onPreferences, readPreferences } from './preferences.ts'

/** Shows the page as it was chosen, now and whenever something else is chosen. `public/first-paint.js` does it first. */
export function showPreferences(): void {
  show()
  onPreferences(show)
  onSpeech(show)
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
