import type { Translation } from '../../language/translation.ts'
import type { presets as english } from '../en/presets.ts'

/** The German words of presets. */
export const presets: Translation<typeof english> = {
  'presets.page': 'Vorgaben',
  'presets.also': 'vorgaben presets code vibe einstellungen beginn',
  'presets.preset': 'Vorgabe',
  'presets.none': 'Keine Vorgabe',
  'presets.none-line': 'Keine Vorgabe – wie der Agent und die Einstellungen es sagen',
  'presets.lead':
    'Benannte Einstellungen, mit denen eine Unterhaltung beginnt. Sie behält, was am Anfang gesetzt wurde: Eine Änderung hier gilt für neue.',
  'presets.reading': 'Die Vorgaben werden gelesen …',
  'presets.not-read': 'Die Vorgaben konnten nicht gelesen werden: {problem}',
  'presets.code': 'Code',
  'presets.code-says':
    'Arbeit an einem Projekt: denkt lange, wo das Modell es kann, erfährt, was wo im Repository steht, ändert Dateien ohne zu fragen und fragt, ob in einem Worktree gearbeitet wird.',
  'presets.code-small': 'Code, klein',
  'presets.code-small-says':
    'Für kleine Modelle und kleine Budgets: denkt nicht, hat eine kurze Karte und wenige Werkzeuge und wird früh zusammengefasst.',
  'presets.vibe': 'Vibe',
  'presets.vibe-says':
    'Etwas machen, ohne Code zu lesen: spricht in einfachen Worten, ändert Dateien und führt Befehle in der Sandbox aus, ohne zu fragen.',
  'presets.works-in-place': 'Arbeitet im Ordner',
  'presets.works-in-a-worktree': 'Arbeitet in einem eigenen Worktree',
  'presets.works-where-asked': 'Fragt, wo gearbeitet wird',
  'presets.tools': 'Werkzeuge: {count}',
  'presets.sets': '{name}: {value}',
  'presets.own-instructions': 'Eigene Anweisungen',
  'presets.no-sandbox': 'Auf diesem Server gibt es keine Sandbox: Befehle fragen.',
  'presets.new': 'Neue Vorgabe',
  'presets.edit-name': 'Vorgabe {name} bearbeiten',
  'presets.copy-name': 'Vorgabe {name} kopieren',
  'presets.copy': 'Kopieren',
  'presets.copy-of': 'Kopie von {name}',
  'presets.delete-name': 'Vorgabe {name} löschen',
  'presets.delete': 'Löschen',
  'presets.as-it-came': 'Wie mitgeliefert',
  'presets.as-it-came-name': 'Wie mitgeliefert: Vorgabe {name}',
  'presets.is-deleted': '{name} ist gelöscht',
  'presets.is-as-it-came': '{name} ist wie mitgeliefert',
  'presets.what-it-is-for': 'Wofür sie ist',
  'presets.place': 'Wo gearbeitet wird',
  'presets.place-usual': 'Wie üblich',
  'presets.place-asked': 'Jedes Mal fragen',
  'presets.limits': 'Grenzen',
  'presets.limits-lead': 'Was in Unterhaltungen, die damit beginnen, über den Grenzen der Installation steht.',
  'presets.in-the-folder': 'Im Ordner',
  'presets.in-a-worktree': 'In einem eigenen Worktree',
}
