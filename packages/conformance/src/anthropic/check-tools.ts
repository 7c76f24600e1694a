import { isRecord, type JsonRecord, textOf } from '../json.ts'
import type { Refusal } from '../violation.ts'
import { type Block, type Message, messagesOf } from './blocks.ts'
import { refuse } from './refuse.ts'

const CALL_ID = /^[a-zA-Z0-9_-]{1,64}$/

/** Every call has exactly one result, in the very next message, before anything else there. */
export function checkToolPairs(body: JsonRecord): readonly Refusal[] {
  const messages = messagesOf(body)
  return [
    ...checkIds(messages),
    ...messages.flatMap((message, index) => checkAnswered(message, messages[index + 1])),
    ...messages.flatMap((message, index) => checkResults(message, messages[index - 1])),
  ]
}

function callsOf(message: Message | undefined): readonly Block[] {
  return message?.role === 'assistant' ? message.blocks.filter(({ type }) => type === 'tool_use') : []
}

function resultsOf(message: Message | undefined): readonly Block[] {
  return message?.role === 'user' ? message.blocks.filter(({ type }) => type === 'tool_result') : []
}

function checkIds(messages: readonly Message[]): readonly Refusal[] {
  const seen = new Set<string>()
  return messages.flatMap(callsOf).flatMap(({ path, value }): readonly Refusal[] => {
    const id = textOf(value.id)
    const isRepeated = seen.has(id)
    seen.add(id)
    if (!CALL_ID.test(id)) {
      return [refuse('A2', `${path}.id`, `${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`)]
    }
    if (isRepeated) return [refuse('A2', path, `${path}: \`tool_use\` ids must be unique`)]
    return isRecord(value.input)
      ? []
      : [refuse('A2', `${path}.input`, `${path}.tool_use.input: Input should be a valid dictionary`)]
  })
}

function checkAnswered(message: Message, next: Message | undefined): readonly Refusal[] {
  const calls = callsOf(message)
  if (calls.length === 0) return []
  // Results must stand before everything else, so only those at the start count.
  const rest = next?.blocks ?? []
  const leading = rest.slice(0, firstOther(rest)).map(({ value }) => textOf(value.tool_use_id))
  const missing = calls.map(({ value }) => textOf(value.id)).filter((id) => !leading.includes(id))
  if (missing.length === 0) return []
  const path = `messages.${message.index + (next === undefined ? 0 : 1)}`
  const words =
    '`tool_use` ids were found without `tool_result` blocks immediately after: ' +
    `${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
  return [refuse('A2', path, `${path}: ${words}`)]
}

function firstOther(blocks: readonly Block[]): number {
  const index = blocks.findIndex(({ type }) => type !== 'tool_result')
  return index === -1 ? blocks.length : index
}

function checkResults(message: Message, previous: Message | undefined): readonly Refusal[] {
  const known = new Set(callsOf(previous).map(({ value }) => textOf(value.id)))
  const answered = new Set<string>()
  return resultsOf(message).flatMap(({ path, value }): readonly Refusal[] => {
    const id = textOf(value.tool_use_id)
    if (!known.has(id)) {
      const words =
        `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
        'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
      return [refuse('A2', path, `${path}: ${words}`)]
    }
    if (answered.has(id)) {
      const words = `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`
      return [refuse('A2', path, `${path}: ${words}`)]
    }
    answered.add(id)
    return []
  })
}
