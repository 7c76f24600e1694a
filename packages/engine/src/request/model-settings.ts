import { type ContextLimits, contextLimits, limitProblems } from '@holdfast/context'
import {
  type ConversationSettings,
  type Json,
  type SettingProblem,
  type Settings,
  settingProblems,
  settingsOfConversation,
  THINKING_SHARE,
  type Thinking,
} from '@holdfast/conversation'
import type { ModelFacts } from '@holdfast/provider'

/** What settings come to for one request to one model. */
export interface AnswerLimits {
  /** The one figure that is asked for and kept free; null where neither a limit nor a window is known. [COST11] */
  readonly maxOutputTokens: number | null
  /** The most that it may think before it answers; null for no thinking that we ask for. */
  readonly thinkingBudgetTokens: number | null
  /** What a provider calls by its own names. */
  readonly parameters: Readonly<Record<string, Json>>
  /** What is less than was set, in words; empty where all is as it was set. [RUN13] */
  readonly lessThanSet: readonly string[]
}

/** Where a model's own limit is not known, answers have so much: every model of a size that matters writes it. */
const USUAL_ANSWER_TOKENS = 8_192

/** Tokens of each level, in steps that providers with levels of their own tell apart. */
const LEVEL_TOKENS: Readonly<Record<Exclude<Thinking, number>, number | null>> = {
  off: null,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
}

/** No provider thinks in less. https://platform.claude.com/docs/en/build-with-claude/extended-thinking */
const LEAST_THINKING_TOKENS = 1_024

/** What a conversation with these settings asks of a model. Pure: the same has the same bytes. [REQ1] */
export function answerLimits(
  installation: Settings,
  { own, facts }: { readonly own: ConversationSettings; readonly facts: ModelFacts },
): AnswerLimits {
  const settings = settingsOfConversation(installation, own)
  const { maxOutputTokens: set } = settings
  const most = facts.maxOutputTokens
  const maxOutputTokens = set === null ? usualAnswer(settings, facts) : Math.min(set, most ?? set)
  const cut = `Answers may have ${set} tokens, and this model writes ${most} at most: they end there.`
  const thinking = thinkingOf(settings.thinking, { facts, maxOutputTokens })
  const { thinkingBudgetTokens: _budget, maxOutputTokens: _most, ...parameters } = own.parameters ?? {}
  return {
    maxOutputTokens,
    thinkingBudgetTokens: thinking.tokens,
    parameters,
    lessThanSet: [...(set !== null && most !== null && set > most ? [cut] : []), ...thinking.lessThanSet],
  }
}

/** How much of the window may be used for what; null where the window is not known. */
export function windowLimits(settings: Settings, facts: ModelFacts, answer: AnswerLimits): ContextLimits | null {
  const windowTokens = facts.contextWindowTokens
  const reservedOutputTokens = answer.maxOutputTokens
  if (windowTokens === null || reservedOutputTokens === null) return null
  return contextLimits(settings, { windowTokens, reservedOutputTokens })
}

/**
 * Why settings cannot hold together in a conversation; empty where they can. What was wrong before, and is not touched by
 * a change, is not what the change is refused for. [WIN10]
 */
export function contradictionOf(
  installation: Settings,
  asked: {
    readonly own: ConversationSettings
    /** Names of what is changed. */
    readonly changed: readonly string[]
    /** The model that would answer; null where there is none. */
    readonly facts: ModelFacts | null
  },
): readonly SettingProblem[] {
  const settings = settingsOfConversation(installation, asked.own)
  const { parameters } = asked.own
  const named = asked.changed.includes('parameters') ? Object.keys(parameters ?? {}) : []
  const changed = [...asked.changed, ...named].map((name) => (name === 'thinkingBudgetTokens' ? 'thinking' : name))
  const problems = settingProblems(settings).filter(({ keys }) => keys.some((key) => changed.includes(key)))
  if (problems.length > 0) return problems
  return asked.facts === null ? [] : contradictionWithModel(settings, { facts: asked.facts, changed })
}

function contradictionWithModel(
  settings: Settings,
  { facts, changed }: { readonly facts: ModelFacts; readonly changed: readonly string[] },
): readonly SettingProblem[] {
  const problems: SettingProblem[] = []
  const { maxOutputTokens, thinking } = settings
  const most = facts.maxOutputTokens
  if (changed.includes('maxOutputTokens') && maxOutputTokens !== null && most !== null && maxOutputTokens > most)
    problems.push({
      code: 'answer-over-model',
      value: maxOutputTokens,
      limit: most,
      keys: ['maxOutputTokens'],
      text: `Answers cannot have ${maxOutputTokens} tokens: this model writes ${most} at most; set ${most} or less`,
    })
  if (changed.includes('thinking') && thinking !== 'off' && facts.capabilities.thinking === false)
    problems.push({
      code: 'model-does-not-think',
      value: null,
      limit: null,
      keys: ['thinking'],
      text: 'This model does not think; turn thinking off, or choose another model',
    })
  const answer = answerLimits(settings, { own: {}, facts })
  const limits = windowLimits(settings, facts, answer)
  const touched = WINDOW_SETTINGS.filter((key) => changed.includes(key))
  if (limits !== null && touched.length > 0)
    problems.push(...limitProblems(limits).map((problem) => ({ ...problem, keys: touched })))
  return problems
}

const WINDOW_SETTINGS = [
  'maxOutputTokens',
  'replyShare',
  'checkpointShare',
  'checkpointMostTokens',
  'keptExchanges',
  'keptShare',
  'carriedShare',
  'summaryTokens',
] as const

/** What an answer may have where nothing is set: what the model writes, and no more than its share of the window. */
function usualAnswer({ replyShare }: Settings, facts: ModelFacts): number | null {
  const { maxOutputTokens: most, contextWindowTokens: window } = facts
  if (window === null) return most
  return Math.max(1, Math.min(most ?? USUAL_ANSWER_TOKENS, Math.floor(window * replyShare)))
}

function thinkingOf(
  thinking: Thinking,
  { facts, maxOutputTokens }: { readonly facts: ModelFacts; readonly maxOutputTokens: number | null },
): { readonly tokens: number | null; readonly lessThanSet: readonly string[] } {
  const asked = typeof thinking === 'number' ? thinking : LEVEL_TOKENS[thinking]
  if (asked === null) return { tokens: null, lessThanSet: [] }
  if (facts.capabilities.thinking === false)
    return { tokens: null, lessThanSet: ['This model does not think: it answers at once.'] }
  const room = maxOutputTokens === null ? asked : Math.floor(maxOutputTokens * THINKING_SHARE)
  if (room < LEAST_THINKING_TOKENS)
    return { tokens: null, lessThanSet: [`An answer of ${maxOutputTokens} tokens leaves no room to think.`] }
  const isNumber = typeof thinking === 'number'
  const cut = `It may think ${room} tokens instead of ${asked}: an answer has ${maxOutputTokens} in all.`
  return { tokens: Math.min(asked, room), lessThanSet: isNumber && asked > room ? [cut] : [] }
}
