import type { Translation } from '../../language/translation.ts'
import type { queue as english } from '../en/queue.ts'

/** The German words of the queue. */
export const queue: Translation<typeof english> = {
  'queue.queue-paused': 'Warteschlange angehalten. Ihre nächste Nachricht geht zuerst, dann diese.',
  'queue.send-next': 'Nächste senden',
  'queue.send-all': 'Alle senden',
  'queue.clear': 'Leeren…',
  'queue.remove-all':
    '{count, plural, one {Die wartende Nachricht entfernen?} other {Alle # wartenden Nachrichten entfernen?}}',
  'queue.queue': 'Warteschlange',
  'queue.queue-empty': 'Warteschlange leer',
  'queue.sending': 'wird gesendet',
  'queue.send-now': 'Jetzt senden',
  'queue.queued': '{count, number} in der Warteschlange',
  'queue.queued-message': 'Wartende Nachricht',
  'queue.move-up': 'Nach oben',
  'queue.move-down': 'Nach unten',
  'queue.moved-to': 'Auf Platz {place, number} von {count, number}',
  'queue.being-edited': 'wird bearbeitet',
  'queue.not-sent-while-edited': 'Wird nicht gesendet, solange Sie sie bearbeiten',
  'queue.already-sent': 'Schon gesendet oder entfernt. Ihre Worte bleiben hier stehen.',
  'queue.discard': 'Verwerfen',
}
