import type { CheckState } from '../check-state.ts'
import type { JsonRecord } from '../json.ts'
import { tokensOf } from '../segment.ts'
import type { Refusal } from '../violation.ts'
import { checkDialect } from './check-dialect.ts'
import { checkShape } from './check-shape.ts'
import { checkToolPairs } from './check-tools.ts'
import { chatSegments } from './messages.ts'
import { refuse } from './refuse.ts'

/** What a Chat Completions server refuses; the model's dialect says how strict it is. */
export function checkOpenaiChat(body: JsonRecord, state: CheckState): readonly Refusal[] {
  return [...checkShape(body), ...checkToolPairs(body), ...checkDialect(body, state.model), ...checkSize(body, state)]
}

function checkSize(body: JsonRecord, { model, tokenizer }: CheckState): readonly Refusal[] {
  const { max_tokens, max_completion_tokens } = body
  const asked = max_completion_tokens ?? max_tokens
  const found: Refusal[] = []
  if (typeof asked === 'number' && asked > model.maxOutputTokens) {
    const message = `max_tokens is too large: ${asked}. This model supports at most ${model.maxOutputTokens} completion tokens, whereas you provided ${asked}.`
    found.push(refuse({ rule: 'SIZE', path: 'max_tokens', message, code: 'invalid_value' }))
  }
  const tokens = tokensOf(chatSegments(body, tokenizer))
  if (tokens > model.contextWindow) {
    const message =
      `This model's maximum context length is ${model.contextWindow} tokens. However, your messages resulted in ` +
      `${tokens} tokens. Please reduce the length of the messages.`
    found.push(refuse({ rule: 'SIZE', path: 'messages', message, code: 'context_length_exceeded' }))
  }
  return found
}
