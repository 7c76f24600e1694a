import { type Answer, type AnswerPart, toldUsage } from '../answer.ts'
import { type Frame, type FramePart, withEnd } from '../frame.ts'
import type { JsonRecord } from '../json.ts'
import type { Finish } from '../reply.ts'

const FINISH_REASONS: Readonly<Record<Finish, string>> = {
  end: 'stop',
  'tool-calls': 'tool_calls',
  'max-tokens': 'length',
  'stop-sequence': 'stop',
  refusal: 'content_filter',
  paused: 'stop',
  'window-exceeded': 'length',
  unknown: 'a_new_reason',
}

/** The chunks of a streamed completion. */
export function chatFrames(answer: Answer): Iterable<Frame> {
  return withEnd(frames(answer))
}

function* frames(answer: Answer): Generator<Frame> {
  const isTold = answer.includeUsage && answer.usageMode !== 'missing'
  const early = isTold && answer.usageMode === 'early' ? usageOf(answer) : null
  const start = { index: 0, delta: { role: 'assistant', content: '', refusal: null }, finish_reason: null }
  yield frame('start', chunk(answer, [start], early))
  const calls = answer.parts.filter(({ type }) => type === 'tool-call')
  for (const part of answer.parts) {
    const position = calls.indexOf(part)
    yield* partFrames(answer, part, answer.reversedIndexes ? calls.length - 1 - position : position)
  }
  const end = { index: 0, delta: {}, finish_reason: FINISH_REASONS[answer.finish] }
  yield frame('final', chunk(answer, [end], null))
  if (isTold && answer.usageMode !== 'early') yield frame('final', chunk(answer, [], usageOf(answer)))
  yield { event: '', data: '[DONE]', part: 'final' }
}

function* partFrames(answer: Answer, part: AnswerPart, index: number): Generator<Frame> {
  const piece = (framePart: FramePart, delta: JsonRecord): Frame =>
    frame(framePart, chunk(answer, [{ index: 0, delta, finish_reason: null }], null))
  switch (part.type) {
    case 'text':
      for (const content of part.chunks) yield { ...piece('text', { content }), delta: content }
      break
    case 'thinking':
      for (const reasoning of part.chunks) {
        yield { ...piece('thinking', { reasoning_content: reasoning }), delta: reasoning }
      }
      break
    case 'tool-call': {
      const called = { name: part.name, arguments: '' }
      yield piece('between', { tool_calls: [{ index, id: part.id, type: 'function', function: called }] })
      for (const text of part.chunks) {
        const delta = { tool_calls: [{ index, function: { arguments: text } }] }
        yield { ...piece('tool-arguments', delta), delta: text }
      }
      break
    }
    // This format has no place for it.
    case 'redacted-thinking':
      break
    case 'unknown':
      yield piece('between', { hologram: { value: 1 } })
      break
  }
}

function chunk(answer: Answer, choices: readonly JsonRecord[], usage: JsonRecord | null): JsonRecord {
  const { id, model, createdSeconds } = answer
  const told = answer.includeUsage ? { usage } : {}
  return { id, object: 'chat.completion.chunk', created: createdSeconds, model, choices, ...told }
}

/** The whole completion where no stream was asked for. */
export function chatBody(answer: Answer): JsonRecord {
  const { id, model, createdSeconds, parts, finish } = answer
  const texts = (type: 'text' | 'thinking') => parts.map((part) => (part.type === type ? part.text : '')).join('')
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: part.input } }]
      : [],
  )
  const message = {
    role: 'assistant',
    content: texts('text') === '' && calls.length > 0 ? null : texts('text'),
    ...(texts('thinking') === '' ? {} : { reasoning_content: texts('thinking') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
  return {
    id,
    object: 'chat.completion',
    created: createdSeconds,
    model,
    choices: [{ index: 0, message, finish_reason: FINISH_REASONS[finish] }],
    ...(answer.usageMode === 'missing' ? {} : { usage: usageOf(answer) }),
  }
}

function usageOf(answer: Answer): JsonRecord {
  const usage = toldUsage(answer)
  const prompt = usage.inputTokens + usage.cacheReadTokens
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.outputTokens,
    total_tokens: prompt + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cacheReadTokens, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: usage.thinkingTokens, audio_tokens: 0 },
  }
}

function frame(part: FramePart, data: JsonRecord): Frame {
  return { event: '', data: JSON.stringify(data), part }
}
