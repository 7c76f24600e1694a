import type { EntryOf } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import type { LoanRequest } from '@holdfast/tool'

/** What a call that is lent the model asks it, as the question to the owner keeps it. [TOOL13] */
export type LentWords = NonNullable<EntryOf<'question-asked'>['lends']>

/** The words of a wish. */
export function lentWords({ system, messages }: LoanRequest): LentWords {
  return {
    system: system.toWellFormed(),
    messages: messages.map(({ role, text }) => ({ role, text: text.toWellFormed() })),
  }
}

/** The request that asks the model so. Neighbours of one role are one message, as every provider wants it. */
export function lentRequest(
  { system, messages }: LentWords,
  { modelId, maxOutputTokens }: Pick<ModelRequest, 'modelId' | 'maxOutputTokens'>,
): ModelRequest {
  const joined: { role: 'user' | 'assistant'; texts: string[] }[] = []
  for (const { role, text } of messages) {
    const last = joined.at(-1)
    if (last?.role === role) last.texts.push(text)
    else joined.push({ role, texts: [text] })
  }
  return {
    modelId,
    system,
    tools: [],
    toolChoice: 'auto',
    messages: joined.map(({ role, texts }) => {
      const parts = texts.map((text) => ({ type: 'text' as const, text }))
      return role === 'user' ? { role, parts } : { role, blocks: parts }
    }),
    maxOutputTokens,
    thinkingBudgetTokens: null,
    parameters: {},
    cacheMarks: null,
  }
}
