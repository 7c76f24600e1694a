import type { Catalogue } from '../language/speech.ts'
import { account } from './de/account.ts'
import { archive } from './de/archive.ts'
import { common } from './de/common.ts'
import { keys } from './de/keys.ts'
import { language } from './de/language.ts'
import { page } from './de/page.ts'
import { settings } from './de/settings.ts'

/** What the page says, in German. */
export const german: Catalogue = {
  ...account,
  ...archive,
  ...common,
  ...keys,
  ...language,
  ...page,
  ...settings,
}
