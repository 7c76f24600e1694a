import { account } from './en/account.ts'
import { administration } from './en/administration.ts'
import { agents } from './en/agents.ts'
import { archive } from './en/archive.ts'
import { canvas } from './en/canvas.ts'
import { common } from './en/common.ts'
import { composer } from './en/composer.ts'
import { inspector } from './en/inspector.ts'
import { limits } from './en/limits.ts'
import { memories } from './en/memories.ts'
import { message } from './en/message.ts'
import { notify } from './en/notify.ts'
import { preview } from './en/preview.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { thread } from './en/thread.ts'
import { tools } from './en/tools.ts'
import { workspaces } from './en/workspaces.ts'
import { worktrees } from './en/worktrees.ts'

/** What the page says, in English. The keys are those of every language, and the texts say which values each asks for. */
export const english = {
  ...account,
  ...administration,
  ...agents,
  ...canvas,
  ...inspector,
  ...limits,
  ...memories,
  ...message,
  ...notify,
  ...preview,
  ...settings,
  ...shell,
  ...thread,
  ...composer,
  ...tools,
  ...workspaces,
  ...worktrees,
  ...archive,
  ...common,
} as const
