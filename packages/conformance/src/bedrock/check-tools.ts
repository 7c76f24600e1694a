import { isRecord, type JsonRecord, listOf, recordOf, textOf } from '../json.ts'
import type { Refusal } from '../violation.ts'
import { type ConverseMessage, messagesOf } from './messages.ts'
import { refuse } from './refuse.ts'

const NAME = /^[a-zA-Z0-9_-]{1,64}$/

/** All results of a turn stand in one message right after the calls, and tools are declared where there are calls. */
export function checkToolPairs(body: JsonRecord): readonly Refusal[] {
  const messages = messagesOf(body)
  return [
    ...checkDeclared(body, messages),
    ...messages.flatMap(checkNames),
    ...messages.flatMap((message, index) => checkAnswered(message, messages[index + 1])),
    ...messages.flatMap((message, index) => checkResults(message, messages[index - 1])),
  ]
}

function members(message: ConverseMessage | undefined, name: 'toolUse' | 'toolResult'): readonly JsonRecord[] {
  return (message?.blocks ?? []).flatMap(({ value }) => {
    const member = value[name]
    return isRecord(member) ? [member] : []
  })
}

function idsOf(message: ConverseMessage | undefined, name: 'toolUse' | 'toolResult'): readonly string[] {
  return members(message, name).map(({ toolUseId }) => textOf(toolUseId))
}

function checkDeclared(body: JsonRecord, messages: readonly ConverseMessage[]): readonly Refusal[] {
  const hasTools = listOf(recordOf(body.toolConfig).tools).length > 0
  const isUsed = messages.some(
    (message) => members(message, 'toolUse').length + members(message, 'toolResult').length > 0,
  )
  if (hasTools || !isUsed) return []
  const message = 'The toolConfig field must be defined when using toolUse and toolResult content blocks.'
  return [refuse('B2', 'toolConfig', message)]
}

function checkNames(message: ConverseMessage): readonly Refusal[] {
  const ids = [...idsOf(message, 'toolUse'), ...idsOf(message, 'toolResult')].map((id) => ({
    field: 'toolUseId',
    value: id,
  }))
  const names = members(message, 'toolUse').map(({ name }) => ({ field: 'name', value: textOf(name) }))
  const misplaced = message.role === 'assistant' ? members(message, 'toolResult') : members(message, 'toolUse')
  const inputs = members(message, 'toolUse').filter(({ input }) => !isRecord(input))
  return [
    ...[...ids, ...names]
      .filter(({ value }) => !NAME.test(value))
      .map(({ field, value }) => {
        const words = `1 validation error detected: Value '${value}' at '${message.path}.content.${field}' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`
        return refuse('B3', message.path, words)
      }),
    ...misplaced.map(() => {
      const words = `The ${message.role} message at ${message.path} holds a block that only the other role may send.`
      return refuse('B2', message.path, words)
    }),
    ...inputs.map(() => {
      const words = `The format of the value at ${message.path}.content.toolUse.input is invalid. Provide a json object for the field and try again.`
      return refuse('B3', message.path, words)
    }),
  ]
}

function checkAnswered(message: ConverseMessage, next: ConverseMessage | undefined): readonly Refusal[] {
  const calls = message.role === 'assistant' ? idsOf(message, 'toolUse') : []
  const twice = repeated(calls)
  if (twice.length > 0) {
    const words = `The toolUse blocks at ${message.path}.content contain duplicate Ids: ${twice.join(', ')}`
    return [refuse('B3', message.path, words)]
  }
  const answered = idsOf(next, 'toolResult')
  const missing = calls.filter((id) => !answered.includes(id))
  if (missing.length === 0) return []
  const path = next?.path ?? message.path
  return [
    refuse('B2', path, `Expected toolResult blocks at ${path}.content for the following Ids: ${missing.join(', ')}`),
  ]
}

function checkResults(message: ConverseMessage, before: ConverseMessage | undefined): readonly Refusal[] {
  const results = message.role === 'user' ? idsOf(message, 'toolResult') : []
  const twice = repeated(results)
  if (twice.length > 0) {
    const words = `The toolResult blocks at ${message.path}.content contain duplicate Ids: ${twice.join(', ')}`
    return [refuse('B2', message.path, words)]
  }
  const calls = idsOf(before, 'toolUse')
  if (results.every((id) => calls.includes(id))) return []
  const words = `The number of toolResult blocks at ${message.path}.content exceeds the number of toolUse blocks of previous turn.`
  return [refuse('B2', message.path, words)]
}

function repeated(ids: readonly string[]): readonly string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}
