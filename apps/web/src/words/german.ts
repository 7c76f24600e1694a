import type { Catalogue } from '../language/speech.ts'
import { account } from './de/account.ts'
import { agents } from './de/agents.ts'
import { answer } from './de/answer.ts'
import { archive } from './de/archive.ts'
import { canvas } from './de/canvas.ts'
import { checkpoint } from './de/checkpoint.ts'
import { common } from './de/common.ts'
import { composer } from './de/composer.ts'
import { context } from './de/context.ts'
import { damage } from './de/damage.ts'
import { dock } from './de/dock.ts'
import { erasure } from './de/erasure.ts'
import { files } from './de/files.ts'
import { header } from './de/header.ts'
import { inspector } from './de/inspector.ts'
import { keys } from './de/keys.ts'
import { language } from './de/language.ts'
import { list } from './de/list.ts'
import { markdown } from './de/markdown.ts'
import { memories } from './de/memories.ts'
import { mentions } from './de/mentions.ts'
import { message } from './de/message.ts'
import { page } from './de/page.ts'
import { palette } from './de/palette.ts'
import { price } from './de/price.ts'
import { problem } from './de/problem.ts'
import { questions } from './de/questions.ts'
import { queue } from './de/queue.ts'
import { rules } from './de/rules.ts'
import { settings } from './de/settings.ts'
import { toolPanel } from './de/tool-panel.ts'
import { tools } from './de/tools.ts'
import { welcome } from './de/welcome.ts'

/** What the page says, in German. */
export const german: Catalogue = {
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
}
