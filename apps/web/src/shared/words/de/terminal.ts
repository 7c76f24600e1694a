import type { Translation } from '../../language/translation.ts'
import type { terminal as english } from '../en/terminal.ts'

/** The German words of terminals. */
export const terminal: Translation<typeof english> = {
  'terminal.screen': 'Terminal. F6 führt hinaus.',
  'terminal.asking': 'Wird gefragt …',
  'terminal.yours': 'Ihres',
  'terminal.yours-line':
    'Kein Agent sieht oder benutzt es. Es läuft außerhalb der Sandbox, mit allen Rechten des Servers.',
  'terminal.open': 'Terminal öffnen',
  'terminal.number': 'Terminal {number, number}',
  'terminal.quote': 'Auswahl zitieren',
  'terminal.end': 'Beenden',
  'terminal.really-end': 'Mit allem beenden, was darin läuft',
  'terminal.end-name': '{line} beenden',
  'terminal.ended': 'Dieses Terminal ist beendet.',
  'terminal.ended-with': 'Dieses Terminal ist mit Code {code, number} beendet.',
  'terminal.put-away': 'Weglegen',
  'terminal.not-allowed': 'Terminals sind für Administratoren: Sie laufen außerhalb der Sandbox.',
  'terminal.no-folder': 'Ein Terminal beginnt im Ordner der Unterhaltung. Wählen Sie zuerst einen Ordner.',
  'terminal.none-here': 'Dieser Server hat keine Terminals.',
  'terminal.processes': 'Hintergrundprozesse des Agenten',
  'terminal.processes-line': 'Was der Agent weiterlaufen ließ. Es endet mit der Unterhaltung.',
  'terminal.runs': 'läuft, {seconds, number} s',
  'terminal.is-over': 'vorbei',
  'terminal.nothing-printed': 'Bisher nichts ausgegeben.',
}
