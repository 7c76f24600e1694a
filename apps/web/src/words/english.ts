import { account } from './en/account.ts'
import { archive } from './en/archive.ts'
import { common } from './en/common.ts'
import { keys } from './en/keys.ts'
import { language } from './en/language.ts'
import { page } from './en/page.ts'
import { settings } from './en/settings.ts'

/** What the page says, in English. The keys are those of every language, and the texts say which values each asks for. */
export const english = {
  ...account,
  ...archive,
  ...common,
  ...keys,
  ...language,
  ...page,
  ...settings,
} as const
