import { onPreferences, readPreferences } from './preferences.ts'

/** Shows the page as it was chosen, now and whenever something else is chosen. `public/first-paint.js` does it first. */
export function showPreferences(): void {
  show()
  onPreferences(show)
}

function show(): void {
  const { theme, textSizePx, motion, direction } = readPreferences()
  const { documentElement: root } = document
  root.dataset['theme'] = theme
  root.dataset['motion'] = motion
  root.dir = direction
  root.style.fontSize = `${(textSizePx / 16) * 100}%`
}
