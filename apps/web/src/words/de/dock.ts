import type { Translation } from '../../language/translation.ts'
import type { dock as english } from '../en/dock.ts'

/** The German words of the dock. */
export const dock: Translation<typeof english> = {
  'dock.workspace-dock': 'Seitenleiste',
  'dock.opening': 'Wird geöffnet …',
  'dock.close-inspector': 'Inspektor schließen',
  'dock.close-tools': 'Werkzeuge schließen',
  'dock.close-canvas': 'Leinwand schließen',
  'dock.canvas-with': 'Leinwand, {count, plural, one {# Element} other {# Elemente}}',
}
