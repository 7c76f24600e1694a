import type { JsonRecord } from '../json.ts'
import type { StrictModel } from '../model.ts'
import type { Refusal } from '../violation.ts'
import { type ChatMessage, chatMessagesOf, contentText } from './messages.ts'
import { refuse } from './refuse.ts'

/** What servers refuse that speak Chat Completions and are stricter than OpenAI. */
export function checkDialect(body: JsonRecord, model: StrictModel): readonly Refusal[] {
  const messages = chatMessagesOf(body)
  const prefill = model.prefill === 'refused' ? checkLast(messages) : []
  switch (model.chatDialect) {
    case 'openai':
      return prefill
    case 'moonshot':
      return [...checkNotEmpty(messages), ...checkReasoning(messages, model), ...prefill]
    case 'template':
      return [...checkTemplate(messages), ...checkLast(messages)]
  }
}

function checkNotEmpty(messages: readonly ChatMessage[]): readonly Refusal[] {
  return messages.flatMap(({ path, role, content, calls }, index): readonly Refusal[] => {
    const hasImage = Array.isArray(content) && content.length > 0 && contentText(content) === ''
    if (calls.length > 0 || hasImage || contentText(content).trim() !== '') return []
    const message = `Invalid request: the message at position ${index} with role '${role}' must not be empty`
    return [refuse({ rule: 'C1', path, message })]
  })
}

/** Inside a tool loop the model wants the reasoning of each of its steps back. */
function checkReasoning(messages: readonly ChatMessage[], { thinking }: StrictModel): readonly Refusal[] {
  if (thinking === 'none') return []
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  return messages.flatMap(({ path, calls, value }, index): readonly Refusal[] => {
    const reasoning = value.reasoning_content
    if (index < lastUser || calls.length === 0 || (typeof reasoning === 'string' && reasoning !== '')) return []
    const message = `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`
    return [refuse({ rule: 'C1', path, message })]
  })
}

const SHORT_ID = /^[a-zA-Z0-9]{9}$/

function checkTemplate(messages: readonly ChatMessage[]): readonly Refusal[] {
  return messages.flatMap(({ path, role, calls }, index): readonly Refusal[] => {
    const before = messages[index - 1]?.role
    const found: Refusal[] = []
    const isMisplaced =
      (role === 'system' && index > 0) ||
      (role === 'user' && before === 'tool') ||
      (role === 'assistant' && (before === undefined || before === 'system'))
    if (isMisplaced) {
      const message = `Unexpected role '${role}' after role '${before ?? 'none'}'`
      found.push(refuse({ rule: 'C1', path: `${path}.role`, message, code: 'invalid_request_message_order' }))
    }
    for (const call of calls) {
      if (SHORT_ID.test(call.id)) continue
      const message = `Tool call id was ${call.id} but must be a-z, A-Z, 0-9, with a length of 9.`
      found.push(refuse({ rule: 'C1', path: `${call.path}.id`, message, code: 'invalid_function_call' }))
    }
    return found
  })
}

function checkLast(messages: readonly ChatMessage[]): readonly Refusal[] {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return []
  const message = 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant'
  return [refuse({ rule: 'C1', path: last.path, message, code: 'invalid_request_message_order' })]
}
