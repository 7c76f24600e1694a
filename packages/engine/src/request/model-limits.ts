import { type ContextLimits, DEFAULT_SHARES } from '@holdfast/context'
import type { ConversationSettings } from '@holdfast/conversation'
import type { ModelChoice } from '../api/ports.ts'

/** An answer may take this share of the window where nothing else is set. */
const OUTPUT_SHARE = 0.25

/** What is set for the model; two names are ours, the others are the provider's. */
export function parametersOf({ parameters }: ConversationSettings, { facts }: ModelChoice) {
  const { thinkingBudgetTokens, maxOutputTokens, ...others } = parameters ?? {}
  const { contextWindowTokens } = facts
  const share = contextWindowTokens === null ? null : Math.floor(contextWindowTokens * OUTPUT_SHARE)
  const usual = facts.maxOutputTokens === null ? null : Math.min(facts.maxOutputTokens, share ?? facts.maxOutputTokens)
  return {
    thinkingBudgetTokens: typeof thinkingBudgetTokens === 'number' ? thinkingBudgetTokens : null,
    maxOutputTokens: typeof maxOutputTokens === 'number' ? maxOutputTokens : usual,
    parameters: others,
  }
}

export function limitsOf({ facts }: ModelChoice, maxOutputTokens: number | null): ContextLimits | null {
  const windowTokens = facts.contextWindowTokens
  if (windowTokens === null) return null
  const reservedOutputTokens = maxOutputTokens ?? Math.floor(windowTokens * OUTPUT_SHARE)
  const summaryTokens = Math.min(DEFAULT_SHARES.summaryTokens, Math.floor(windowTokens / 10))
  return { windowTokens, reservedOutputTokens, ...DEFAULT_SHARES, summaryTokens }
}
