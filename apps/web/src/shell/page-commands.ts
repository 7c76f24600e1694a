import type { Client, ConversationStore } from '@holdfast/client'
import { canvasOf } from '@holdfast/conversation'
import type { ModelsAnswer } from '@holdfast/protocol'
import { clearCanvas } from '../canvas/clear-canvas.ts'
import { isDemo, modelInUse } from '../composer/context/model-choice.ts'
import type { WrittenCommand } from '../composer/mentions/offers.ts'
import { beginSchedule } from '../schedules/begin-schedule.ts'
import { navigate, setDock } from '../shared/address.ts'
import { told } from '../shared/ask-server.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { choose } from '../shared/preferences/preferences.ts'
import { tellProblem } from '../shared/toasts/toasts.ts'
import { beginDemo } from './begin-conversation.ts'
import { demoCommands } from './demo-commands.ts'

interface PageCommandsDeps {
  readonly client: Client
  readonly models: ModelsAnswer | undefined
  /** Chooses a model for what is written next. */
  readonly onModel: (modelId: string) => void
  /** The model that answers here; null for the usual. */
  readonly modelId: string | null
}

const THEMES = ['system', 'light', 'dark', 'high-contrast'] as const
const MODES = ['plan', 'ask', 'accept-edits', 'sandboxed', 'bypass'] as const

/** What can be written in any composer. */
export function commandsAnywhere({ client, models, onModel, modelId }: PageCommandsDeps): readonly WrittenCommand[] {
  const isDemoHere = isDemo(modelInUse(models, modelId))
  const demo = (words: string) => void told(beginDemo(client, written('/demo', words)))
  return [
    command('/new', 'commands.new', () => navigate({ type: 'new' }, 'push')),
    withWords('/model', 'commands.model', (words) => chooseModel(models, words, onModel)),
    withWords('/agent', 'commands.agent', () => focusOn('agent-picker')),
    ...THEMES.map((theme) => command(written('/theme', theme), 'commands.theme', () => choose({ theme }))),
    withWords('/schedule', 'commands.schedule', beginSchedule),
    command('/help', 'commands.help', () => navigate({ type: 'settings', section: 'keyboard' }, 'push')),
    command('/import', 'commands.import', () => navigate({ type: 'settings', section: 'data' }, 'push')),
    // With the demo model its commands are messages like any other.
    { text: '/demo', about: say('commands.demo'), takesWords: true, run: isDemoHere ? null : demo },
    ...demoCommands(models?.demo, isDemoHere ? null : demo),
  ]
}

/** What can be written in a conversation, beside what can be written anywhere. */
export function commandsIn(deps: PageCommandsDeps, store: ConversationStore): readonly WrittenCommand[] {
  const { client } = deps
  const { conversationId, overview } = store.getSnapshot()
  const context = client.context(conversationId)
  const hasCanvas = canvasOf(overview.canvases, overview.settings.agentId).elements.length > 0
  return [
    withWords('/summarize', 'commands.summarise', (words) => void told(context.makeCheckpoint(words || null))),
    command('/title', 'commands.title', () => void told(context.makeTitle())),
    command('/stop', 'commands.stop', () => store.stop('stop')),
    command('/tools', 'commands.tools', () => setDock('tools')),
    ...MODES.map((mode) =>
      command(written('/mode', mode), 'commands.mode', () => void store.changeSettings({ permissionMode: mode })),
    ),
    command('/context', 'commands.context', () => setDock('inspector')),
    command('/cost', 'commands.cost', () => setDock('inspector')),
    command('/export', 'commands.export', () => press('header.bar .export-button')),
    command('/rewind', 'commands.rewind', () => press('[data-newest] [data-key="r"]')),
    command('/branch', 'commands.branch', () => press('[data-newest] [data-key="b"]')),
    ...(hasCanvas
      ? [command('/canvas clear', 'canvas.clear-with-undo', () => void clearCanvas(client, conversationId))]
      : []),
    ...commandsAnywhere(deps),
  ]
}

/** A command with what stands behind it. */
function written(name: string, words: string): string {
  return [name, words].join(' ').trim()
}

function command(text: string, about: PlainKey, run: () => void): WrittenCommand {
  return { text, about: say(about), takesWords: false, run }
}

function withWords(text: string, about: PlainKey, run: (words: string) => void): WrittenCommand {
  return { text, about: say(about), takesWords: true, run }
}

/** By a part of its name where that is one model's, else from the list. */
function chooseModel(models: ModelsAnswer | undefined, words: string, onModel: (modelId: string) => void): void {
  if (words === '') {
    focusOn('model-picker')
    return
  }
  const rows = models?.providers.flatMap((provider) => provider.models) ?? []
  const fitting = rows.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(words.toLowerCase()))
  const [only] = rows.filter(({ id }) => id === words).concat(fitting.length === 1 ? fitting : [])
  if (only) onModel(only.id)
  else tellProblem(say('commands.which-model', { count: fitting.length, words }))
}

function focusOn(testId: 'model-picker' | 'agent-picker'): void {
  document.querySelector<HTMLElement>(`select[data-testid=${testId}]`)?.focus()
}

/** What it needs is where a person would press it: there are its words, its undo and its errors. */
function press(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click()
}
