import type { AnswerBlock, InputPart, ToolResultPart } from '@holdfast/conversation'
import { type ModelRequest, oncePerTools, type RequestMessage } from '@holdfast/provider'

/** What a request must not be; what a provider refuses, or would misread. */
export type ViolationCode =
  | 'no-messages'
  | 'unknown-role'
  | 'first-not-user'
  | 'last-is-answer'
  | 'not-alternating'
  | 'empty-content'
  | 'empty-call-id'
  | 'repeated-call-id'
  | 'call-without-result'
  | 'result-without-call'
  | 'result-out-of-order'
  | 'input-not-object'
  | 'incomplete-call'
  | 'unnamed-call'
  | 'unsigned-thinking'
  | 'answer-without-content'
  | 'thinking-at-end'
  | 'invalid-text'
  | 'repeated-tool'
  | 'unnamed-tool'
  | 'cache-marks'

/** One thing that is wrong with a request, and where. */
export interface Violation {
  readonly code: ViolationCode
  /** Index of the message; null where it is the request as a whole. */
  readonly message: number | null
  readonly text: string
}

/** Providers take no more. [CACHE1] */
const MOST_MARKS = 4

/**
 * Everything that is wrong with a request, whoever built it: an empty list means that it may be sent. It knows
 * nothing of the log and shares nothing with the builder. [REQ1, REQ2]
 */
export function validateRequest(request: ModelRequest): Violation[] {
  const inputs = inputsOf(request.messages)
  return [
    ...orderViolations(request.messages),
    ...callViolations(request.messages),
    ...request.messages.flatMap((message, index) => contentViolations(message, { index, inputs })),
    ...textViolations(request, inputs),
    ...toolViolations(request.tools),
    ...markViolations(request),
  ]
}

type CallBlock = Extract<AnswerBlock, { type: 'tool-call' }>

/** The inputs of calls, each read once, for it may be long; null for one that is not one JSON object. */
type Inputs = ReadonlyMap<CallBlock, object | null>

function inputsOf(messages: readonly RequestMessage[]): Inputs {
  const inputs = new Map<CallBlock, object | null>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const block of message.blocks) if (block.type === 'tool-call') inputs.set(block, objectOf(block.inputText))
  }
  return inputs
}

function orderViolations(messages: readonly RequestMessage[]): Violation[] {
  const first = messages[0]
  const last = messages.at(-1)
  if (!first || !last) return [{ code: 'no-messages', message: null, text: 'The request has no message' }]
  const found: Violation[] = []
  const add = (code: ViolationCode, message: number, text: string): void => {
    found.push({ code, message, text: `Message ${message}: ${text}` })
  }
  if (first.role !== 'user') add('first-not-user', 0, `the first is from ${first.role}, not from user`)
  if (last.role === 'assistant') add('last-is-answer', messages.length - 1, 'the last is an answer')
  for (const [index, { role }] of messages.entries()) {
    const before = messages[index - 1]?.role
    if (!['user', 'assistant', 'tool'].includes(role)) add('unknown-role', index, `role ${String(role)} does not exist`)
    if (role === before && role !== 'tool') add('not-alternating', index, `two of role ${role} touch`)
  }
  return found
}

/** The calls of each answer against the run of results that follows it. */
function callViolations(messages: readonly RequestMessage[]): Violation[] {
  const found: Violation[] = []
  const seen = new Set<string>()
  let open: string[] = []
  const close = (index: number): void => {
    for (const callId of open)
      found.push({
        code: 'call-without-result',
        message: index,
        text: `Message ${index}: call ${callId} has no result directly after it`,
      })
    open = []
  }
  let answerIndex = 0
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const place = open.indexOf(message.callId)
      if (place < 0)
        found.push({
          code: 'result-without-call',
          message: index,
          text: `Message ${index}: no open call is named ${message.callId}`,
        })
      if (place > 0)
        found.push({
          code: 'result-out-of-order',
          message: index,
          text: `Message ${index}: the result of ${String(open[0])} comes first`,
        })
      if (place >= 0) open.splice(place, 1)
      continue
    }
    close(answerIndex)
    if (message.role !== 'assistant') continue
    answerIndex = index
    for (const block of message.blocks) {
      if (block.type !== 'tool-call') continue
      open.push(block.callId)
      if (block.callId.trim() === '')
        found.push({ code: 'empty-call-id', message: index, text: `Message ${index}: a call has no id` })
      if (seen.has(block.callId))
        found.push({
          code: 'repeated-call-id',
          message: index,
          text: `Message ${index}: call id ${block.callId} is there twice`,
        })
      seen.add(block.callId)
    }
  }
  close(answerIndex)
  return found
}

function contentViolations(
  message: RequestMessage,
  { index, inputs }: { readonly index: number; readonly inputs: Inputs },
): Violation[] {
  const add = (code: ViolationCode, text: string): Violation => ({
    code,
    message: index,
    text: `Message ${index}: ${text}`,
  })
  // A role that does not exist has been found already; what it holds is not looked at.
  if (message.role === 'user') return partViolations(message.parts).map(([code, text]) => add(code, text))
  if (message.role === 'tool') return partViolations(message.content).map(([code, text]) => add(code, text))
  if (message.role !== 'assistant') return []
  const { blocks } = message
  return [
    ...blocks.flatMap((block) => blockViolations(block, inputs)).map(([code, text]) => add(code, text)),
    ...(blocks.every(({ type }) => type === 'thinking')
      ? [add('answer-without-content', 'the answer has neither words nor calls')]
      : []),
    ...(blocks.at(-1)?.type === 'thinking' ? [add('thinking-at-end', 'the answer ends with thinking')] : []),
  ]
}

type Found = readonly [ViolationCode, string]

function partViolations(parts: readonly (InputPart | ToolResultPart)[]): Found[] {
  if (parts.length === 0) return [['empty-content', 'it has no part']]
  return parts.flatMap((part): Found[] =>
    part.type === 'text' && part.text.trim() === '' ? [['empty-content', 'a text is empty']] : [],
  )
}

function blockViolations(block: AnswerBlock, inputs: Inputs): Found[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [['empty-content', 'a text is empty']] : []
    case 'thinking':
      return block.providerState === undefined ? [['unsigned-thinking', 'thinking is not signed']] : []
    case 'tool-call': {
      const found: Found[] = []
      if (!block.complete) found.push(['incomplete-call', `call ${block.callId} was cut`])
      if (block.name.trim() === '') found.push(['unnamed-call', `call ${block.callId} names no tool`])
      if (!inputs.get(block)) found.push(['input-not-object', `the input of ${block.callId} is not one JSON object`])
      return found
    }
  }
}

function objectOf(json: string): object | null {
  if (!/^\s*\{/.test(json)) return null
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Text that is not valid UTF-16 cannot be written as UTF-8, as a value or as an escape in a call's input. */
function textViolations(request: ModelRequest, inputs: Inputs): Violation[] {
  const found: Violation[] = []
  const check = (value: unknown, message: number | null): void => {
    for (const text of stringsIn(value)) {
      if (text.isWellFormed()) continue
      found.push(halfACharacter(message))
      return
    }
  }
  const { messages, tools, ...head } = request
  check(head, null)
  if (found.length === 0 && !areWellFormed(tools)) found.push(halfACharacter(null))
  for (const [index, message] of messages.entries()) {
    check(message, index)
    if (message.role !== 'assistant') continue
    for (const block of message.blocks) if (block.type === 'tool-call') check(inputs.get(block), index)
  }
  return found
}

function halfACharacter(message: number | null): Violation {
  const where = message === null ? 'The head of the request' : `Message ${message}`
  return { code: 'invalid-text', message, text: `${where} holds half a character` }
}

/** Definitions are long, and the same in all requests. [TOOL16] */
const areWellFormed = oncePerTools((tools) => stringsIn(tools).every((text) => text.isWellFormed()))

/** All strings of a value, names of fields included, to any depth. */
function stringsIn(value: unknown): string[] {
  const strings: string[] = []
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') strings.push(next)
    else if (Array.isArray(next)) for (const item of next) open.push(item)
    else if (typeof next === 'object' && next !== null)
      for (const [name, field] of Object.entries(next)) {
        strings.push(name)
        open.push(field)
      }
  }
  return strings
}

const toolViolations = oncePerTools((tools): readonly Violation[] => {
  const names = new Set<string>()
  return tools.flatMap(({ name }): Violation[] => {
    if (name.trim() === '') return [{ code: 'unnamed-tool', message: null, text: 'A tool has no name' }]
    if (names.has(name)) return [{ code: 'repeated-tool', message: null, text: `Tool ${name} is there twice` }]
    names.add(name)
    return []
  })
})

function markViolations({ cacheMarks, messages }: ModelRequest): Violation[] {
  if (!cacheMarks) return []
  const add = (text: string): Violation => ({ code: 'cache-marks', message: null, text })
  const { system, messages: marked } = cacheMarks
  const count = marked.length + (system ? 1 : 0)
  return [
    ...(count > MOST_MARKS ? [add(`There are ${count} cache marks, ${MOST_MARKS} are allowed`)] : []),
    ...marked.flatMap((mark, place) => {
      if (!Number.isInteger(mark) || mark < 0 || mark >= messages.length)
        return [add(`No message has the index ${mark}`)]
      return mark > (marked[place - 1] ?? -1) ? [] : [add(`The cache marks do not rise at ${mark}`)]
    }),
  ]
}
