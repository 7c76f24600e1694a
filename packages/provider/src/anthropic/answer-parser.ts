import type { Json } from '@holdfast/conversation'
import { classifyProviderError } from '../errors/classify-provider-error.ts'
import { type AnswerParser, brokenStream, notJson } from '../http/stream-answer.ts'
import type { ModelFinish, ModelPart, ProviderError, RequestUsage } from '../model-port.ts'
import type { CallIds } from '../wire/call-ids.ts'
import { asRecord, asString, type JsonRecord, parseJson } from '../wire/json-reader.ts'
import { impliedBlock, type OpenBlock, openBlock } from './open-block.ts'
import { NO_USAGE, readUsage } from './read-usage.ts'

interface Numbered {
  readonly block: number
  readonly open: OpenBlock
}

const FINISHES: Readonly<Record<string, ModelFinish>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  // The model is not at its end; a person's "go on" continues it.
  pause_turn: 'length',
  refusal: 'refused',
}

/** Makes the parser of one answer in the form of Anthropic's Messages. */
export function createAnswerParser({ callIds }: { readonly callIds: CallIds }): AnswerParser {
  /** Open blocks by the provider's index. Ours count on when a second message begins in the same stream. */
  let open = new Map<unknown, Numbered>()
  /** Ended by the provider inside a tool input: only the reason of the end tells whether it was cut there. */
  let doubtful: Numbered[] = []
  let blocks = 0
  let usage: RequestUsage = NO_USAGE
  let stopReason: string | null = null
  let called = false
  let messageId: string | null = null
  let finished = false

  function startMessage(message: JsonRecord | null): ModelPart[] {
    const id = asString(message?.id)
    // A message that begins again inside another one replaces it: its open blocks are never ended.
    if (messageId !== null && id !== messageId) {
      open = new Map()
      doubtful = []
      called = false
    }
    messageId = id ?? ''
    return takeUsage(message?.usage)
  }

  function takeUsage(value: unknown): ModelPart[] {
    if (!asRecord(value)) return []
    usage = readUsage(usage, value)
    return [{ type: 'usage', usage }]
  }

  function startBlock(index: unknown, started: OpenBlock): ModelPart[] {
    const ended = endDoubtful()
    const numbered = { block: blocks, open: started }
    open.set(index, numbered)
    blocks += 1
    if (started.start.type === 'tool-call') called = true
    const text = started.firstText
    return [
      ...ended,
      { type: 'block-started', block: numbered.block, start: started.start },
      ...(text === '' ? [] : [{ type: 'block-delta', block: numbered.block, text } as const]),
    ]
  }

  function addDelta(index: unknown, delta: JsonRecord): ModelPart[] {
    const known = open.get(index)
    const implied = known ? null : impliedBlock(delta)
    const before = implied ? startBlock(index, implied) : []
    const target = known ?? open.get(index)
    if (!target) throw brokenStream(`a delta for block ${JSON.stringify(index)}, which has not started`)
    const text = target.open.add(delta)
    return text === '' ? before : [...before, { type: 'block-delta', block: target.block, text }]
  }

  function stopBlock(index: unknown): ModelPart[] {
    const target = open.get(index)
    open.delete(index)
    if (!target) return []
    if (target.open.isWhole()) return endBlock(target)
    doubtful.push(target)
    return []
  }

  /** What came after shows that the input was not cut: it ends as it is, and is answered as an error. [RUN10] */
  function endDoubtful(): ModelPart[] {
    const ended = doubtful.flatMap(endBlock)
    doubtful = []
    return ended
  }

  function stopMessage(): ModelPart[] {
    finished = true
    const named = stopReason === null ? 'end' : (FINISHES[stopReason] ?? 'end')
    const finish = called && named === 'end' ? 'tool-calls' : named
    return [...(finish === 'length' ? [] : endDoubtful()), { type: 'finish', finish }]
  }

  function readJson(event: JsonRecord): ModelPart[] {
    switch (event.type) {
      case 'message_start':
        return startMessage(asRecord(event.message))
      case 'content_block_start':
        return startBlock(event.index, openBlock(asRecord(event.content_block) ?? {}, callIds))
      case 'content_block_delta':
        return addDelta(event.index, asRecord(event.delta) ?? {})
      case 'content_block_stop':
        return stopBlock(event.index)
      case 'message_delta':
        stopReason = asString(asRecord(event.delta)?.stop_reason) ?? stopReason
        return takeUsage(event.usage)
      case 'message_stop':
        return stopMessage()
      case 'error':
        throw streamError(event)
    }
    return []
  }

  return {
    get complete() {
      return finished
    },
    get finished() {
      return finished
    },
    end: () => [],
    read(event) {
      if (finished) return []
      const value = asRecord(parseJson(event.data))
      if (!value) throw notJson()
      return readJson(value)
    },
  }
}

function endBlock({ block, open }: Numbered): ModelPart[] {
  const { text, providerState } = open.end()
  return [
    ...(text === '' ? [] : [{ type: 'block-delta', block, text } as const]),
    { type: 'block-ended', block, ...stateField(providerState) },
  ]
}

function stateField(providerState: Json | undefined): { readonly providerState?: Json } {
  return providerState === undefined ? {} : { providerState }
}

function streamError(event: JsonRecord): ProviderError {
  const bodyText = JSON.stringify(event)
  return classifyProviderError({ vendor: 'anthropic', status: null, bodyText, headers: {}, nowMs: 0 })
}
