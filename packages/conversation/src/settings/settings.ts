import * as z from 'zod'
import type { Setting } from './setting.ts'
import { takenInWords } from './taken-in-words.ts'

/** How much a model thinks before it answers: not at all by our asking, a level, or a number of tokens at most. */
export const Thinking = thinkingIn({ least: 1_024, most: 200_000 })
export type Thinking = z.infer<typeof Thinking>

/** What commands reach: each other at most, the public internet, or all that the machine does. [SEC8] */
export const CommandNetwork = choice({
  name: 'Network of commands',
  usual: 'outside',
  choices: ['none', 'outside', 'host'],
})
export type CommandNetwork = z.infer<typeof CommandNetwork>

/** Whom external agents ask: their own providers with their own sign-in, or those that are set up here. [AGENT13] */
export const AgentModels = choice({
  name: 'Models of external agents',
  usual: 'own',
  choices: ['own', 'providers'],
})
export type AgentModels = z.infer<typeof AgentModels>

const EVERYWHERE = ['installation', 'agent', 'conversation'] as const
const INSTALLATION = ['installation'] as const

/**
 * Every setting of the program, with its one default. The configuration file, the API, the page and the command line are
 * made of these rows. docs/decisions/0021-settings-are-one-table.md
 */
export const SETTINGS = {
  thinking: setting<Thinking>({
    section: 'model',
    name: 'Thinking',
    says: 'How much a model thinks before it answers, where it can: off, low, medium, high, or the most tokens. It is paid as output.',
    unit: 'choice',
    schema: Thinking,
    usual: 'off',
    least: 1_024,
    most: 200_000,
    choices: ['off', 'low', 'medium', 'high'],
    places: EVERYWHERE,
  }),
  maxOutputTokens: setting<number | null>({
    section: 'model',
    name: 'Longest answer',
    says: 'The most that one answer may have, thinking included. Nothing: what the model writes, up to its share of the window.',
    unit: 'tokens',
    schema: wholeIn({ name: 'Longest answer', unit: 'tokens', usual: null, least: 256, most: 1_000_000 }),
    usual: null,
    least: 256,
    most: 1_000_000,
    places: EVERYWHERE,
  }),
  replyShare: share({
    section: 'model',
    name: 'Kept for the answer',
    says: 'The most of the window that is kept for an answer whose length is not set. More leaves less for the conversation.',
    usual: 0.25,
    least: 0.02,
    most: 0.6,
    places: EVERYWHERE,
  }),
  checkpointShare: share({
    section: 'context',
    name: 'Summarise at',
    says: 'The part of the window at which the conversation is summarised by itself. Lower is cheaper; higher forgets later.',
    usual: 0.75,
    least: 0.1,
    most: 0.95,
    places: EVERYWHERE,
  }),
  checkpointMostTokens: whole({
    section: 'context',
    name: 'Summarise at the latest',
    says: 'At so many tokens it is summarised whatever the window holds: all of them are read again with every request.',
    unit: 'tokens',
    usual: 200_000,
    least: 4_000,
    most: 10_000_000,
    places: EVERYWHERE,
  }),
  keptExchanges: whole({
    section: 'context',
    name: 'Exchanges kept',
    says: 'So many of the newest exchanges stay word for word beside a summary.',
    unit: 'count',
    usual: 2,
    least: 0,
    most: 50,
    places: EVERYWHERE,
  }),
  keptShare: share({
    section: 'context',
    name: 'Share kept',
    says: 'The most of the window that those exchanges may take.',
    usual: 0.2,
    least: 0,
    most: 0.8,
    places: EVERYWHERE,
  }),
  carriedShare: share({
    section: 'context',
    name: 'Share carried over',
    says: 'The most of the window for what people wrote in the summarised part, word for word.',
    usual: 0.15,
    least: 0,
    most: 0.8,
    places: EVERYWHERE,
  }),
  summaryTokens: whole({
    section: 'context',
    name: 'Length of a summary',
    says: 'The most that a summary may have. Small windows give it a tenth of themselves at most.',
    unit: 'tokens',
    usual: 4_000,
    least: 200,
    most: 50_000,
    places: EVERYWHERE,
  }),
  mapTokens: whole({
    section: 'context',
    name: 'Repository map in a request',
    says: 'The most that the model is told of what is where in the folder. 0 turns it off; the model can still ask for the map.',
    unit: 'tokens',
    usual: 0,
    least: 0,
    most: 8_000,
    places: EVERYWHERE,
  }),
  stepsPerRun: whole({
    section: 'run',
    name: 'Steps of a turn',
    says: 'After so many requests to the model a turn ends and offers to go on.',
    unit: 'count',
    usual: 50,
    least: 1,
    most: 10_000,
    places: EVERYWHERE,
  }),
  callsPerStep: whole({
    section: 'run',
    name: 'Calls of a step',
    says: 'The most tool calls that one answer may make; those beyond do not run.',
    unit: 'count',
    usual: 32,
    least: 1,
    most: 1_000,
    places: EVERYWHERE,
  }),
  identicalCalls: whole({
    section: 'run',
    name: 'Identical calls',
    says: 'A call that is the same for so many times in a row asks first.',
    unit: 'count',
    usual: 3,
    least: 2,
    most: 1_000,
    places: EVERYWHERE,
  }),
  answerChars: whole({
    section: 'run',
    name: 'Size of an answer',
    says: 'The most that one answer may hold: text, thinking and calls together. At that its request is closed.',
    unit: 'characters',
    usual: 8_000_000,
    least: 10_000,
    most: 8_000_000,
    places: INSTALLATION,
  }),
  firstEventMs: whole({
    section: 'run',
    name: 'Wait for an answer',
    says: 'A request of which nothing comes for so long has failed. Models on a slow computer need more.',
    unit: 'milliseconds',
    usual: 120_000,
    least: 1_000,
    most: 3_600_000,
    places: INSTALLATION,
  }),
  betweenEventsMs: whole({
    section: 'run',
    name: 'Wait in an answer',
    says: 'An answer that falls silent for so long has failed.',
    unit: 'milliseconds',
    usual: 300_000,
    least: 1_000,
    most: 3_600_000,
    places: INSTALLATION,
  }),
  drainMs: whole({
    section: 'run',
    name: 'Wait after a stop',
    says: 'How long a stopped source may take to end before it is cut.',
    unit: 'milliseconds',
    usual: 5_000,
    least: 100,
    most: 60_000,
    places: INSTALLATION,
  }),
  toolTimeoutMs: whole({
    section: 'tools',
    name: 'Time of a call',
    says: 'The longest that a call of a tool without a limit of its own may take.',
    unit: 'milliseconds',
    usual: 120_000,
    least: 1_000,
    most: 86_400_000,
    places: EVERYWHERE,
  }),
  toolGraceMs: whole({
    section: 'tools',
    name: 'Grace of a call',
    says: 'What a tool gets to end by itself before it is killed.',
    unit: 'milliseconds',
    usual: 2_000,
    least: 0,
    most: 60_000,
    places: INSTALLATION,
  }),
  toolOutputChars: whole({
    section: 'tools',
    name: 'Output of a call',
    says: 'The most of an output that the model is sent; the rest it can read by read_result.',
    unit: 'characters',
    usual: 50_000,
    least: 1_000,
    most: 50_000,
    places: EVERYWHERE,
  }),
  diagnostics: setting<boolean>({
    section: 'tools',
    name: 'New errors after an edit',
    says: 'A call that changed files says which errors are new since then. It waits up to 1.5 s. It needs a sandbox and a language server, such as TypeScript 7 of the project.',
    unit: 'switch',
    schema: z.boolean({ error: takenInWords({ name: 'New errors after an edit', unit: 'switch', usual: true }) }),
    usual: true,
    places: EVERYWHERE,
  }),
  commandNetwork: setting<CommandNetwork>({
    section: 'tools',
    name: 'Network of commands',
    says: 'What commands in the sandbox reach from the next start on: each other, the public internet, or all that this machine does.',
    unit: 'choice',
    schema: CommandNetwork,
    usual: 'outside',
    choices: ['none', 'outside', 'host'],
    places: INSTALLATION,
  }),
  agentModels: setting<AgentModels>({
    section: 'tools',
    name: 'Models of external agents',
    says: 'Whom external agents ask from their next start on: their own providers with their own sign-in, or the providers set up here, through the gateway: then each request is counted, and budgets and Stop hold for it.',
    unit: 'choice',
    schema: AgentModels,
    usual: 'own',
    choices: ['own', 'providers'],
    places: INSTALLATION,
  }),
  mostWorktrees: whole({
    section: 'tools',
    name: 'Worktrees',
    says: 'The most worktrees of all conversations together; one more is refused until some are finished or removed.',
    unit: 'count',
    usual: 10,
    least: 0,
    most: 1_000,
    places: INSTALLATION,
  }),
  worktreeBytes: whole({
    section: 'tools',
    name: 'Size of all worktrees',
    says: 'When they take so many bytes together, no further one is made.',
    unit: 'bytes',
    usual: 10_000_000_000,
    least: 0,
    most: 1_000_000_000_000,
    places: INSTALLATION,
  }),
  canvasElements: whole({
    section: 'canvas',
    name: 'Elements of a canvas',
    says: 'The most elements that one canvas may have.',
    unit: 'count',
    usual: 200,
    least: 1,
    most: 2_000,
    places: INSTALLATION,
  }),
  canvasElementBytes: whole({
    section: 'canvas',
    name: 'Size of an element',
    says: 'The most that one element, or one answer to a form, may have as JSON.',
    unit: 'bytes',
    usual: 65_536,
    least: 1_024,
    most: 4_194_304,
    places: INSTALLATION,
  }),
  canvasBytes: whole({
    section: 'canvas',
    name: 'Size of a canvas',
    says: 'The most that all elements of a canvas may have together as JSON.',
    unit: 'bytes',
    usual: 4_194_304,
    least: 1_024,
    most: 33_554_432,
    places: INSTALLATION,
  }),
  memoryNoteTokens: whole({
    section: 'memories',
    name: 'Memories in a request',
    says: 'The most that the model is told of what is remembered.',
    unit: 'tokens',
    usual: 1_000,
    least: 200,
    most: 1_500,
    places: INSTALLATION,
  }),
  mostMemories: whole({
    section: 'memories',
    name: 'Memories of a person',
    says: 'The most that is remembered of one person.',
    unit: 'count',
    usual: 500,
    least: 1,
    most: 5_000,
    places: INSTALLATION,
  }),
  memoryChars: whole({
    section: 'memories',
    name: 'Length of a memory',
    says: 'The most that one memory may have.',
    unit: 'characters',
    usual: 1_000,
    least: 50,
    most: 4_000,
    places: INSTALLATION,
  }),
  autoTitles: setting<boolean>({
    section: 'titles',
    name: 'Titles by themselves',
    says: 'Whether a conversation gets a title after its first answer; it costs one small request.',
    unit: 'switch',
    schema: z.boolean({ error: takenInWords({ name: 'Titles by themselves', unit: 'switch', usual: true }) }),
    usual: true,
    places: INSTALLATION,
  }),
  titleChars: whole({
    section: 'titles',
    name: 'Length of a title',
    says: 'The most that a title that the model gave may have.',
    unit: 'characters',
    usual: 65,
    least: 10,
    most: 200,
    places: INSTALLATION,
  }),
} as const

/** Names a setting. */
export type SettingKey = keyof typeof SETTINGS

/** A value for every setting. */
export type Settings = { readonly [Key in SettingKey]: (typeof SETTINGS)[Key]['usual'] }

/** What an agent or a conversation may set for itself. What is absent follows what stands below. */
export const ownSettingFields = {
  thinking: SETTINGS.thinking.schema.exactOptional(),
  maxOutputTokens: SETTINGS.maxOutputTokens.schema.exactOptional(),
  replyShare: SETTINGS.replyShare.schema.exactOptional(),
  checkpointShare: SETTINGS.checkpointShare.schema.exactOptional(),
  checkpointMostTokens: SETTINGS.checkpointMostTokens.schema.exactOptional(),
  keptExchanges: SETTINGS.keptExchanges.schema.exactOptional(),
  keptShare: SETTINGS.keptShare.schema.exactOptional(),
  carriedShare: SETTINGS.carriedShare.schema.exactOptional(),
  summaryTokens: SETTINGS.summaryTokens.schema.exactOptional(),
  mapTokens: SETTINGS.mapTokens.schema.exactOptional(),
  stepsPerRun: SETTINGS.stepsPerRun.schema.exactOptional(),
  callsPerStep: SETTINGS.callsPerStep.schema.exactOptional(),
  identicalCalls: SETTINGS.identicalCalls.schema.exactOptional(),
  toolTimeoutMs: SETTINGS.toolTimeoutMs.schema.exactOptional(),
  toolOutputChars: SETTINGS.toolOutputChars.schema.exactOptional(),
  diagnostics: SETTINGS.diagnostics.schema.exactOptional(),
}

/** Values for some settings, as a file says them or the store keeps them. */
export const SomeSettings = z.strictObject({
  ...ownSettingFields,
  answerChars: SETTINGS.answerChars.schema.exactOptional(),
  firstEventMs: SETTINGS.firstEventMs.schema.exactOptional(),
  betweenEventsMs: SETTINGS.betweenEventsMs.schema.exactOptional(),
  drainMs: SETTINGS.drainMs.schema.exactOptional(),
  toolGraceMs: SETTINGS.toolGraceMs.schema.exactOptional(),
  commandNetwork: SETTINGS.commandNetwork.schema.exactOptional(),
  agentModels: SETTINGS.agentModels.schema.exactOptional(),
  mostWorktrees: SETTINGS.mostWorktrees.schema.exactOptional(),
  worktreeBytes: SETTINGS.worktreeBytes.schema.exactOptional(),
  canvasElements: SETTINGS.canvasElements.schema.exactOptional(),
  canvasElementBytes: SETTINGS.canvasElementBytes.schema.exactOptional(),
  canvasBytes: SETTINGS.canvasBytes.schema.exactOptional(),
  memoryNoteTokens: SETTINGS.memoryNoteTokens.schema.exactOptional(),
  mostMemories: SETTINGS.mostMemories.schema.exactOptional(),
  memoryChars: SETTINGS.memoryChars.schema.exactOptional(),
  autoTitles: SETTINGS.autoTitles.schema.exactOptional(),
  titleChars: SETTINGS.titleChars.schema.exactOptional(),
})
export type SomeSettings = z.infer<typeof SomeSettings>

/** All keys, in the order of the table. */
export const SETTING_KEYS: readonly SettingKey[] = SomeSettings.keyof().options.toSorted(
  (one, other) => placeOf(one) - placeOf(other),
)

/** The values that hold where nobody set anything. [DEFAULTS] */
export const USUAL_SETTINGS: Settings = {
  thinking: SETTINGS.thinking.usual,
  maxOutputTokens: SETTINGS.maxOutputTokens.usual,
  replyShare: SETTINGS.replyShare.usual,
  checkpointShare: SETTINGS.checkpointShare.usual,
  checkpointMostTokens: SETTINGS.checkpointMostTokens.usual,
  keptExchanges: SETTINGS.keptExchanges.usual,
  keptShare: SETTINGS.keptShare.usual,
  carriedShare: SETTINGS.carriedShare.usual,
  summaryTokens: SETTINGS.summaryTokens.usual,
  mapTokens: SETTINGS.mapTokens.usual,
  stepsPerRun: SETTINGS.stepsPerRun.usual,
  callsPerStep: SETTINGS.callsPerStep.usual,
  identicalCalls: SETTINGS.identicalCalls.usual,
  answerChars: SETTINGS.answerChars.usual,
  firstEventMs: SETTINGS.firstEventMs.usual,
  betweenEventsMs: SETTINGS.betweenEventsMs.usual,
  drainMs: SETTINGS.drainMs.usual,
  toolTimeoutMs: SETTINGS.toolTimeoutMs.usual,
  toolGraceMs: SETTINGS.toolGraceMs.usual,
  toolOutputChars: SETTINGS.toolOutputChars.usual,
  diagnostics: SETTINGS.diagnostics.usual,
  commandNetwork: SETTINGS.commandNetwork.usual,
  agentModels: SETTINGS.agentModels.usual,
  mostWorktrees: SETTINGS.mostWorktrees.usual,
  worktreeBytes: SETTINGS.worktreeBytes.usual,
  canvasElements: SETTINGS.canvasElements.usual,
  canvasElementBytes: SETTINGS.canvasElementBytes.usual,
  canvasBytes: SETTINGS.canvasBytes.usual,
  memoryNoteTokens: SETTINGS.memoryNoteTokens.usual,
  mostMemories: SETTINGS.mostMemories.usual,
  memoryChars: SETTINGS.memoryChars.usual,
  autoTitles: SETTINGS.autoTitles.usual,
  titleChars: SETTINGS.titleChars.usual,
}

function placeOf(key: SettingKey): number {
  return Object.keys(SETTINGS).indexOf(key)
}

/** A number between bounds. */
interface BoundedSetting extends Setting<number> {
  readonly least: number
  readonly most: number
}

/** Keeps the type of the value, so that a row of another type does not compile. */
function setting<Value>(row: Setting<Value>): Setting<Value> {
  return { ...row, schema: row.schema.describe(row.says) }
}

function whole(row: Omit<BoundedSetting, 'schema'>): BoundedSetting {
  return { ...row, schema: wholeIn(row).describe(row.says) }
}

function share(row: Omit<BoundedSetting, 'schema' | 'unit'>): BoundedSetting {
  const words = { error: takenInWords({ ...row, unit: 'share' }) }
  const schema = z.number(words).min(row.least, words).max(row.most, words).describe(row.says)
  return { ...row, unit: 'share', schema }
}

/** What a bounded setting says of itself. */
type Bounds = Pick<BoundedSetting, 'name' | 'unit' | 'least' | 'most'> & { readonly usual: number | null }

function wholeIn(row: Bounds): z.ZodInt {
  const words = { error: takenInWords(row) }
  return z.int(words).min(row.least, words).max(row.most, words)
}

interface ChoiceOf<Word extends string> {
  readonly name: string
  readonly usual: Word
  readonly choices: readonly [Word, ...Word[]]
}

function choice<const Word extends string>(row: ChoiceOf<Word>) {
  return z.enum(row.choices, { error: takenInWords({ ...row, unit: 'choice' }) })
}

function thinkingIn({ least, most }: Pick<BoundedSetting, 'least' | 'most'>) {
  const levels = ['off', 'low', 'medium', 'high'] as const
  const words = {
    error: takenInWords({ name: 'Thinking', unit: 'choice', usual: 'off', choices: levels, least, most }),
  }
  return z.union([z.enum(levels, words), z.int(words).min(least, words).max(most, words)], words)
}
