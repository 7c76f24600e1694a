import { type Answer, type AnswerPart, indexOf, toldUsage } from '../answer.ts'
import { type Frame, type FramePart, withEnd } from '../frame.ts'
import type { JsonRecord } from '../json.ts'

/** The events of a streamed response. */
export function responsesFrames(answer: Answer): Iterable<Frame> {
  return withEnd(numbered(frames(answer)))
}

interface Event {
  readonly part: FramePart
  readonly data: JsonRecord
  readonly delta?: string
}

/** Events carry a number that counts them. */
function* numbered(events: Iterable<Event>): Generator<Frame> {
  let sequence = 0
  for (const { part, data, delta } of events) {
    const { type, ...rest } = data
    const frame = { event: String(type), data: JSON.stringify({ type, sequence_number: sequence, ...rest }), part }
    sequence += 1
    yield delta === undefined ? frame : { ...frame, delta }
  }
}

function* frames(answer: Answer): Generator<Event> {
  const open = envelope(answer, 'in_progress', [])
  yield { part: 'start', data: { type: 'response.created', response: open } }
  yield { part: 'start', data: { type: 'response.in_progress', response: open } }
  for (const [position, part] of answer.parts.entries()) yield* partFrames(answer, part, position)
  const { status, type } = ending(answer)
  const response = envelope(
    answer,
    status,
    answer.parts.map((part, position) => wholeItem(answer, part, position)),
  )
  yield { part: 'final', data: { type, response } }
}

function* partFrames(answer: Answer, part: AnswerPart, position: number): Generator<Event> {
  const output_index = indexOf(answer, position)
  const item_id = itemId(answer, position)
  const item = wholeItem(answer, part, position)
  const between = (type: string, more: JsonRecord): Event => ({
    part: 'between',
    data: { type, output_index, ...more },
  })
  yield between('response.output_item.added', { item: emptyItem(item) })
  switch (part.type) {
    case 'text': {
      const content_index = 0
      const content = { type: 'output_text', annotations: [], logprobs: [], text: '' }
      yield between('response.content_part.added', { item_id, content_index, part: content })
      for (const delta of part.chunks) {
        const type = 'response.output_text.delta'
        yield { part: 'text', data: { type, item_id, output_index, content_index, delta, logprobs: [] }, delta }
      }
      const { text } = part
      yield between('response.output_text.done', { item_id, content_index, text, logprobs: [] })
      yield between('response.content_part.done', { item_id, content_index, part: { ...content, text } })
      break
    }
    case 'thinking': {
      const summary_index = 0
      const summary = { type: 'summary_text', text: '' }
      yield between('response.reasoning_summary_part.added', { item_id, summary_index, part: summary })
      for (const delta of part.chunks) {
        const type = 'response.reasoning_summary_text.delta'
        yield { part: 'thinking', data: { type, item_id, output_index, summary_index, delta }, delta }
      }
      const { text } = part
      yield between('response.reasoning_summary_text.done', { item_id, summary_index, text })
      yield between('response.reasoning_summary_part.done', { item_id, summary_index, part: { ...summary, text } })
      break
    }
    case 'tool-call':
      for (const delta of part.chunks) {
        const type = 'response.function_call_arguments.delta'
        yield { part: 'tool-arguments', data: { type, item_id, output_index, delta }, delta }
      }
      yield between('response.function_call_arguments.done', { item_id, arguments: part.input })
      break
    case 'redacted-thinking':
      break
    case 'unknown':
      yield between('response.hologram.delta', { item_id, delta: 1 })
      break
  }
  yield between('response.output_item.done', { item })
}

/** Ids tell whether reasoning came before: `checkReasoning` reads that from them. */
function itemId({ id, parts }: Answer, position: number): string {
  const hex = `${id.slice(-20)}${position}`
  switch (parts[position]?.type) {
    case 'thinking':
    case 'redacted-thinking':
      return `rs_${hex}`
    case 'tool-call': {
      const follows = parts.slice(0, position).some(({ type }) => type === 'thinking' || type === 'redacted-thinking')
      return follows ? `fc_r${hex}` : `fc_n${hex}`
    }
    case 'text':
    case 'unknown':
    case undefined:
      return `msg_${hex}`
  }
}

function wholeItem(answer: Answer, part: AnswerPart, position: number): JsonRecord {
  const id = itemId(answer, position)
  const status = answer.finish === 'max-tokens' && position === answer.parts.length - 1 ? 'incomplete' : 'completed'
  switch (part.type) {
    case 'text': {
      const content = [{ type: 'output_text', annotations: [], logprobs: [], text: part.text }]
      return { id, type: 'message', status, content, role: 'assistant' }
    }
    case 'thinking': {
      const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }]
      return { id, type: 'reasoning', encrypted_content: part.signature, summary }
    }
    case 'redacted-thinking':
      return { id, type: 'reasoning', encrypted_content: part.data, summary: [] }
    case 'tool-call': {
      const named = part.namespace === undefined ? {} : { namespace: part.namespace }
      return { id, type: 'function_call', status, arguments: part.input, call_id: part.id, name: part.name, ...named }
    }
    case 'unknown':
      return { id, type: 'hologram', status, value: 1 }
  }
}

function emptyItem(item: JsonRecord): JsonRecord {
  switch (item.type) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] }
    case 'reasoning':
      return { ...item, summary: [] }
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' }
    // An item of a type that only a test knows.
    default:
      return item
  }
}

/** The whole response where no stream was asked for. */
export function responsesBody(answer: Answer): JsonRecord {
  const items = answer.parts.map((part, position) => wholeItem(answer, part, position))
  return envelope(answer, ending(answer).status, items)
}

function envelope(answer: Answer, status: string, output: readonly JsonRecord[]): JsonRecord {
  const { id, model, createdSeconds, finish, usageMode } = answer
  const isOpen = status === 'in_progress'
  const isTold = usageMode === 'early' ? isOpen : !isOpen && usageMode !== 'missing'
  return {
    id,
    object: 'response',
    created_at: createdSeconds,
    status,
    error: null,
    incomplete_details:
      status === 'incomplete' ? { reason: finish === 'refusal' ? 'content_filter' : 'max_output_tokens' } : null,
    model,
    output,
    parallel_tool_calls: true,
    tools: [],
    usage: isTold ? usageOf(answer) : null,
  }
}

function ending({ finish }: Answer): { readonly status: string; readonly type: string } {
  switch (finish) {
    case 'max-tokens':
    case 'window-exceeded':
    case 'refusal':
      return { status: 'incomplete', type: 'response.incomplete' }
    case 'end':
    case 'tool-calls':
    case 'stop-sequence':
    case 'paused':
      return { status: 'completed', type: 'response.completed' }
    case 'unknown':
      return { status: 'a_new_status', type: 'response.completed' }
  }
}

function usageOf(answer: Answer): JsonRecord {
  const usage = toldUsage(answer)
  const input = usage.inputTokens + usage.cacheReadTokens
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cacheReadTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.thinkingTokens },
    total_tokens: input + usage.outputTokens,
  }
}
