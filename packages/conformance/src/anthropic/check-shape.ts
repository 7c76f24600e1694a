import type { CheckState } from '../check-state.ts'
import { isRecord, type JsonRecord, listOf, textOf } from '../json.ts'
import type { Refusal } from '../violation.ts'
import { type Block, type Message, messagesOf, systemBlocksOf, UNKNOWN_BLOCK } from './blocks.ts'
import { refuse } from './refuse.ts'

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/
const LEAST_BUDGET_TOKENS = 1_024

/** Roles, empty content, prefill and the fields that every request has. */
export function checkShape(body: JsonRecord, state: CheckState): readonly Refusal[] {
  const messages = messagesOf(body)
  if (messages.length === 0) return [refuse('A1', 'messages', 'messages: at least one message is required')]
  return [
    ...checkFields(body, state),
    ...checkRoles(messages, state),
    ...checkLastMessage(messages, state),
    ...systemBlocksOf(body).flatMap(checkText),
    ...messages.flatMap((message) => checkContent(message, message.index === messages.length - 1, body)),
  ]
}

function checkFields(body: JsonRecord, { model, counting }: CheckState): readonly Refusal[] {
  const maxTokens = body.max_tokens
  const found: Refusal[] = []
  if (!counting && maxTokens === undefined) found.push(refuse('SHAPE', 'max_tokens', 'max_tokens: Field required'))
  if (typeof maxTokens === 'number' && maxTokens > model.maxOutputTokens) {
    const limit = `${maxTokens} > ${model.maxOutputTokens}, which is the maximum allowed number of output tokens for ${model.id}`
    found.push(refuse('SIZE', 'max_tokens', `max_tokens: ${limit}`))
  }
  const thinking = body.thinking
  if (isRecord(thinking) && thinking.type === 'enabled') {
    const budget = Number(thinking.budget_tokens)
    if (!(budget >= LEAST_BUDGET_TOKENS)) {
      const message = 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024'
      found.push(refuse('SHAPE', 'thinking.budget_tokens', message))
    } else if (typeof maxTokens === 'number' && maxTokens <= budget) {
      const message = '`max_tokens` must be greater than `thinking.budget_tokens`.'
      found.push(refuse('SHAPE', 'max_tokens', message))
    }
  }
  const choice = body.tool_choice
  const forces = isRecord(choice) && (choice.type === 'any' || choice.type === 'tool')
  if (forces && isRecord(thinking) && thinking.type !== 'disabled') {
    found.push(refuse('SHAPE', 'tool_choice', 'Thinking may not be enabled when tool_choice forces tool use.'))
  }
  return [...found, ...checkTools(body)]
}

function checkTools(body: JsonRecord): readonly Refusal[] {
  const named = listOf(body.tools).filter(isRecord)
  const names = named.map((tool) => textOf(tool.name))
  const patterns = names.flatMap((name, index) =>
    TOOL_NAME.test(name)
      ? []
      : [
          refuse(
            'SHAPE',
            `tools.${index}.name`,
            `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`,
          ),
        ],
  )
  const isTwice = new Set(names).size < names.length
  return isTwice ? [...patterns, refuse('SHAPE', 'tools', 'tools: Tool names must be unique.')] : patterns
}

function checkRoles(messages: readonly Message[], { model }: CheckState): readonly Refusal[] {
  const first = messages.find(({ role }) => role !== 'system')
  const start =
    first?.role === 'assistant'
      ? [refuse('A1', `messages.${first.index}`, 'messages: first message must use the "user" role')]
      : []
  const others = messages.flatMap(({ role, index }): readonly Refusal[] => {
    const path = `messages.${index}.role`
    if (role === 'user' || role === 'assistant') return []
    if (role !== 'system') {
      return [refuse('A1', path, `${path}: Input should be 'user' or 'assistant'`)]
    }
    if (model.systemMessages === 'refused') {
      const message =
        'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.'
      return [refuse('A8', path, message)]
    }
    const before = messages[index - 1]?.role
    const after = messages[index + 1]?.role
    if (before === 'user' && after !== 'user') return []
    return [
      refuse(
        'A8',
        path,
        `${path}: a \`system\` message must directly follow a \`user\` message and must not be followed by one`,
      ),
    ]
  })
  return [...start, ...others]
}

function checkLastMessage(messages: readonly Message[], { model }: CheckState): readonly Refusal[] {
  const last = messages.findLast(({ role }) => role !== 'system')
  if (last?.role !== 'assistant') return []
  const path = `messages.${last.index}`
  if (model.prefill === 'refused') {
    const message =
      'This model does not support assistant message prefill. The conversation must end with a user message.'
    return [refuse('A3', path, message)]
  }
  const text = last.blocks.at(-1)
  const endsInSpace = text?.type === 'text' && /\s$/.test(textOf(text.value.text))
  return endsInSpace
    ? [refuse('A3', path, 'messages: final assistant content cannot end with trailing whitespace')]
    : []
}

function checkContent({ role, blocks, index }: Message, isLast: boolean, body: JsonRecord): readonly Refusal[] {
  const path = `messages.${index}`
  const { content } = { ...recordAt(body, index) }
  if (content !== undefined && typeof content !== 'string' && !Array.isArray(content)) {
    return [refuse('SHAPE', `${path}.content`, `${path}.content: Input should be a valid list`)]
  }
  if (blocks.length === 0 && !(isLast && role === 'assistant')) {
    const message = `${path}: all messages must have non-empty content except for the optional final assistant message`
    return [refuse('A3', path, message)]
  }
  return blocks.flatMap((block) => [...checkText(block), ...checkPlace(block, role)])
}

function recordAt(body: JsonRecord, index: number): JsonRecord {
  const item = listOf(body.messages)[index]
  return isRecord(item) ? item : {}
}

function checkText(block: Block): readonly Refusal[] {
  if (block.type === 'tool_result') {
    return listOf(block.value.content)
      .filter(isRecord)
      .flatMap((value, index) => checkText({ path: `${block.path}.content.${index}`, type: textOf(value.type), value }))
  }
  if (block.type !== 'text') return []
  const text = block.value.text
  if (typeof text !== 'string') return [refuse('SHAPE', block.path, `${block.path}.text.text: Field required`)]
  if (!text.isWellFormed())
    return [refuse('SHAPE', block.path, 'The request body is not valid JSON: no low surrogate in string')]
  if (text === '') {
    const message = isRecord(block.value.cache_control)
      ? `${block.path}: cache_control cannot be set for empty text blocks`
      : 'messages: text content blocks must be non-empty'
    return [refuse('A3', block.path, message)]
  }
  return text.trim() === ''
    ? [refuse('A3', block.path, 'messages: text content blocks must contain non-whitespace text')]
    : []
}

const ASSISTANT_ONLY = new Set(['tool_use', 'thinking', 'redacted_thinking', UNKNOWN_BLOCK.type])
const USER_ONLY = new Set(['tool_result'])
const KNOWN = new Set([
  ...ASSISTANT_ONLY,
  ...USER_ONLY,
  'text',
  'image',
  'document',
  'search_result',
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'compaction',
  'container_upload',
  'tool_reference',
  'tool_addition',
  'tool_removal',
])

function checkPlace({ path, type }: Block, role: string): readonly Refusal[] {
  if (!KNOWN.has(type)) {
    return [
      refuse('SHAPE', path, `${path}: Input tag '${type}' found using 'type' does not match any of the expected tags`),
    ]
  }
  if (ASSISTANT_ONLY.has(type) && role !== 'assistant') {
    return [refuse('A1', path, `${path}: \`${type}\` blocks can only be in \`assistant\` messages`)]
  }
  return USER_ONLY.has(type) && role !== 'user'
    ? [refuse('A1', path, `${path}: \`${type}\` blocks can only be in \`user\` messages`)]
    : []
}
