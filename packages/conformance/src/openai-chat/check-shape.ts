import { isRecord, type JsonRecord, listOf, parseJson } from '../json.ts'
import type { Refusal } from '../violation.ts'
import { type ChatCall, type ChatMessage, chatMessagesOf } from './messages.ts'
import { refuse } from './refuse.ts'

const ROLES = ['system', 'assistant', 'user', 'function', 'tool', 'developer']
const CALL_NAME = /^[a-zA-Z0-9_-]{1,64}$/
const MOST_ID_CHARS = 40

/** Roles, content and the form of tool calls, for every dialect. */
export function checkShape(body: JsonRecord): readonly Refusal[] {
  const messages = chatMessagesOf(body)
  if (messages.length === 0) {
    const message =
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead."
    return [refuse({ rule: 'C1', path: 'messages', message, code: 'empty_array' })]
  }
  const options =
    body.stream_options !== undefined && body.stream !== true
      ? [
          refuse({
            rule: 'C2',
            path: 'stream_options',
            message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
          }),
        ]
      : []
  return [
    ...options,
    ...messages.flatMap((message) => [...checkRole(message), ...checkContent(message), ...checkCalls(message)]),
  ]
}

function checkRole({ path, role }: ChatMessage): readonly Refusal[] {
  if (ROLES.includes(role)) return []
  const message = `Invalid value: '${role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`
  return [refuse({ rule: 'C1', path: `${path}.role`, message, code: 'invalid_value' })]
}

function checkContent({ path, role, content, value }: ChatMessage): readonly Refusal[] {
  const isOptional = role === 'assistant' && (value.tool_calls !== undefined || typeof value.refusal === 'string')
  if (content === null || content === undefined) {
    if (isOptional) return []
    const message = "Invalid value for 'content': expected a string, got null."
    return [refuse({ rule: 'O1', path: `${path}.content`, message })]
  }
  if (typeof content === 'string') {
    if (content.isWellFormed()) return []
    return [refuse({ rule: 'SHAPE', path: '', message: 'We could not parse the JSON body of your request.' })]
  }
  if (!Array.isArray(content)) {
    const message = `Invalid type for '${path}.content': expected one of a string or array of objects, but got ${kindOf(content)} instead.`
    return [refuse({ rule: 'C1', path: `${path}.content`, message, code: 'invalid_type' })]
  }
  if (content.length === 0) {
    const message = `Invalid '${path}.content': empty array. Expected an array with minimum length 1, but got an empty array instead.`
    return [refuse({ rule: 'C1', path: `${path}.content`, message, code: 'empty_array' })]
  }
  const image = listOf(content).findIndex((part) => isRecord(part) && part.type === 'image_url')
  if (image === -1 || role === 'user') return []
  const message = `Invalid '${path}'. Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`
  return [refuse({ rule: 'C1', path, message, code: 'invalid_value' })]
}

function kindOf(value: unknown): string {
  return isRecord(value) ? 'an object' : `a ${typeof value}`
}

function checkCalls({ path, role, calls, value }: ChatMessage): readonly Refusal[] {
  if (value.tool_calls === undefined) return []
  if (role !== 'assistant') {
    const message = `Unrecognized argument 'tool_calls' for a message with role '${role}'.`
    return [refuse({ rule: 'C1', path: `${path}.tool_calls`, message, code: 'unknown_parameter' })]
  }
  if (calls.length === 0) {
    const message = `Invalid '${path}.tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`
    return [refuse({ rule: 'C1', path: `${path}.tool_calls`, message, code: 'empty_array' })]
  }
  return calls.flatMap(checkCall)
}

function checkCall({ path, id, name, arguments: given }: ChatCall): readonly Refusal[] {
  const found: Refusal[] = []
  if (id === '') {
    const message = `Missing required parameter: '${path}.id'.`
    found.push(refuse({ rule: 'O1', path: `${path}.id`, message, code: 'missing_required_parameter' }))
  } else if (id.length > MOST_ID_CHARS) {
    const message = `Invalid '${path}.id': string too long. Expected a string with maximum length ${MOST_ID_CHARS}, but got a string with length ${id.length} instead.`
    found.push(refuse({ rule: 'O1', path: `${path}.id`, message, code: 'string_above_max_length' }))
  }
  if (!CALL_NAME.test(name)) {
    const where = `${path}.function.name`
    const message = `Invalid '${where}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`
    found.push(refuse({ rule: 'C1', path: where, message, code: 'invalid_value' }))
  }
  const where = `${path}.function.arguments`
  if (typeof given !== 'string') {
    const kind = given === undefined ? 'null' : kindOf(given)
    const message = `Invalid type for '${where}': expected a string, but got ${kind} instead.`
    found.push(refuse({ rule: 'C1', path: where, message, code: 'invalid_type' }))
  } else if (!isRecord(parseJson(given))) {
    const message = `Invalid '${where}': expected a string that is a JSON object.`
    found.push(refuse({ rule: 'C1', path: where, message, code: 'invalid_value' }))
  }
  return found
}
