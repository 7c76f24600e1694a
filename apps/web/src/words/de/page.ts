import type { Translation } from '../../language/translation.ts'
import type { page as english } from '../en/page.ts'

/** The German words of the frame of the page, dates and numbers. */
export const page: Translation<typeof english> = {
  'page.today': 'Heute',
  'page.yesterday': 'Gestern',
  'page.previous-days': 'Letzte {days, number} Tage',
  'page.older': 'Älter',
  'page.part-not-read': 'Dieser Teil der Seite konnte nicht vom Server gelesen werden.',
  'page.reload': 'Seite neu laden',
  'page.begun-anew': 'Neu begonnen. Die bisherige Unterhaltung ist im Archiv.',
  'page.seconds': '{seconds} s',
}
