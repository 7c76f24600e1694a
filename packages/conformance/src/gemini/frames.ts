import { type Answer, type AnswerPart, toldUsage } from '../answer.ts'
import type { Frame, FramePart } from '../frame.ts'
import { isRecord, type JsonRecord, parseJson } from '../json.ts'
import type { Finish } from '../reply.ts'

const FINISH_REASONS: Readonly<Record<Finish, string>> = {
  end: 'STOP',
  'tool-calls': 'STOP',
  'max-tokens': 'MAX_TOKENS',
  'stop-sequence': 'STOP',
  refusal: 'PROHIBITED_CONTENT',
  paused: 'STOP',
  'window-exceeded': 'MAX_TOKENS',
  unknown: 'A_NEW_REASON',
}

/** The chunks of a streamed answer; each names the usage so far. */
export function* geminiFrames(answer: Answer): Generator<Frame> {
  let isFirst = true
  const written = { thinkingBytes: 0, otherBytes: 0 }
  const chunk = (part: FramePart, parts: readonly JsonRecord[], delta: string | undefined): Frame => {
    const isLast = part === 'final'
    written[part === 'thinking' ? 'thinkingBytes' : 'otherBytes'] += Buffer.byteLength(delta ?? '')
    const soFar = isLast || answer.usageMode === 'early' ? answer : { ...answer, usage: usageSoFar(answer, written) }
    const data = JSON.stringify(response(soFar, parts, { isFirst, isLast }))
    isFirst = false
    return delta === undefined ? { event: '', data, part } : { event: '', data, part, delta }
  }
  for (const part of answer.parts) {
    switch (part.type) {
      case 'text':
        for (const text of part.chunks) yield chunk('text', [{ text }], text)
        break
      case 'thinking':
        for (const text of part.chunks) yield chunk('thinking', [{ text, thought: true }], text)
        break
      case 'tool-call': {
        const called = callPart(part)
        if (called !== undefined) yield chunk('tool-arguments', [called], part.input)
        break
      }
      case 'redacted-thinking':
        break
      case 'unknown':
        yield chunk('between', [{ hologram: { value: 1 } }], undefined)
        break
    }
  }
  yield chunk('final', lastParts(answer), undefined)
}

/** A call whose arguments are not a JSON object cannot be said in this format. */
function callPart(part: Extract<AnswerPart, { type: 'tool-call' }>): JsonRecord | undefined {
  const args = parseJson(part.input)
  if (!isRecord(args)) return undefined
  const named = part.id === undefined ? { name: part.name, args } : { id: part.id, name: part.name, args }
  return part.signature === undefined
    ? { functionCall: named }
    : { functionCall: named, thoughtSignature: part.signature }
}

/** Where no call carries the signature of the thinking, an empty text at the end does. */
function lastParts({ parts }: Answer): readonly JsonRecord[] {
  const thinking = parts.find(({ type }) => type === 'thinking')
  const hasCall = parts.some(({ type }) => type === 'tool-call')
  const signature = thinking?.type === 'thinking' && !hasCall ? thinking.signature : undefined
  return [signature === undefined ? { text: '' } : { text: '', thoughtSignature: signature }]
}

const BYTES_PER_TOKEN = 4

/** The figures of what has been written so far, which are never more than those at the end. */
function usageSoFar(
  { usage }: Answer,
  written: { readonly thinkingBytes: number; readonly otherBytes: number },
): Answer['usage'] {
  const thinkingTokens = Math.min(usage.thinkingTokens, Math.ceil(written.thinkingBytes / BYTES_PER_TOKEN))
  const other = Math.min(usage.outputTokens - usage.thinkingTokens, Math.ceil(written.otherBytes / BYTES_PER_TOKEN))
  return { ...usage, thinkingTokens, outputTokens: thinkingTokens + other }
}

/** The whole answer where no stream was asked for. */
export function geminiBody(answer: Answer): JsonRecord {
  const parts = answer.parts.flatMap((part): readonly JsonRecord[] => {
    switch (part.type) {
      case 'text':
        return [{ text: part.text }]
      case 'thinking':
        return [{ text: part.text, thought: true }]
      case 'tool-call': {
        const called = callPart(part)
        return called === undefined ? [] : [called]
      }
      case 'redacted-thinking':
        return []
      case 'unknown':
        return [{ hologram: { value: 1 } }]
    }
  })
  return response(answer, [...parts, ...lastParts(answer)], { isFirst: true, isLast: true })
}

function response(
  answer: Answer,
  parts: readonly JsonRecord[],
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): JsonRecord {
  const { usageMode, finish, parts: all } = answer
  const isTold = usageMode === 'early' ? isFirst : usageMode !== 'missing'
  const reason = all.length === 0 && finish === 'refusal' ? 'SAFETY' : FINISH_REASONS[finish]
  return {
    candidates: [{ content: { parts, role: 'model' }, ...(isLast ? { finishReason: reason } : {}), index: 0 }],
    ...(isTold ? { usageMetadata: usageOf(answer) } : {}),
    modelVersion: answer.model,
    responseId: answer.id,
  }
}

function usageOf(answer: Answer): JsonRecord {
  const usage = toldUsage(answer)
  const prompt = usage.inputTokens + usage.cacheReadTokens
  return {
    promptTokenCount: prompt,
    ...(usage.cacheReadTokens === 0 ? {} : { cachedContentTokenCount: usage.cacheReadTokens }),
    candidatesTokenCount: usage.outputTokens - usage.thinkingTokens,
    thoughtsTokenCount: usage.thinkingTokens,
    totalTokenCount: prompt + usage.outputTokens,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
  }
}
