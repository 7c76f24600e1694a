import type { Translation } from '../../language/translation.ts'
import type { damage as english } from '../en/damage.ts'

/** The German words of a conversation whose log is damaged. */
export const damage: Translation<typeof english> = {
  'damage.this-conversation-is-damaged': 'Diese Unterhaltung ist beschädigt',
  'damage.looking': 'Es wird nachgesehen, was noch lesbar ist …',
  'damage.not-looked': 'Was noch lesbar ist, weiß man nicht: {problem}',
  'damage.readable': '{readable, plural, one {# Eintrag davon ist} other {# Einträge davon sind}} noch lesbar.',
  'damage.readable-of': '{readable, number} von {count, plural, one {# Eintrag} other {# Einträgen}} sind noch lesbar.',
  'damage.from-entry': 'Der Schaden beginnt beim Eintrag {seq, number}.',
  'damage.what-the-store-says': 'Was der Speicher sagt',
  'damage.what-to-do':
    'Sichern Sie jetzt, was lesbar ist. Den Rest bringt eine Sicherung zurück: holdfast restore. Andere Unterhaltungen sind nicht betroffen.',
  'damage.save-as': 'Als {format} sichern',
}
