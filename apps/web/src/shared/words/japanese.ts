import type { DraftCatalogue } from '../language/speech.ts'
import { account } from './ja/account.ts'
import { administration } from './ja/administration.ts'
import { agents } from './ja/agents.ts'
import { archive } from './ja/archive.ts'
import { canvas } from './ja/canvas.ts'
import { common } from './ja/common.ts'
import { composer } from './ja/composer.ts'
import { external } from './ja/external.ts'
import { filesTab } from './ja/files-tab.ts'
import { first } from './ja/first.ts'
import { inspector } from './ja/inspector.ts'
import { limits } from './ja/limits.ts'
import { memories } from './ja/memories.ts'
import { message } from './ja/message.ts'
import { notify } from './ja/notify.ts'
import { presets } from './ja/presets.ts'
import { preview } from './ja/preview.ts'
import { review } from './ja/review.ts'
import { schedules } from './ja/schedules.ts'
import { seldom } from './ja/seldom.ts'
import { settings } from './ja/settings.ts'
import { shell } from './ja/shell.ts'
import { terminal } from './ja/terminal.ts'
import { thread } from './ja/thread.ts'
import { tools } from './ja/tools.ts'
import { voice } from './ja/voice.ts'
import { workspaces } from './ja/workspaces.ts'
import { worktrees } from './ja/worktrees.ts'

/** What the page says, in Japanese: drafted by a machine. What came to the page since may be missing. */
export const japanese: DraftCatalogue = {
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
