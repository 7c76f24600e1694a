import { THINKING_DROPPED } from '@holdfast/context'
import { type NewEntry, THINKING_OFF } from '@holdfast/conversation'
import type { ModelRequest, ProviderError, RequestMessage } from '@holdfast/provider'
import type { Billed } from '../api/billed.ts'
import { ENGINE } from '../log/engine-actor.ts'

/**
 * What a request is repeated without, because its provider refused it: thinking, of this model from here on or in the
 * calls of this run alone, or the thinking of earlier answers.
 */
export type Without = 'thinking' | 'thinking-here' | 'earlier-thinking'

/** What the provider did not accept of a request, if it can be asked again without; null for nothing. [RUN13, REQ4] */
export function whatToLeaveOut(
  cause: ProviderError | null,
  { thinkingBudgetTokens, messages }: ModelRequest,
): Without | null {
  switch (cause?.detail ?? null) {
    case 'thinking-parameters':
      if (thinkingBudgetTokens === null) return null
      // Calls that began without thinking go on without: that says nothing of the model.
      return messages.findLast(({ role }) => role !== 'user')?.role === 'tool' ? 'thinking-here' : 'thinking'
    case 'thinking-signature':
      return messages.some(holdsThinking) ? 'earlier-thinking' : null
    case null:
      return null
  }
}

function holdsThinking(message: RequestMessage): boolean {
  return message.role === 'assistant' && message.blocks.some(({ type }) => type === 'thinking')
}

/** Says that less is done than was asked. The code, and the model that it names, are what later requests are built by. [RUN13] */
export function leftOutNotice(
  without: Without,
  { runId, model }: { readonly runId: string; readonly model: Billed },
): NewEntry {
  const about = { type: 'notice-raised', actor: ENGINE, severity: 'warning', runId } as const
  const { providerId, modelId } = model
  switch (without) {
    case 'thinking':
      return {
        ...about,
        code: THINKING_OFF,
        text: 'The provider refused to let the model think as it was asked to. It answers without thinking.',
        until: 'the way it thinks is set anew',
        model: { providerId, modelId },
      }
    case 'thinking-here':
      return {
        ...about,
        code: THINKING_OFF,
        text: 'The provider refused to let the model think in the middle of its calls. It answers without thinking.',
        until: 'the end of this run',
      }
    case 'earlier-thinking':
      return {
        ...about,
        code: THINKING_DROPPED,
        text: 'The provider did not accept the thinking of earlier answers. It is no longer sent; nothing else is left out.',
      }
  }
}
