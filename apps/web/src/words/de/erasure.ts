import type { Translation } from '../../language/translation.ts'
import type { erasure as english } from '../en/erasure.ts'

/** The German words of erasing what was said. */
export const erasure: Translation<typeof english> = {
  'erasure.erase-asking': 'Löschen …',
  'erasure.erase-message': 'Nachricht löschen',
  'erasure.erase-reply': 'Antwort löschen',
  'erasure.erase-this-message': 'Diese Nachricht löschen?',
  'erasure.erase-this-reply': 'Diese Antwort löschen?',
  'erasure.looking': 'Es wird gesucht, wo ihre Wörter stehen …',
  'erasure.not-looked': 'Was gelöscht würde, wurde nicht gelesen: {problem}',
  'erasure.cannot-be-undone': 'Das lässt sich nicht rückgängig machen.',
  'erasure.what-goes': 'Endgültig gelöscht wird:',
  'erasure.messages': '{count, plural, one {die Nachricht} other {# Nachrichten}}',
  'erasure.waiting': '{count, plural, one {ihre Kopie in der Warteschlange} other {# Kopien in der Warteschlange}}',
  'erasure.replies': '{count, plural, one {eine Antwort eines Modells} other {# Antworten von Modellen}}',
  'erasure.calls':
    '{count, plural, one {# Kopie einer Anfrage an ein Werkzeug} other {# Kopien von Anfragen an Werkzeuge}}',
  'erasure.results': '{count, plural, one {# Ergebnis eines Werkzeugs} other {# Ergebnisse von Werkzeugen}}',
  'erasure.canvas-changes': '{count, plural, one {# Änderung auf der Leinwand} other {# Änderungen auf der Leinwand}}',
  'erasure.notes': '{count, plural, one {# Hinweis zur Leinwand} other {# Hinweise zur Leinwand}}',
  'erasure.summaries':
    '{count, plural, one {# Zusammenfassung, die sie umfasst} other {# Zusammenfassungen, die sie umfassen}}',
  'erasure.without-summary': 'Wofür die Zusammenfassung stand, wird wieder gesendet, soweit es passt.',
  'erasure.titles':
    '{count, plural, one {der Titel, der daraus gemacht wurde} other {# Titel, die daraus gemacht wurden}}',
  'erasure.others': '{count, plural, one {# weitere Kopie} other {# weitere Kopien}}',
  'erasure.files':
    '{count, plural, one {# Datei oder langes Ergebnis} other {# Dateien oder lange Ergebnisse}}, falls nirgends sonst genannt',
  'erasure.search-and-states': 'ihr Platz in der Suche und in allem, was bereitgehalten wird',
  'erasure.reply-stays': 'Die Antwort bleibt: löschen Sie auch sie, wenn sie die Wörter wiederholt.',
  'erasure.what-stays':
    'Hier bleibt ein Beleg ohne die Wörter. Was sie gekostet hat, bleibt gezählt; auch ein Titel von Ihnen und Dateien, die Agenten geschrieben haben, bleiben. Frühere Sicherungen, Exporte und Abzweigungen werden nicht erreicht.',
  'erasure.memories-stay':
    '{count, plural, one {# Erinnerung stammt aus dieser Unterhaltung und bleibt} other {# Erinnerungen stammen aus dieser Unterhaltung und bleiben}}; die Einstellungen vergessen sie.',
  'erasure.reason': 'Grund, der beim Beleg bleibt (darf leer sein)',
  'erasure.erase-for-good': 'Endgültig löschen',
  'erasure.not-erased': 'Nicht gelöscht: {problem}',
  'erasure.erased-for-good': 'Endgültig gelöscht',
  'erasure.erased-by-you': 'Von Ihnen gelöscht, {time}',
  'erasure.erased-at': 'Gelöscht, {time}',
}
