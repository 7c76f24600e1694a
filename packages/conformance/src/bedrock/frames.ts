import { type Answer, type AnswerPart, indexOf, toldUsage } from '../answer.ts'
import { type Frame, type FramePart, withEnd } from '../frame.ts'
import { type JsonRecord, parseJson } from '../json.ts'
import type { Finish } from '../reply.ts'

const STOP_REASONS: Readonly<Record<Finish, string>> = {
  end: 'end_turn',
  'tool-calls': 'tool_use',
  'max-tokens': 'max_tokens',
  'stop-sequence': 'stop_sequence',
  refusal: 'content_filtered',
  paused: 'end_turn',
  'window-exceeded': 'model_context_window_exceeded',
  unknown: 'a_new_reason',
}

/** The events of ConverseStream; usage comes last, in the metadata. */
export function converseFrames(answer: Answer): Iterable<Frame> {
  return withEnd(frames(answer))
}

function* frames(answer: Answer): Generator<Frame> {
  const { usageMode } = answer
  yield frame('start', 'messageStart', { role: 'assistant' })
  if (usageMode === 'early') yield frame('between', 'metadata', metadata(answer))
  for (const [position, part] of answer.parts.entries()) yield* partFrames(part, indexOf(answer, position))
  yield frame('final', 'messageStop', { stopReason: STOP_REASONS[answer.finish] })
  if (usageMode === 'vendor' || usageMode === 'negative') yield frame('final', 'metadata', metadata(answer))
}

function* partFrames(part: AnswerPart, contentBlockIndex: number): Generator<Frame> {
  const change = (framePart: FramePart, delta: JsonRecord): Frame =>
    frame(framePart, 'contentBlockDelta', { contentBlockIndex, delta })
  switch (part.type) {
    case 'text':
      for (const text of part.chunks) yield { ...change('text', { text }), delta: text }
      break
    case 'thinking':
      for (const text of part.chunks) yield { ...change('thinking', { reasoningContent: { text } }), delta: text }
      if (part.signature !== undefined) {
        yield change('between', { reasoningContent: { signature: part.signature } })
      }
      break
    case 'redacted-thinking':
      yield change('between', { reasoningContent: { redactedContent: part.data } })
      break
    case 'tool-call': {
      const start = { toolUse: { toolUseId: part.id, name: part.name } }
      yield frame('between', 'contentBlockStart', { contentBlockIndex, start })
      for (const input of part.chunks) yield { ...change('tool-arguments', { toolUse: { input } }), delta: input }
      break
    }
    case 'unknown':
      yield change('between', { hologram: { value: 1 } })
      break
  }
  yield frame('between', 'contentBlockStop', { contentBlockIndex })
}

/** The whole answer of Converse. */
export function converseBody(answer: Answer): JsonRecord {
  const { usage, metrics } = metadata(answer)
  return {
    output: { message: { role: 'assistant', content: answer.parts.map(wholeBlock) } },
    stopReason: STOP_REASONS[answer.finish],
    ...(answer.usageMode === 'missing' ? {} : { usage }),
    metrics,
  }
}

function wholeBlock(part: AnswerPart): JsonRecord {
  switch (part.type) {
    case 'text':
      return { text: part.text }
    case 'thinking':
      return { reasoningContent: { reasoningText: { text: part.text, signature: part.signature } } }
    case 'redacted-thinking':
      return { reasoningContent: { redactedContent: part.data } }
    case 'tool-call':
      return { toolUse: { toolUseId: part.id, name: part.name, input: parseJson(part.input) ?? part.input } }
    case 'unknown':
      return { hologram: { value: 1 } }
  }
}

function metadata(answer: Answer): JsonRecord {
  const usage = toldUsage(answer)
  const written = usage.cacheWrite5mTokens + usage.cacheWrite1hTokens
  return {
    usage: {
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      totalTokens: usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + written,
      cacheReadInputTokens: usage.cacheReadTokens,
      cacheWriteInputTokens: written,
      cacheDetails: [
        { ttl: '5m', inputTokens: usage.cacheWrite5mTokens },
        { ttl: '1h', inputTokens: usage.cacheWrite1hTokens },
      ],
    },
    metrics: { latencyMs: 0 },
  }
}

function frame(part: FramePart, event: string, data: JsonRecord): Frame {
  return { event, data: JSON.stringify(data), part }
}
