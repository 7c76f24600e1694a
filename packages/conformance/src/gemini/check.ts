import type { CheckState } from '../check-state.ts'
import { isRecord, type JsonRecord, textOf } from '../json.ts'
import { tokensOf } from '../segment.ts'
import type { Refusal } from '../violation.ts'
import { checkSignatures } from './check-signatures.ts'
import { type Content, contentsOf, geminiSegments, type Part } from './contents.ts'
import { refuse } from './refuse.ts'

const CALL_AFTER =
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
const RESPONSE_AFTER = 'Please ensure that function response turn comes immediately after a function call turn.'
const SAME_COUNT =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
const ALTERNATE = 'Please ensure that multiturn requests alternate between user and model.'
const LAST = 'Please ensure that multiturn requests end with a user role or a function response.'

/** What Google refuses in a Gemini request. */
export function checkGemini(body: JsonRecord, state: CheckState): readonly Refusal[] {
  const contents = contentsOf(body)
  if (contents.length === 0) {
    const message = '* GenerateContentRequest.contents: contents is not specified\n'
    return [refuse('SHAPE', 'contents', message)]
  }
  return [
    ...contents.flatMap(checkContent),
    ...contents.flatMap((content, index) => checkOrder(content, contents[index - 1], contents[index + 1])),
    ...checkLast(contents, state),
    ...checkSignatures(contents, state),
    ...checkSize(body, state),
  ]
}

function checkContent({ path, role, parts }: Content): readonly Refusal[] {
  const where = `GenerateContentRequest.${path}`
  if (role !== 'user' && role !== 'model')
    return [refuse('M1', `${path}.role`, 'Please use a valid role: user, model.')]
  if (parts.length === 0)
    return [refuse('M1', `${path}.parts`, `* ${where}.parts: contents.parts must not be empty.\n`)]
  return parts.flatMap((part) => checkPart(part, role))
}

function checkPart({ path, value, call, response, signature }: Part, role: string): readonly Refusal[] {
  const { text } = value
  const where = `GenerateContentRequest.${path}`
  if (typeof text === 'string') {
    if (!text.isWellFormed()) return [refuse('SHAPE', path, 'Invalid JSON payload received. Invalid UTF-16.')]
    // An empty text that carries a signature is how a thought comes back.
    if (text.trim() !== '' || signature !== '') return []
    return [refuse('M1', path, `* ${where}.data: Unable to submit request because it must have a text parameter\n`)]
  }
  if (call !== undefined) {
    if (role !== 'model') return [refuse('M1', path, CALL_AFTER)]
    if (textOf(call.name) === '') return [refuse('M1', path, `* ${where}.function_call.name: Name cannot be empty.\n`)]
    if (call.args !== undefined && !isRecord(call.args)) {
      return [
        refuse(
          'M1',
          path,
          `Invalid value at '${path}.function_call.args' (type.googleapis.com/google.protobuf.Struct)`,
        ),
      ]
    }
    return []
  }
  if (response !== undefined) {
    if (textOf(response.name) === '')
      return [refuse('M1', path, `* ${where}.function_response.name: Name cannot be empty.\n`)]
    return isRecord(response.response)
      ? []
      : [
          refuse(
            'M1',
            path,
            `Invalid value at '${path}.function_response.response' (type.googleapis.com/google.protobuf.Struct)`,
          ),
        ]
  }
  const isOther = ['inlineData', 'fileData', 'executableCode', 'codeExecutionResult', 'inline_data', 'file_data'].some(
    (name) => value[name] !== undefined,
  )
  if (isOther) return []
  return [refuse('SHAPE', path, `* ${where}.data: required oneof field 'data' must have one initialized field\n`)]
}

function callsOf(content: Content | undefined): readonly string[] {
  return (content?.parts ?? []).flatMap(({ call }) => (call === undefined ? [] : [textOf(call.name)]))
}

function responsesOf(content: Content | undefined): readonly string[] {
  return (content?.parts ?? []).flatMap(({ response }) => (response === undefined ? [] : [textOf(response.name)]))
}

function checkOrder(content: Content, before: Content | undefined, after: Content | undefined): readonly Refusal[] {
  const { path, role } = content
  const calls = callsOf(content)
  const responses = responsesOf(content)
  const found: Refusal[] = []
  if (before === undefined ? role === 'model' : before.role === role) {
    found.push(refuse('M1', path, calls.length > 0 ? CALL_AFTER : ALTERNATE))
  }
  if (calls.length > 0 && after !== undefined && responsesOf(after).length === 0) {
    found.push(refuse('M1', after.path, SAME_COUNT))
  }
  if (responses.length === 0) return found
  const called = callsOf(before)
  if (called.length === 0) found.push(refuse('M1', path, RESPONSE_AFTER))
  else if (called.length !== responses.length) found.push(refuse('M1', path, SAME_COUNT))
  else if (called.some((name, index) => name !== responses[index])) {
    const message = `Please ensure that function response parts have the names of the function call parts: ${called.join(', ')}.`
    found.push(refuse('M1', path, message))
  }
  return found
}

function checkLast(contents: readonly Content[], { model }: CheckState): readonly Refusal[] {
  const last = contents.at(-1)
  const isRefused = last?.role === 'model' && (model.prefill === 'refused' || callsOf(last).length > 0)
  return isRefused ? [refuse('M1', last.path, LAST)] : []
}

function checkSize(body: JsonRecord, { model, tokenizer }: CheckState): readonly Refusal[] {
  const tokens = tokensOf(geminiSegments(body, tokenizer))
  if (tokens <= model.contextWindow) return []
  const message = `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${model.contextWindow}).`
  return [refuse('SIZE', 'contents', message)]
}
