import { anthropicSegments } from '../anthropic/blocks.ts'
import { checkThinking } from '../anthropic/check-thinking.ts'
import type { CheckState } from '../check-state.ts'
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from '../json.ts'
import { tokensOf } from '../segment.ts'
import type { Refusal } from '../violation.ts'
import { checkCachePoints } from './check-cache-points.ts'
import { checkToolPairs } from './check-tools.ts'
import { type ConverseMessage, messagesOf } from './messages.ts'
import { refuse } from './refuse.ts'
import { toAnthropicBody } from './to-anthropic.ts'

/** What Bedrock refuses in a Converse request; what the model refuses comes back in Bedrock's words. */
export function checkConverse(body: JsonRecord, state: CheckState): readonly Refusal[] {
  const messages = messagesOf(body)
  if (messages.length === 0) {
    const message =
      'A conversation must start with a user message. Try again with a conversation that starts with a user message.'
    return [refuse('B1', 'messages', message)]
  }
  const behind = toAnthropicBody(body)
  const models = checkThinking(behind, state).map(({ rule, path, message }) =>
    refuse(rule === 'A4' ? 'B4' : rule, path, `The model returned the following errors: ${message}`),
  )
  return [
    ...checkOrder(messages),
    ...messages.flatMap(checkContent),
    ...listOf(body.system).flatMap((item, index) => checkText(recordOf(item), `system.${index}`)),
    ...checkToolPairs(body),
    ...checkCachePoints(body),
    ...checkLast(messages, state),
    ...models,
    ...checkSize(behind, state),
  ]
}

function checkOrder(messages: readonly ConverseMessage[]): readonly Refusal[] {
  return messages.flatMap(({ path, role }, index): readonly Refusal[] => {
    if (role !== 'user' && role !== 'assistant') {
      const rule = role === 'system' ? 'B6' : 'B1'
      const message = `1 validation error detected: Value '${role}' at '${path}.role' failed to satisfy constraint: Member must satisfy enum value set: [user, assistant]`
      return [refuse(rule, `${path}.role`, message)]
    }
    const before = messages[index - 1]
    if (before === undefined && role !== 'user') {
      const message =
        'A conversation must start with a user message. Try again with a conversation that starts with a user message.'
      return [refuse('B1', path, message)]
    }
    if (before?.role !== role) return []
    const message =
      'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.'
    return [refuse('B1', path, message)]
  })
}

function checkContent({ path, blocks }: ConverseMessage): readonly Refusal[] {
  if (blocks.length === 0) {
    const message = `The content field in the Message object at ${path} is empty. Add a ContentBlock object to the content field and try again.`
    return [refuse('B1', path, message)]
  }
  return blocks.flatMap(({ path: where, value }) => {
    const inner = isRecord(value.toolResult) ? listOf(value.toolResult.content).filter(isRecord) : []
    return [
      ...checkText(value, where),
      ...inner.flatMap((item, index) => checkText(item, `${where}.toolResult.content.${index}`)),
    ]
  })
}

function checkText({ text }: JsonRecord, path: string): readonly Refusal[] {
  if (typeof text !== 'string') return []
  if (!text.isWellFormed()) return [refuse('SHAPE', path, 'The request body is not valid JSON.')]
  if (text.trim() !== '') return []
  const message = `The text field in the ContentBlock object at ${path} is blank. Add text to the text field, and try again.`
  return [refuse('B1', path, message)]
}

function checkLast(messages: readonly ConverseMessage[], { model }: CheckState): readonly Refusal[] {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return []
  const prefix = 'The model returned the following errors: '
  if (model.prefill === 'refused') {
    const message =
      'This model does not support assistant message prefill. The conversation must end with a user message.'
    return [refuse('B1', last.path, prefix + message)]
  }
  const text = textOf(last.blocks.at(-1)?.value.text)
  return /\s$/.test(text)
    ? [refuse('B1', last.path, `${prefix}messages: final assistant content cannot end with trailing whitespace`)]
    : []
}

function checkSize(behind: JsonRecord, { model, tokenizer }: CheckState): readonly Refusal[] {
  if (tokensOf(anthropicSegments(behind, tokenizer)) <= model.contextWindow) return []
  return [refuse('SIZE', 'messages', 'Input is too long for requested model.')]
}
