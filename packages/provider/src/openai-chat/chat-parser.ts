import type { BlockStart } from '@holdfast/conversation'
import { classifyProviderError } from '../errors/classify-provider-error.ts'
import type { Vendor } from '../errors/error-rules.ts'
import { type AnswerParser, notJson } from '../http/stream-answer.ts'
import type { ModelFinish, ModelPart } from '../model-port.ts'
import type { CallIds } from '../wire/call-ids.ts'
import { asList, asRecord, asString, type JsonRecord, parseJson } from '../wire/json-reader.ts'
import { createCallCollector } from './call-collector.ts'
import type { ChatTraits } from './chat-traits.ts'
import { readChatUsage } from './read-usage.ts'
import { createReasoningDetails, reasoningState, reasoningText } from './reasoning-state.ts'

/** What a parser of one answer is made of. */
export interface ChatParserSource {
  readonly vendor: Vendor
  readonly callIds: CallIds
  readonly reasoningReplay: ChatTraits['reasoningReplay']
}

const FINISHES: Readonly<Record<string, ModelFinish>> = {
  stop: 'end',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'refused',
}

/**
 * Makes the parser of one answer in the form of Chat Completions.
 *
 * The provider's end is a `finish_reason` or `[DONE]`; a stream with neither was cut. [RUN5] Calls stay open until
 * then: nothing before tells that their input is whole.
 */
export function createChatParser({ vendor, callIds, reasoningReplay }: ChatParserSource): AnswerParser {
  let blocks = 0
  /** The block of words or thinking that is open. */
  let current: { readonly block: number; readonly type: 'text' | 'thinking' } | null = null
  let details = createReasoningDetails()
  let refusal = false
  let reason: string | null = null
  let finished = false
  const nextBlock = (): number => blocks++
  const calls = createCallCollector({ callIds, nextBlock })

  function closeCurrent(): ModelPart[] {
    if (!current) return []
    const { block, type } = current
    current = null
    if (type === 'text') return [{ type: 'block-ended', block }]
    const providerState = reasoningState(reasoningReplay, details.text())
    details = createReasoningDetails()
    return [{ type: 'block-ended', block, ...(providerState === undefined ? {} : { providerState }) }]
  }

  function openCurrent(type: 'text' | 'thinking'): ModelPart[] {
    if (current?.type === type) return []
    const ended = closeCurrent()
    const start: BlockStart = { type }
    current = { block: nextBlock(), type }
    return [...ended, { type: 'block-started', block: current.block, start }]
  }

  function add(type: 'text' | 'thinking', text: string): ModelPart[] {
    if (text === '') return []
    const opened = openCurrent(type)
    return current ? [...opened, { type: 'block-delta', block: current.block, text }] : opened
  }

  function readDelta(delta: JsonRecord): ModelPart[] {
    const parts = add('thinking', reasoningText(delta))
    const pieces = asList(delta.reasoning_details)
    if (pieces.length > 0) {
      parts.push(...openCurrent('thinking'))
      details.add(pieces)
    }
    const { content } = delta
    if (typeof content === 'string') parts.push(...add('text', content))
    else for (const piece of asList(content)) parts.push(...readPiece(asRecord(piece)))
    const refused = asString(delta.refusal) ?? ''
    if (refused !== '') refusal = true
    parts.push(...add('text', refused))
    const called = asRecord(delta.function_call)
    for (const call of called ? [{ index: 0, function: called }] : asList(delta.tool_calls)) {
      const record = asRecord(call)
      if (record) parts.push(...closeCurrent(), ...calls.add(record))
    }
    return parts
  }

  /** Mistral sends content as a list: words, and thinking that is a list of words again. */
  function readPiece(piece: JsonRecord | null): ModelPart[] {
    if (piece?.type === 'thinking') {
      const words = asList(piece.thinking).map((part) => asString(asRecord(part)?.text) ?? '')
      return add('thinking', asString(piece.thinking) ?? words.join(''))
    }
    return add('text', asString(piece?.text) ?? '')
  }

  function readChunk(chunk: JsonRecord): ModelPart[] {
    const failed = chunk.object === 'error' || (chunk.error !== undefined && chunk.error !== null)
    if (failed) {
      const status = statusIn(asRecord(chunk.error) ?? chunk)
      throw classifyProviderError({ vendor, status, bodyText: JSON.stringify(chunk), headers: {}, nowMs: 0 })
    }
    const choice = asRecord(asList(chunk.choices)[0])
    const parts = readDelta(asRecord(choice?.delta) ?? asRecord(choice?.message) ?? {})
    const usage = readChatUsage(chunk, choice)
    if (usage) parts.push({ type: 'usage', usage })
    reason = asString(choice?.finish_reason) ?? reason
    return parts
  }

  function finish(): ModelPart[] {
    finished = true
    const named = reason === null ? 'end' : (FINISHES[reason] ?? 'end')
    const byCalls = named === 'end' && calls.count > 0 ? 'tool-calls' : named
    const end = refusal && byCalls === 'end' ? 'refused' : byCalls
    return [...closeCurrent(), ...calls.end(end === 'length'), { type: 'finish', finish: end }]
  }

  return {
    get complete() {
      return reason !== null || finished
    },
    get finished() {
      return finished
    },
    read(event) {
      if (finished) return []
      if (event.data.trim() === '[DONE]') return finish()
      const value = asRecord(parseJson(event.data))
      if (!value) throw notJson()
      return readChunk(value)
    },
    end: () => (reason === null || finished ? [] : finish()),
  }
}

/** The status that an error inside a stream names: OpenRouter and vLLM put it into `code`. */
function statusIn(error: JsonRecord): number | null {
  const { code } = error
  return typeof code === 'number' && code >= 400 && code <= 599 ? code : null
}
