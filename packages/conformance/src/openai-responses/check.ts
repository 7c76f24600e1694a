import type { CheckState } from '../check-state.ts'
import { isRecord, type JsonRecord, listOf, parseJson, textOf } from '../json.ts'
import { refuse } from '../openai-chat/refuse.ts'
import { tokensOf } from '../segment.ts'
import type { Refusal } from '../violation.ts'
import { checkReasoning } from './check-reasoning.ts'
import { type Item, itemsOf, responsesSegments } from './items.ts'

const ROLES = ['assistant', 'system', 'developer', 'user']
const CALL_NAME = /^[a-zA-Z0-9_-]{1,128}$/
const MOST_ID_CHARS = 64

/** What OpenAI refuses in a Responses request. */
export function checkOpenaiResponses(body: JsonRecord, state: CheckState): readonly Refusal[] {
  const items = itemsOf(body)
  if (typeof body.previous_response_id === 'string') {
    const message = `Previous response with id '${body.previous_response_id}' not found.`
    return [refuse({ rule: 'O3', path: 'previous_response_id', message, code: 'previous_response_not_found' })]
  }
  if (items.length === 0) {
    const message = 'One of "input" or "previous_response_id" or \'prompt\' or \'conversation\' must be provided.'
    return [refuse({ rule: 'SHAPE', path: 'input', message, code: 'missing_required_parameter' })]
  }
  return [...items.flatMap(checkItem), ...checkPairs(items), ...checkReasoning(body, state), ...checkSize(body, state)]
}

function checkItem({ path, type, value }: Item): readonly Refusal[] {
  switch (type) {
    case 'message':
      return checkMessage(path, value)
    case 'function_call':
      return checkCall(path, value)
    case 'function_call_output':
    case 'reasoning':
    case 'item_reference':
      return []
    // Built-in tools' items are taken as they are.
    default:
      return type.endsWith('_call') || type.endsWith('_output') || type.startsWith('mcp_') || type === 'compaction'
        ? []
        : [refuse({ rule: 'SHAPE', path: `${path}.type`, message: `Invalid value: '${type}'.`, code: 'invalid_value' })]
  }
}

function checkMessage(path: string, { role, content }: JsonRecord): readonly Refusal[] {
  if (!ROLES.includes(textOf(role))) {
    const message = `Invalid value: '${textOf(role)}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`
    return [refuse({ rule: 'SHAPE', path: `${path}.role`, message, code: 'invalid_value' })]
  }
  if (typeof content === 'string') {
    if (content.isWellFormed()) return []
    return [refuse({ rule: 'SHAPE', path: '', message: 'We could not parse the JSON body of your request.' })]
  }
  if (!Array.isArray(content)) {
    const message = `Missing required parameter: '${path}.content'.`
    return [refuse({ rule: 'SHAPE', path: `${path}.content`, message, code: 'missing_required_parameter' })]
  }
  const wanted = role === 'assistant' ? ['output_text', 'refusal'] : ['input_text', 'input_image', 'input_file']
  return listOf(content).flatMap((part, index) => {
    const type = isRecord(part) ? textOf(part.type) : ''
    if (wanted.includes(type)) return []
    const message = `Invalid value: '${type}'. Supported values are: ${wanted.map((name) => `'${name}'`).join(', ')}.`
    return [refuse({ rule: 'SHAPE', path: `${path}.content[${index}]`, message, code: 'invalid_value' })]
  })
}

function checkCall(path: string, value: JsonRecord): readonly Refusal[] {
  const { call_id, name, arguments: given } = value
  const found: Refusal[] = []
  const id = textOf(call_id)
  if (id === '' || id.length > MOST_ID_CHARS) {
    const message =
      id === ''
        ? `Invalid '${path}.call_id': empty string. Expected a string with minimum length 1, but got an empty string instead.`
        : `Invalid '${path}.call_id': string too long. Expected a string with maximum length ${MOST_ID_CHARS}, but got a string with length ${id.length} instead.`
    const code = id === '' ? 'empty_string' : 'string_above_max_length'
    found.push(refuse({ rule: 'O1', path: `${path}.call_id`, message, code }))
  }
  if (!CALL_NAME.test(textOf(name))) {
    const message = `Invalid '${path}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`
    found.push(refuse({ rule: 'SHAPE', path: `${path}.name`, message, code: 'invalid_value' }))
  }
  if (typeof given !== 'string' || !isRecord(parseJson(given))) {
    const message = `Invalid '${path}.arguments': expected a string that is a JSON object.`
    found.push(refuse({ rule: 'O1', path: `${path}.arguments`, message, code: 'invalid_value' }))
  }
  return found
}

function checkPairs(items: readonly Item[]): readonly Refusal[] {
  const calls = items.filter(({ type }) => type === 'function_call')
  const outputs = items.filter(({ type }) => type === 'function_call_output')
  const ids = (list: readonly Item[]) => list.map(({ value }) => textOf(value.call_id))
  const place = (item: Item) => items.indexOf(item)
  const unanswered = calls.flatMap((call) => {
    const id = textOf(call.value.call_id)
    if (outputs.some((output) => textOf(output.value.call_id) === id && place(output) > place(call))) return []
    return [refuse({ rule: 'O1', path: 'input', message: `No tool output found for function call ${id}.` })]
  })
  const uncalled = outputs.flatMap((output) => {
    const id = textOf(output.value.call_id)
    if (calls.some((call) => textOf(call.value.call_id) === id && place(call) < place(output))) return []
    return [
      refuse({ rule: 'O1', path: 'input', message: `No tool call found for function call output with call_id ${id}.` }),
    ]
  })
  const twice = [...repeated(ids(calls)), ...repeated(ids(outputs))].map((id) =>
    refuse({
      rule: 'O1',
      path: 'input',
      message: `Duplicate item found with call_id ${id}. Remove duplicate items from your input and try again.`,
    }),
  )
  return [...unanswered, ...uncalled, ...twice]
}

function repeated(ids: readonly string[]): readonly string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}

function checkSize(body: JsonRecord, { model, tokenizer }: CheckState): readonly Refusal[] {
  if (tokensOf(responsesSegments(body, tokenizer)) <= model.contextWindow) return []
  const message = 'Your input exceeds the context window of this model. Please adjust your input and try again.'
  return [refuse({ rule: 'SIZE', path: 'input', message, code: 'context_length_exceeded' })]
}
