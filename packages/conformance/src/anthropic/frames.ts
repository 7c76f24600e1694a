import { type Answer, type AnswerPart, indexOf, toldUsage } from '../answer.ts'
import { type Frame, type FramePart, withEnd } from '../frame.ts'
import { type JsonRecord, parseJson } from '../json.ts'
import type { Finish } from '../reply.ts'
import { UNKNOWN_BLOCK } from './blocks.ts'

const STOP_REASONS: Readonly<Record<Finish, string>> = {
  end: 'end_turn',
  'tool-calls': 'tool_use',
  'max-tokens': 'max_tokens',
  'stop-sequence': 'stop_sequence',
  refusal: 'refusal',
  paused: 'pause_turn',
  'window-exceeded': 'model_context_window_exceeded',
  unknown: 'a_new_reason',
}

/** The events of a streamed message. */
export function anthropicFrames(answer: Answer): Iterable<Frame> {
  return withEnd(frames(answer))
}

function* frames(answer: Answer): Generator<Frame> {
  const { usageMode } = answer
  const early = usageMode === 'missing' ? {} : { usage: { ...inputUsage(answer), output_tokens: earlyOutput(answer) } }
  const message = { ...envelope(answer), content: [], stop_reason: null, stop_sequence: null, ...early }
  yield frame('start', { type: 'message_start', message })
  for (const [position, part] of answer.parts.entries()) yield* partFrames(part, indexOf(answer, position), position)
  const usage = usageMode === 'missing' || usageMode === 'early' ? {} : { usage: finalUsage(answer) }
  yield frame('end', { type: 'message_delta', delta: ending(answer), ...usage })
  yield frame('final', { type: 'message_stop' })
}

function* partFrames(part: AnswerPart, index: number, position: number): Generator<Frame> {
  yield frame('between', { type: 'content_block_start', index, content_block: emptyBlock(part) })
  if (position === 0) yield frame('between', { type: 'ping' })
  switch (part.type) {
    case 'text':
      for (const text of part.chunks) yield delta('text', index, { type: 'text_delta', text }, text)
      break
    case 'thinking':
      for (const thinking of part.chunks) {
        yield delta('thinking', index, { type: 'thinking_delta', thinking }, thinking)
      }
      if (part.signature !== undefined) {
        const signed = { type: 'signature_delta', signature: part.signature }
        yield frame('between', { type: 'content_block_delta', index, delta: signed })
      }
      break
    case 'tool-call': {
      const empty = { type: 'input_json_delta', partial_json: '' }
      yield frame('between', { type: 'content_block_delta', index, delta: empty })
      for (const text of part.chunks) {
        yield delta('tool-arguments', index, { type: 'input_json_delta', partial_json: text }, text)
      }
      break
    }
    case 'redacted-thinking':
      break
    case 'unknown':
      yield frame('between', { type: 'content_block_delta', index, delta: { type: 'hologram_delta', value: 1 } })
      break
  }
  yield frame('between', { type: 'content_block_stop', index })
}

function emptyBlock(part: AnswerPart): JsonRecord {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: '' }
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' }
    case 'redacted-thinking':
      return { type: 'redacted_thinking', data: part.data }
    case 'tool-call':
      return { type: 'tool_use', id: part.id, name: part.name, input: {} }
    case 'unknown':
      return UNKNOWN_BLOCK
  }
}

/** The whole message where no stream was asked for. */
export function anthropicBody(answer: Answer): JsonRecord {
  const usage = answer.usageMode === 'missing' ? {} : { usage: { ...inputUsage(answer), ...finalUsage(answer) } }
  return { ...envelope(answer), content: answer.parts.map(wholeBlock), ...ending(answer), ...usage }
}

function wholeBlock(part: AnswerPart): JsonRecord {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'thinking':
      return { type: 'thinking', thinking: part.text, signature: part.signature }
    case 'tool-call':
      return { type: 'tool_use', id: part.id, name: part.name, input: parseJson(part.input) ?? part.input }
    case 'redacted-thinking':
    case 'unknown':
      return emptyBlock(part)
  }
}

function envelope({ id, model }: Answer): JsonRecord {
  return { id, type: 'message', role: 'assistant', model }
}

function ending({ finish }: Answer): JsonRecord {
  const details = { type: 'refusal', category: 'cyber', explanation: 'This request was blocked.' }
  return {
    stop_reason: STOP_REASONS[finish],
    stop_sequence: finish === 'stop-sequence' ? 'STOP' : null,
    ...(finish === 'refusal' ? { stop_details: details } : {}),
  }
}

function inputUsage(answer: Answer): JsonRecord {
  const usage = toldUsage(answer)
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheWrite5mTokens + usage.cacheWrite1hTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWrite5mTokens,
      ephemeral_1h_input_tokens: usage.cacheWrite1hTokens,
    },
    service_tier: 'standard',
  }
}

function finalUsage(answer: Answer): JsonRecord {
  const usage = toldUsage(answer)
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheWrite5mTokens + usage.cacheWrite1hTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: usage.outputTokens,
  }
}

/** The start of a stream names the tokens written so far, which is one or so. */
function earlyOutput(answer: Answer): number {
  return answer.usageMode === 'early' ? answer.usage.outputTokens : Math.min(1, answer.usage.outputTokens)
}

function frame(part: FramePart, data: JsonRecord): Frame {
  return { event: String(data.type), data: JSON.stringify(data), part }
}

function delta(part: FramePart, index: number, change: JsonRecord, text: string): Frame {
  return { ...frame(part, { type: 'content_block_delta', index, delta: change }), delta: text }
}
