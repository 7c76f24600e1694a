import type { BlockStart, Json } from '@holdfast/conversation'
import type { CallIds } from '../wire/call-ids.ts'
import { isDamaged } from '../wire/damaged-text.ts'
import { asList, asRecord, asString, type JsonRecord, parseJson } from '../wire/json-reader.ts'
import { isWholeInput } from '../wire/tool-input.ts'
import { citationState, toProviderState } from './provider-state.ts'

/** A block of the answer while it streams. */
export interface OpenBlock {
  readonly start: BlockStart
  /** What its start already holds of its text. */
  readonly firstText: string
  /** Takes a delta in. @returns the text that it adds; empty when it adds none. */
  add(delta: JsonRecord): string
  /** What is still missing of the text at its end, and what the provider wants back. */
  end(): { readonly text: string; readonly providerState: Json | undefined }
  /** Whether its end would be the block's own: false inside a tool input. [STOP4] */
  isWhole(): boolean
}

/** Opens a block as its start says. A kind that is not known is kept whole, to be sent back as it came. */
export function openBlock(content: JsonRecord, callIds: CallIds): OpenBlock {
  switch (content.type) {
    case 'text':
      return textBlock(content)
    case 'thinking':
      return thinkingBlock(content)
    case 'redacted_thinking':
      return redactedBlock(content)
    case 'tool_use':
      return callBlock(content, callIds)
  }
  return unknownBlock(content)
}

/** The block that a delta without a start belongs to; null when it cannot be told. */
export function impliedBlock(delta: JsonRecord): OpenBlock | null {
  if (delta.type === 'text_delta') return textBlock({})
  return delta.type === 'thinking_delta' ? thinkingBlock({}) : null
}

function textBlock(content: JsonRecord): OpenBlock {
  const citations: unknown[] = [...asList(content.citations)]
  return {
    start: { type: 'text' },
    firstText: asString(content.text) ?? '',
    add(delta) {
      if (delta.type === 'citations_delta') citations.push(delta.citation)
      return asString(delta.text) ?? ''
    },
    end: () => ({ text: '', providerState: citationState(citations) }),
    isWhole: () => true,
  }
}

function thinkingBlock(content: JsonRecord): OpenBlock {
  let signature = asString(content.signature) ?? ''
  let damaged = isDamaged(asString(content.thinking) ?? '')
  return {
    start: { type: 'thinking' },
    firstText: asString(content.thinking) ?? '',
    add(delta) {
      signature += asString(delta.signature) ?? ''
      const text = asString(delta.thinking) ?? ''
      damaged ||= isDamaged(text)
      return text
    },
    end: () => ({
      text: '',
      providerState:
        signature === '' || damaged ? undefined : toProviderState({ type: 'anthropic.signature', signature }),
    }),
    isWhole: () => true,
  }
}

function redactedBlock(content: JsonRecord): OpenBlock {
  const data = asString(content.data) ?? ''
  const providerState = toProviderState({ type: 'anthropic.redacted', data })
  return {
    start: { type: 'thinking' },
    firstText: '',
    add: () => '',
    end: () => ({ text: '', providerState }),
    isWhole: () => true,
  }
}

function callBlock(content: JsonRecord, callIds: CallIds): OpenBlock {
  const callId = callIds.give(asString(content.id))
  let inputText = ''
  return {
    start: { type: 'tool-call', callId, name: asString(content.name) ?? '' },
    firstText: '',
    add(delta) {
      const piece = asString(delta.partial_json) ?? ''
      inputText += piece
      return piece
    },
    // A call without arguments streams none; what its start holds is then the input.
    end: () => ({
      text: inputText === '' ? JSON.stringify(asRecord(content.input) ?? {}) : '',
      providerState: undefined,
    }),
    isWhole: () => isWholeInput(inputText),
  }
}

/** Holds what it is told: string fields grow, lists are added to, `partial_json` becomes the input. */
function unknownBlock(content: JsonRecord): OpenBlock {
  const kept: Record<string, unknown> = { ...content }
  let inputText = ''
  return {
    start: { type: 'thinking' },
    firstText: '',
    add(delta) {
      for (const [key, value] of Object.entries(delta)) {
        const before = kept[key]
        if (key === 'type') continue
        if (key === 'partial_json') inputText += asString(value) ?? ''
        else kept[key] = typeof before === 'string' && typeof value === 'string' ? before + value : value
      }
      return ''
    },
    end() {
      const input = parseJson(inputText)
      const json = JSON.stringify(input === undefined ? kept : { ...kept, input })
      return { text: '', providerState: toProviderState({ type: 'anthropic.block', json }) }
    },
    isWhole: () => isWholeInput(inputText),
  }
}
