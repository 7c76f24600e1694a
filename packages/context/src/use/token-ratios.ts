import type { Entry, EntryOf, Projection } from '@holdfast/conversation'
import type { NamedModel } from '../sent/model-findings.ts'
import { isAnswering } from '../sent/sent-steps.ts'
import { WINDOW_LEARNT } from '../sent/window-learnt.ts'
import { modelFamily } from '../size/model-family.ts'
import { EXCERPTS_SMALLER } from '../size/smaller-excerpts.ts'
import { blockSize, MESSAGE_WEIGHT, NO_SIZE, partSize, plus, type Size } from '../size/weight.ts'

/** What was measured of one model: weight, and the tokens that it came to. */
export interface LearntRatio {
  readonly weight: number
  readonly tokens: number
}

/** What has been learnt from measured requests, and what the next measurement is compared with. */
export interface TokenRatios {
  /** By `provider/model`. */
  readonly models: Readonly<Record<string, LearntRatio>>
  /** The last measured step, and the size of what has come into the path since. */
  readonly last: MeasuredStep | null
  readonly step: OpenStep | null
}

/** The last measured step: what it read and wrote, and the size of what has come since. */
interface MeasuredStep {
  readonly model: string
  readonly tokens: number
  readonly thought: boolean
  readonly since: Size
}

/** A step that is not measured yet, with the size of its answer without thinking. */
interface OpenStep {
  readonly stepId: string
  readonly model: string
  readonly answer: Size
  readonly thought: boolean
}

/**
 * Weight of one token before anything is measured, by the beginning of the family's name: Claude and GPT fitted together
 * with the weights of texts, Gemini by too few samples to fit. [DEFAULTS, COST5]
 */
const RATIOS: readonly (readonly [RegExp, number])[] = [
  [/^claude/, 2.75],
  [/^(?:gpt|o\d|chatgpt)/, 3.67],
  [/^gemini/, 3.2],
]
const OTHER_RATIO = 2.5

/** So many tokens count as known before the first measurement, so that one odd sample moves the ratio little. */
const PRIOR_TOKENS = 400

/** Beyond so many tokens old samples count half: the kind of text changes. */
const MEMORY_TOKENS = 60_000

/** A sample below this says more about what stands around a text than about the text. */
const LEAST_SAMPLE_TOKENS = 40

/** A model's ratio of weight to tokens, learnt from what its requests were measured to hold. [COST5] */
export const tokenRatios: Projection<TokenRatios> = {
  name: 'token-ratios',
  version: 5,
  initial: { models: {}, last: null, step: null },
  reduce(state, entries) {
    const models = new Map(Object.entries(state.models))
    let { last, step } = state
    for (const entry of entries) {
      switch (entry.type) {
        case 'user-message-sent':
        case 'tool-call-settled':
        case 'context-noted':
        case 'stop-noted':
        case 'changes-decided':
          // Providers drop the thinking of earlier turns by rules of their own.
          if (last?.thought && entry.type === 'user-message-sent') last = null
          if (last) last = { ...last, since: plus(last.since, sizeOf(entry)) }
          break
        case 'step-started':
          if (isAnswering(entry.purpose)) {
            const model = `${entry.providerId}/${entry.modelId}`
            step = { stepId: entry.stepId, model, answer: NO_SIZE, thought: false }
          }
          break
        case 'step-finished':
          if (entry.stepId === step?.stepId) step = { ...step, ...answerOf(entry) }
          break
        case 'usage-recorded':
          if (entry.stepId === undefined || entry.stepId !== step?.stepId) break
          // A request that was refused says nothing of its size; what has come since goes on counting.
          if (!entry.measured) last = null
          else if (!isRefused(entry)) {
            if (!step.thought || entry.thinkingTokens > 0)
              learn(models, step.model, step.answer.weight, entry.outputTokens - entry.thinkingTokens)
            const prompt = promptTokens(entry)
            if (last?.model === step.model)
              learn(models, step.model, last.since.weight, prompt - last.tokens - last.since.mediaTokens)
            const tokens = prompt + entry.outputTokens
            last = { model: step.model, tokens, thought: step.thought, since: NO_SIZE }
          }
          step = null
          break
        case 'notice-raised':
          if (entry.code === EXCERPTS_SMALLER || entry.code === WINDOW_LEARNT) last = null
          break
        case 'path-rewound':
        case 'path-selected':
        case 'checkpoint-made':
        case 'checkpoint-undone':
        case 'window-moved':
        case 'exclusion-changed':
        case 'tools-changed':
        case 'settings-changed':
        case 'agent-switched':
          last = null
          break
        default:
          break
      }
    }
    return { models: Object.fromEntries(models), last, step }
  },
}

/** Whether a record is of a request that was turned away before it was read: known to the token, and of no size. */
export function isRefused(usage: EntryOf<'usage-recorded'>): boolean {
  return usage.measured && promptTokens(usage) === 0
}

/**
 * Says how much one token of a model weighs before anything is measured. An implementer answers the same for the same
 * model as long as the process runs, and with a number above 0; else requests of one log differ.
 */
export interface TokenEstimator {
  tokenWeight(model: NamedModel): number
}

/** The estimator by families of models. [DEFAULTS] */
export const familyEstimator: TokenEstimator = {
  tokenWeight: ({ modelId }) => RATIOS.find(([family]) => family.test(modelFamily(modelId)))?.[1] ?? OTHER_RATIO,
}

/**
 * Weight of one token of a model: learnt, where there is something to learn from. Until then by the estimator, that of
 * the families where none is given. [COST5]
 */
export function ratioOf(ratios: TokenRatios, model: NamedModel, estimator?: TokenEstimator): number {
  const known = (estimator ?? familyEstimator).tokenWeight(model)
  const learnt = ratios.models[`${model.providerId}/${model.modelId}`]
  if (!learnt) return known
  return (learnt.weight + PRIOR_TOKENS * known) / (learnt.tokens + PRIOR_TOKENS)
}

/** Everything that a measured request read: new, from the cache, and into the cache. */
export function promptTokens(usage: EntryOf<'usage-recorded'>): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheCreation5mTokens + usage.cacheCreation1hTokens
}

/** A sample that cannot be one is none: a provider that counts otherwise, or a request that was cut. */
function learn(models: Map<string, LearntRatio>, model: string, weight: number, tokens: number): void {
  if (tokens < LEAST_SAMPLE_TOKENS || weight < tokens / 2 || weight > tokens * 10) return
  const known = models.get(model) ?? { weight: 0, tokens: 0 }
  const kept = known.tokens + tokens > MEMORY_TOKENS ? 0.5 : 1
  models.set(model, { weight: known.weight * kept + weight, tokens: known.tokens * kept + tokens })
}

type Said = EntryOf<'user-message-sent' | 'tool-call-settled' | 'context-noted' | 'stop-noted' | 'changes-decided'>

function sizeOf(entry: Said): Size {
  if (entry.type === 'changes-decided' && entry.note === undefined) return NO_SIZE
  const parts = 'content' in entry ? entry.content : [{ type: 'text' as const, text: wordsOf(entry) }]
  return parts.map((part) => partSize(part, '')).reduce(plus, { weight: MESSAGE_WEIGHT, mediaTokens: 0 })
}

function wordsOf(entry: EntryOf<'context-noted' | 'stop-noted' | 'changes-decided'>): string {
  return entry.type === 'changes-decided' ? (entry.note ?? '') : entry.text
}

function answerOf({ blocks }: Extract<Entry, { type: 'step-finished' }>): { answer: Size; thought: boolean } {
  return {
    answer: blocks
      .filter(({ type }) => type !== 'thinking')
      .map(blockSize)
      .reduce(plus, NO_SIZE),
    thought: blocks.some(({ type }) => type === 'thinking'),
  }
}
