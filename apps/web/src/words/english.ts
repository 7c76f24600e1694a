import { account } from './en/account.ts'
import { agents } from './en/agents.ts'
import { answer } from './en/answer.ts'
import { archive } from './en/archive.ts'
import { canvas } from './en/canvas.ts'
import { checkpoint } from './en/checkpoint.ts'
import { common } from './en/common.ts'
import { composer } from './en/composer.ts'
import { context } from './en/context.ts'
import { damage } from './en/damage.ts'
import { dock } from './en/dock.ts'
import { erasure } from './en/erasure.ts'
import { files } from './en/files.ts'
import { header } from './en/header.ts'
import { inspector } from './en/inspector.ts'
import { keys } from './en/keys.ts'
import { language } from './en/language.ts'
import { list } from './en/list.ts'
import { markdown } from './en/markdown.ts'
import { memories } from './en/memories.ts'
import { mentions } from './en/mentions.ts'
import { message } from './en/message.ts'
import { page } from './en/page.ts'
import { palette } from './en/palette.ts'
import { price } from './en/price.ts'
import { problem } from './en/problem.ts'
import { questions } from './en/questions.ts'
import { queue } from './en/queue.ts'
import { rules } from './en/rules.ts'
import { settings } from './en/settings.ts'
import { toolPanel } from './en/tool-panel.ts'
import { tools } from './en/tools.ts'
import { welcome } from './en/welcome.ts'

/** What the page says, in English. The keys are those of every language, and the texts say which values each asks for. */
export const english = {
  ...account,
  ...agents,
  ...answer,
  ...archive,
  ...canvas,
  ...checkpoint,
  ...common,
  ...composer,
  ...context,
  ...damage,
  ...dock,
  ...erasure,
  ...files,
  ...header,
  ...inspector,
  ...keys,
  ...language,
  ...mentions,
  ...list,
  ...markdown,
  ...memories,
  ...message,
  ...page,
  ...palette,
  ...price,
  ...problem,
  ...questions,
  ...queue,
  ...rules,
  ...settings,
  ...toolPanel,
  ...tools,
  ...welcome,
} as const
