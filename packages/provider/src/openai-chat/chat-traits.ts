import type { Json } from '@holdfast/conversation'
import { thinkingEffort } from '../wire/thinking-effort.ts'

/** In what a server, or one model of it, differs from others that speak the same format. */
export interface ChatTraits {
  /** What the instructions are called. */
  readonly systemRole: 'system' | 'developer'
  /** What the limit of output is called. */
  readonly outputLimitField: 'max_tokens' | 'max_completion_tokens'
  /** Whether a user message may hold images. Where not, the model is told of them in words. */
  readonly images: boolean
  /** The field in which thinking of earlier steps is sent again; null where servers refuse it or have no use for it. */
  readonly reasoningReplay: 'reasoning_content' | 'reasoning' | 'reasoning_details' | null
  /** Whether the server, while it thinks, refuses an assistant message with calls and without thinking. */
  readonly reasoningBesideCalls: boolean
  /** How a budget for thinking is said; null where it cannot be said. */
  readonly thinking: 'effort' | 'openrouter' | null
  /** Mistral's templates take ids of nine characters only. */
  readonly shortCallIds: boolean
  /** Mistral's templates take no user message right after a tool's: an assistant's stands between. */
  readonly answersBeforeUser: boolean
}

/** What nearly every server accepts. */
export const PLAIN_CHAT: ChatTraits = {
  systemRole: 'system',
  outputLimitField: 'max_tokens',
  images: true,
  reasoningReplay: null,
  reasoningBesideCalls: false,
  thinking: null,
  shortCallIds: false,
  answersBeforeUser: false,
}

/** A budget for thinking in the words of a server. */
export function thinkingParameters(
  budgetTokens: number | null,
  form: ChatTraits['thinking'],
): Readonly<Record<string, Json>> {
  if (budgetTokens === null || form === null) return {}
  switch (form) {
    case 'openrouter':
      return { reasoning: { max_tokens: budgetTokens } }
    case 'effort':
      return { reasoning_effort: thinkingEffort(budgetTokens) }
  }
}
