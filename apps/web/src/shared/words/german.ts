import type { Catalogue } from '../language/speech.ts'
import { account } from './de/account.ts'
import { administration } from './de/administration.ts'
import { agents } from './de/agents.ts'
import { archive } from './de/archive.ts'
import { canvas } from './de/canvas.ts'
import { common } from './de/common.ts'
import { composer } from './de/composer.ts'
import { external } from './de/external.ts'
import { filesTab } from './de/files-tab.ts'
import { first } from './de/first.ts'
import { inspector } from './de/inspector.ts'
import { limits } from './de/limits.ts'
import { memories } from './de/memories.ts'
import { message } from './de/message.ts'
import { notify } from './de/notify.ts'
import { presets } from './de/presets.ts'
import { preview } from './de/preview.ts'
import { review } from './de/review.ts'
import { schedules } from './de/schedules.ts'
import { seldom } from './de/seldom.ts'
import { settings } from './de/settings.ts'
import { shell } from './de/shell.ts'
import { terminal } from './de/terminal.ts'
import { thread } from './de/thread.ts'
import { tools } from './de/tools.ts'
import { voice } from './de/voice.ts'
import { workspaces } from './de/workspaces.ts'
import { worktrees } from './de/worktrees.ts'

/** What the page says, in German. */
export const german: Catalogue = {
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
