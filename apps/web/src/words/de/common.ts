import type { Translation } from '../../language/translation.ts'
import type { common as english } from '../en/common.ts'

/** The German words of what several parts say. */
export const common: Translation<typeof english> = {
  'common.cancel': 'Abbrechen',
  'common.try-again': 'Noch einmal',
  'common.untitled': 'Ohne Titel',
  'common.keep': 'Behalten',
  'common.delete-asking': 'Löschen …',
  'common.change': 'Ändern',
  'common.model': 'Modell',
  'common.remove': 'Entfernen',
  'common.settings': 'Einstellungen',
  'common.new-conversation': 'Neue Unterhaltung',
  'common.stop': 'Stopp',
  'common.conversation': 'Unterhaltung',
  'common.rename': 'Umbenennen',
  'common.e-mail': 'E-Mail',
  'common.password': 'Passwort',
  'common.name': 'Name',
  'common.delete': 'Löschen',
}
