import type { DraftCatalogue } from '../language/speech.ts'
import { account } from './ar/account.ts'
import { administration } from './ar/administration.ts'
import { agents } from './ar/agents.ts'
import { archive } from './ar/archive.ts'
import { canvas } from './ar/canvas.ts'
import { common } from './ar/common.ts'
import { composer } from './ar/composer.ts'
import { external } from './ar/external.ts'
import { filesTab } from './ar/files-tab.ts'
import { first } from './ar/first.ts'
import { inspector } from './ar/inspector.ts'
import { limits } from './ar/limits.ts'
import { memories } from './ar/memories.ts'
import { message } from './ar/message.ts'
import { notify } from './ar/notify.ts'
import { presets } from './ar/presets.ts'
import { preview } from './ar/preview.ts'
import { review } from './ar/review.ts'
import { schedules } from './ar/schedules.ts'
import { seldom } from './ar/seldom.ts'
import { settings } from './ar/settings.ts'
import { shell } from './ar/shell.ts'
import { terminal } from './ar/terminal.ts'
import { thread } from './ar/thread.ts'
import { tools } from './ar/tools.ts'
import { voice } from './ar/voice.ts'
import { workspaces } from './ar/workspaces.ts'
import { worktrees } from './ar/worktrees.ts'

/** What the page says, in Arabic: drafted by a machine. What came to the page since may be missing. */
export const arabic: DraftCatalogue = {
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
  ...message,
  ...notify,
  ...preview,
  ...review,
  ...presets,
  ...schedules,
  ...seldom,
  ...settings,
  ...shell,
  ...terminal,
  ...voice,
  ...thread,
  ...composer,
  ...tools,
  ...workspaces,
  ...worktrees,
  ...archive,
  ...common,
}
