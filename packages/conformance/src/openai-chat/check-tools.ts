import { type JsonRecord, textOf } from '../json.ts'
import type { Refusal } from '../violation.ts'
import { type ChatMessage, chatMessagesOf } from './messages.ts'
import { refuse } from './refuse.ts'

/** Every call is answered by exactly one tool message, at once, before anything else. */
export function checkToolPairs(body: JsonRecord): readonly Refusal[] {
  const messages = chatMessagesOf(body)
  return [...checkIds(messages), ...checkAnswers(messages)]
}

function checkIds(messages: readonly ChatMessage[]): readonly Refusal[] {
  return messages.flatMap(({ calls }) => {
    const seen = new Set<string>()
    return calls.flatMap(({ path, id }): readonly Refusal[] => {
      const isRepeated = seen.has(id)
      seen.add(id)
      if (!isRepeated) return []
      const message = `Invalid '${path}.id': duplicate tool call id '${id}'.`
      return [refuse({ rule: 'O1', path: `${path}.id`, message, code: 'invalid_value' })]
    })
  })
}

function checkAnswers(messages: readonly ChatMessage[]): readonly Refusal[] {
  const found: Refusal[] = []
  let open: Set<string> | undefined
  let done = new Set<string>()
  for (const { path, role, calls, value } of messages) {
    if (role === 'tool') {
      const id = textOf(value.tool_call_id)
      if (open === undefined || (!open.has(id) && !done.has(id))) {
        const message =
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
        found.push(refuse({ rule: 'O1', path: `${path}.role`, message }))
      } else if (done.has(id)) {
        const message = `Invalid parameter: 'tool_call_id' of '${id}' has already been answered.`
        found.push(refuse({ rule: 'O1', path: `${path}.tool_call_id`, message }))
      }
      open?.delete(id)
      done.add(id)
      continue
    }
    found.push(...unanswered(open, path))
    open = calls.length > 0 ? new Set(calls.map(({ id }) => id)) : undefined
    done = new Set()
  }
  return [...found, ...unanswered(open, `messages[${messages.length - 1}]`)]
}

function unanswered(open: ReadonlySet<string> | undefined, path: string): readonly Refusal[] {
  if (open === undefined || open.size === 0) return []
  const message =
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
    `The following tool_call_ids did not have response messages: ${[...open].join(', ')}`
  return [refuse({ rule: 'O1', path: `${path}.role`, message })]
}
