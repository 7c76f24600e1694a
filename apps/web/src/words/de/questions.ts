import type { Translation } from '../../language/translation.ts'
import type { questions as english } from '../en/questions.ts'

/** The German words of what running calls ask a person. */
export const questions: Translation<typeof english> = {
  'questions.asks-you': '{source} fragt Sie',
  'questions.asks-you-aloud': '{source} fragt Sie: {message}',
  'questions.decline': 'Ablehnen',
  'questions.cancel': 'Abbrechen',
  'questions.cancel-means': 'Schließt die Frage ohne Antwort',
  'questions.accept': 'Zustimmen',
  'questions.optional': 'freiwillig',
  'questions.choose': 'Wählen …',
  'questions.none': 'Nichts',
  'questions.no-secrets':
    '{source} bekommt, was Sie schreiben, und es bleibt in dieser Unterhaltung. Schreiben Sie keine Passwörter oder Schlüssel.',
  'questions.asks-for-secret':
    'Das fragt anscheinend nach einem Geheimnis. {source} bekommt, was Sie schreiben, und es bleibt in dieser Unterhaltung. Kein Server darf so nach Passwörtern oder Schlüsseln fragen: Lehnen Sie dann ab.',
  'questions.wants-page':
    '{source} möchte, dass Sie eine Seite bei <strong>{host}</strong> öffnen. Was Sie dort tun, geht an diese Seite, nicht in diese Unterhaltung.',
  'questions.look-alike': 'Diese Adresse enthält Buchstaben anderer Alphabete und kann einer anderen gleichen.',
  'questions.open': '{host} öffnen',
  'questions.asked': '{source} fragte: {message}',
  'questions.accepted': 'Von Ihnen angenommen · {at}',
  'questions.declined': 'Von Ihnen abgelehnt · {at}',
  'questions.cancelled': 'Von Ihnen abgebrochen · {at}',
  'questions.call-ended': 'Der Aufruf endete, bevor Sie antworteten · {at}',
  'questions.stopped': 'Durch Ihren Stopp abgebrochen · {at}',
  'questions.lost': 'Verloren: Der Server endete und der Aufruf mit ihm · {at}',
  'questions.yes': 'Ja',
  'questions.no': 'Nein',
}
