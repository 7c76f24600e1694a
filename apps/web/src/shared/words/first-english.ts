import { common } from './en/common.ts'
import { composer } from './en/composer.ts'
import { message } from './en/message.ts'
import { notify } from './en/notify.ts'
import { shell } from './en/shell.ts'
import { thread } from './en/thread.ts'
import { tools } from './en/tools.ts'
import { workspaces } from './en/workspaces.ts'
import { worktrees } from './en/worktrees.ts'

/** What the page says before any part with a script of its own is opened, in English. The words of those parts come with the first of them. */
export const firstEnglish = {
  ...message,
  ...notify,
  ...shell,
  ...thread,
  ...composer,
  ...tools,
  ...workspaces,
  ...worktrees,
  ...common,
} as const
