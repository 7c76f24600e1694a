import type { AnswerBlock, Json } from '@holdfast/conversation'
import { asList, asRecord, asString } from '../wire/json-reader.ts'
import { RawJson, type WireJson } from '../wire/json-text.ts'

/**
 * What Anthropic wants back with a block. It is kept in the log as it is, so its form does not change:
 * - `anthropic.signature`: thinking, with the signature that binds it;
 * - `anthropic.redacted`: thinking that only Anthropic can read;
 * - `anthropic.block`: a block of a kind that we do not know, such as a server's own tool; its JSON as text;
 * - `anthropic.citations`: what a text rests on, as text of a JSON list.
 */
export type AnthropicState =
  | { readonly type: 'anthropic.signature'; readonly signature: string }
  | { readonly type: 'anthropic.redacted'; readonly data: string }
  | { readonly type: 'anthropic.block'; readonly json: string }
  | { readonly type: 'anthropic.citations'; readonly json: string }

/** The state of a block as Anthropic gave it, or null when another provider gave it or there is none. [REQ4] */
function stateOf(block: AnswerBlock): AnthropicState | null {
  const state = asRecord(block.providerState)
  const signature = asString(state?.signature)
  const data = asString(state?.data)
  const json = asString(state?.json)
  if (state?.type === 'anthropic.signature' && signature !== null) return { type: 'anthropic.signature', signature }
  if (state?.type === 'anthropic.redacted' && data !== null) return { type: 'anthropic.redacted', data }
  if (state?.type === 'anthropic.block' && json !== null) return { type: 'anthropic.block', json }
  if (state?.type === 'anthropic.citations' && json !== null) return { type: 'anthropic.citations', json }
  return null
}

/**
 * A thinking block as it is sent back: verbatim, or null when it is unsigned or another provider's. [REQ4]
 * `isThinking` is false for a block of another kind, which the log holds as thinking without words.
 */
export function thinkingWire(
  block: Extract<AnswerBlock, { type: 'thinking' }>,
): { readonly wire: WireJson; readonly isThinking: boolean } | null {
  const state = stateOf(block)
  switch (state?.type) {
    case 'anthropic.signature':
      return { wire: { type: 'thinking', thinking: block.text, signature: state.signature }, isThinking: true }
    case 'anthropic.redacted':
      return { wire: { type: 'redacted_thinking', data: state.data }, isThinking: true }
    case 'anthropic.block':
      return { wire: new RawJson(state.json), isThinking: false }
    case 'anthropic.citations':
    case undefined:
      return null
  }
}

/** The citations of a text as they came. */
export function citationsWire(block: Extract<AnswerBlock, { type: 'text' }>): RawJson | undefined {
  const state = stateOf(block)
  return state?.type === 'anthropic.citations' ? new RawJson(state.json) : undefined
}

/** State that goes into the log. */
export function toProviderState(state: AnthropicState): Json {
  return { ...state }
}

/** The citations so far as state; undefined when there are none. */
export function citationState(citations: readonly unknown[]): Json | undefined {
  return asList(citations).length === 0
    ? undefined
    : toProviderState({ type: 'anthropic.citations', json: JSON.stringify(citations) })
}
