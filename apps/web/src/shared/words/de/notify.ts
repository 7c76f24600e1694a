import type { Translation } from '../../language/translation.ts'
import type { notify as english } from '../en/notify.ts'

/** The German words of what is told to who does not look. */
export const notify: Translation<typeof english> = {
  'notify.notifications': 'Benachrichtigungen',
  'notify.also': 'benachrichtigungen melden fertig wartet browser',
  'notify.needs-you': 'Braucht Sie',
  'notify.is-done': 'Ist fertig',
  'notify.has-failed': 'Ist fehlgeschlagen',
  'notify.while-you-were-away':
    'Hier geschah etwas, während Sie weg waren. Der Browser kann melden, wenn eine Unterhaltung Sie braucht oder fertig ist.',
  'notify.tell-me': 'Melden',
  'notify.not-now': 'Jetzt nicht',
  'notify.tell-me-while': 'Melden, was geschieht, während ich woanders hinsehe',
  'notify.the-browser-asks':
    'Der Browser fragt Sie zuerst. Er zeigt den Titel der Unterhaltung, ohne Ton, und nichts, während Sie auf diese Seite sehen.',
  'notify.the-browser-allows-none':
    'Vom Browser verboten: Erlauben Sie Benachrichtigungen für diese Adresse in seinen Einstellungen.',
  'notify.cannot': 'Braucht eine vertraute Leitung: diesen Rechner selbst oder https.',
  'notify.of-needs-you': 'Eine Unterhaltung braucht Sie',
  'notify.of-needs-you-why': 'Sie wartet auf eine Erlaubnis oder eine Antwort.',
  'notify.of-finished': 'Ein Durchgang ist fertig',
  'notify.of-finished-why': 'Einer, der länger als 20 Sekunden dauerte.',
  'notify.of-failed': 'Ein Durchgang ist fehlgeschlagen',
  'notify.of-failed-why': 'Oder der Server wurde darin beendet.',
  'notify.always': 'Titel und Symbol des Tabs sagen es immer.',
}
