import type { Translation } from '../../language/translation.ts'
import type { header as english } from '../en/header.ts'

/** The German words of the bar above. */
export const header: Translation<typeof english> = {
  'header.ask-the-model': 'Modell fragen',
  'header.not-allowed': 'Nicht erlaubt',
  'header.plan-only': 'Nur planen',
  'header.tools-may-read-in-the': 'Werkzeuge dürfen im Ordner lesen; alles andere wird abgelehnt.',
  'header.ask-first': 'Erst fragen',
  'header.tools-may-read-in-the-2': 'Werkzeuge dürfen im Ordner lesen; für alles andere werden Sie gefragt.',
  'header.accept-edits': 'Änderungen annehmen',
  'header.tools-may-also-change-files': 'Werkzeuge dürfen auch Dateien im Ordner ändern.',
  'header.ask-nothing': 'Nichts fragen',
  'header.tools-may-do-everything-that': 'Werkzeuge dürfen alles, was keine Regel verbietet.',
  'header.permission-mode': 'Erlaubnismodus',
  'header.title-waiting': '◆ Braucht Sie — {title} — Holdfast',
  'header.title': '{title} — Holdfast',
}
