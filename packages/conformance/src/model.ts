/** How a model's prompt cache works. */
export type CacheRules =
  | { readonly type: 'none' }
  /** The client marks blocks; a prefix is written at a mark and found from a later mark, some blocks back. */
  | { readonly type: 'marks'; readonly minimumTokens: number; readonly lookBackBlocks: number }
  /** The server finds the longest known prefix by itself and counts it in steps. */
  | {
      readonly type: 'automatic'
      readonly minimumTokens: number
      readonly stepTokens: number
      readonly lifetimeMs: number
    }

/** What the strict provider knows of one model. */
export interface StrictModel {
  readonly id: string
  /** Signed thinking is readable inside a family. */
  readonly family: string
  /** Other families whose thinking this model reads. */
  readonly readsThinkingOf: readonly string[]
  readonly contextWindow: number
  readonly maxOutputTokens: number
  /**
   * `signed`: the signature covers the thinking itself. `bound`: it also covers instructions, tools, all earlier
   * messages and the thinking before. `none`: the model takes no thinking.
   */
  readonly thinking: 'none' | 'signed' | 'bound'
  /** Whether the last message may be the assistant's. */
  readonly prefill: 'allowed' | 'refused'
  /** Whether instructions may stand between messages (Anthropic only). */
  readonly systemMessages: 'allowed' | 'refused'
  /**
   * How strict a Chat Completions server is: `moonshot` refuses empty messages and wants its reasoning back, `template`
   * has a chat template as Mistral's: one system message, short call ids, no user right after a tool.
   */
  readonly chatDialect: 'openai' | 'moonshot' | 'template'
  /** Whether Gemini's first call of a step must carry its signature. */
  readonly callSignatures: 'required' | 'optional'
  readonly cache: CacheRules
}

const MARKS: CacheRules = { type: 'marks', minimumTokens: 1_024, lookBackBlocks: 20 }

/** A model with the usual rules and what is given. */
export function createModel(given: Partial<StrictModel> & { readonly id: string }): StrictModel {
  return {
    family: given.id,
    readsThinkingOf: [],
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    thinking: 'signed',
    prefill: 'allowed',
    systemMessages: 'refused',
    chatDialect: 'openai',
    callSignatures: 'optional',
    cache: MARKS,
    ...given,
  }
}

const MINUTE_MS = 60_000
const OPENAI_CACHE: CacheRules = {
  type: 'automatic',
  minimumTokens: 1_024,
  stepTokens: 128,
  lifetimeMs: 10 * MINUTE_MS,
}
const GEMINI_CACHE: CacheRules = { type: 'automatic', minimumTokens: 1_024, stepTokens: 1, lifetimeMs: 10 * MINUTE_MS }
const BOUND = { thinking: 'bound', prefill: 'refused', systemMessages: 'allowed', contextWindow: 1_000_000 } as const

/** The models that a provider has where none are given: one of each behaviour. */
export const STRICT_MODELS: readonly StrictModel[] = [
  createModel({ id: 'claude-opus-5-5', family: 'claude-5-5', readsThinkingOf: ['claude-4-5'], ...BOUND }),
  createModel({ id: 'claude-sonnet-5-5', family: 'claude-5-5', readsThinkingOf: ['claude-4-5'], ...BOUND }),
  createModel({ id: 'claude-sonnet-4-5', family: 'claude-4-5' }),
  createModel({ id: 'anthropic.claude-sonnet-4-5-v1:0', family: 'claude-4-5' }),
  createModel({
    id: 'anthropic.claude-opus-5-5-v1:0',
    family: 'claude-5-5',
    readsThinkingOf: ['claude-4-5'],
    ...BOUND,
    systemMessages: 'refused',
  }),
  createModel({ id: 'gpt-5.2', contextWindow: 400_000, maxOutputTokens: 128_000, cache: OPENAI_CACHE }),
  createModel({ id: 'gpt-4.1', contextWindow: 1_047_576, thinking: 'none', cache: OPENAI_CACHE }),
  createModel({ id: 'kimi-k2-thinking', contextWindow: 262_144, chatDialect: 'moonshot', cache: OPENAI_CACHE }),
  createModel({
    id: 'mistral-medium',
    contextWindow: 131_072,
    thinking: 'none',
    chatDialect: 'template',
    cache: { type: 'none' },
  }),
  createModel({
    id: 'gemini-3-pro',
    contextWindow: 1_048_576,
    callSignatures: 'required',
    prefill: 'refused',
    cache: GEMINI_CACHE,
  }),
]
