import { account } from './en/account.ts'
import { administration } from './en/administration.ts'
import { agents } from './en/agents.ts'
import { archive } from './en/archive.ts'
import { canvas } from './en/canvas.ts'
import { external } from './en/external.ts'
import { filesTab } from './en/files-tab.ts'
import { first } from './en/first.ts'
import { inspector } from './en/inspector.ts'
import { limits } from './en/limits.ts'
import { memories } from './en/memories.ts'
import { preview } from './en/preview.ts'
import { review } from './en/review.ts'
import { schedules } from './en/schedules.ts'
import { seldom } from './en/seldom.ts'
import { settings } from './en/settings.ts'
import { terminal } from './en/terminal.ts'
import { voice } from './en/voice.ts'
import { firstEnglish } from './first-english.ts'

/** What the page says, in English. The keys are those of every language, and the texts say which values each asks for. */
export const english = {
  ...firstEnglish,
  ...account,
  ...administration,
  ...agents,
  ...canvas,
  ...external,
  ...filesTab,
  ...first,
  ...inspector,
  ...limits,
  ...memories,
  ...preview,
  ...review,
  ...schedules,
  ...seldom,
  ...settings,
  ...terminal,
  ...voice,
  ...archive,
} as const
