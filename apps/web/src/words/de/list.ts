import type { Translation } from '../../language/translation.ts'
import type { list as english } from '../en/list.ts'

/** The German words of the list of conversations. */
export const list: Translation<typeof english> = {
  'list.reading-older-conversations': 'Ältere Unterhaltungen werden gelesen …',
  'list.older-conversations-could-not-be': 'Ältere Unterhaltungen ließen sich nicht lesen.',
  'list.pin-title': '{title} anheften',
  'list.rename-title': '{title} umbenennen',
  'list.archive-title': '{title} archivieren',
  'list.needs-you': 'braucht Sie',
  'list.queue-paused': 'Warteschlange angehalten',
  'list.pinned': 'Angeheftet',
  'list.searching-messages': 'Nachrichten werden durchsucht …',
  'list.messages-could-not-be-searched': 'Nachrichten ließen sich nicht durchsuchen: {problem}',
  'list.no-message-holds-words': 'Keine Nachricht enthält „{words}“',
  'list.archived-title': '„{title}“ archiviert',
  'list.command-palette': 'Befehlspalette',
  'list.search-conversations': 'Unterhaltungen durchsuchen',
  'list.search': 'Suchen',
  'list.no-conversations-yet-start-one':
    'Noch keine Unterhaltungen. Beginnen Sie eine: Nichts verlässt diesen Rechner, bevor Sie ein Modell verbinden.',
  'list.couldnt-read-the-conversation-list': 'Die Liste der Unterhaltungen ließ sich nicht lesen.',
  'list.no-title-holds-words': 'Kein Titel enthält „{words}“.',
  'list.notices': 'Hinweise',
  'list.unread': 'ungelesen',
  'list.queued': '{count, number} in der Warteschlange',
  'list.running': 'läuft',
  'list.failed': 'fehlgeschlagen',
  'list.interrupted': 'unterbrochen',
  'list.messages-found': 'Nachrichten, {count, number}',
}
