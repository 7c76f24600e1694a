import type { Translation } from '../../language/translation.ts'
import type { composer as english } from '../en/composer.ts'

/** The German words of the composer. */
export const composer: Translation<typeof english> = {
  'composer.composer': 'Eingabe',
  'composer.back-to-the-field': 'Zurück ins Feld',
  'composer.message': 'Nachricht',
  'composer.write-a-message': 'Nachricht schreiben …',
  'composer.send-message': 'Nachricht senden',
  'composer.queue-message': 'Nachricht einreihen',
  'composer.write-something-first': 'Schreiben Sie zuerst etwas',
  'composer.queue': 'Einreihen',
  'composer.send-when-connected': 'Senden, sobald verbunden',
  'composer.not-sent': 'Nicht gesendet',
  'composer.not-stopped': 'Nicht gestoppt',
  'composer.not-answered': 'Nicht beantwortet',
  'composer.not-changed': 'Nicht geändert',
  'composer.not-removed': 'Nicht entfernt',
  'composer.queue-not-paused': 'Warteschlange nicht angehalten',
  'composer.queue-not-resumed': 'Warteschlange nicht fortgesetzt',
  'composer.setting-not-changed': 'Einstellung nicht geändert',
  'composer.rule-not-taken-back': 'Regel nicht zurückgenommen',
  'composer.pin-not-changed': 'Anheftung nicht geändert',
  'composer.result-not-left-out': 'Was vom Ergebnis gesendet wird, nicht geändert',
  'composer.not-gone-back': 'Nicht zurückgegangen',
  'composer.branch-not-selected': 'Zweig nicht gewählt',
  'composer.not-branched': 'Nicht abgezweigt',
  'composer.not-reset': 'Nicht zurückgesetzt',
  'composer.an-answer-on-the-canvas': 'Eine Antwort auf der Leinwand',
}
