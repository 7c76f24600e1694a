import type { Translation } from '../../language/translation.ts'
import type { queue as english } from '../en/queue.ts'

/** The German words of the queue. */
export const queue: Translation<typeof english> = {
  'queue.queue-paused-your-next-message': 'Warteschlange angehalten. Ihre nächste Nachricht geht zuerst, dann diese.',
  'queue.send-all': 'Alle senden',
  'queue.queue': 'Warteschlange',
  'queue.sending': 'wird gesendet',
  'queue.send-now': 'Jetzt senden',
  'queue.queued': '{count, number} in der Warteschlange',
}
