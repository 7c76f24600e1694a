import type { AnswerBlock, Json } from '@holdfast/conversation'
import { asList, asRecord, asString, type JsonRecord } from '../wire/json-reader.ts'
import { RawJson, type WireJson } from '../wire/json-text.ts'
import type { ChatTraits } from './chat-traits.ts'

/**
 * What a server wants back with thinking. It is kept in the log as it is, so its form does not change.
 * `details` is OpenRouter's list as JSON text: it holds signatures and what only the model's maker can read.
 */
interface ReasoningState {
  readonly type: 'openai-chat.reasoning'
  readonly details?: string
}

/** Gathers the pieces of OpenRouter's `reasoning_details`. */
export interface ReasoningDetails {
  add(pieces: readonly unknown[]): void
  /** The list as JSON text; null when there is none. */
  text(): string | null
}

/** Pieces of one index are one entry: its texts are joined, all else is set. */
export function createReasoningDetails(): ReasoningDetails {
  const entries = new Map<unknown, Record<string, unknown>>()
  return {
    add(pieces) {
      for (const piece of pieces) {
        const detail = asRecord(piece)
        if (!detail) continue
        const key = detail.index ?? `${asString(detail.type)} ${asString(detail.id)}`
        const known = entries.get(key)
        if (known) join(known, detail)
        else entries.set(key, { ...detail })
      }
    },
    text: () => (entries.size === 0 ? null : JSON.stringify([...entries.values()])),
  }
}

/** State for the log; undefined where nothing is sent again. */
export function reasoningState(replay: ChatTraits['reasoningReplay'], details: string | null): Json | undefined {
  if (replay === null || (replay === 'reasoning_details' && details === null)) return undefined
  const state: ReasoningState = { type: 'openai-chat.reasoning', ...(details === null ? {} : { details }) }
  return { ...state }
}

/** The fields of an assistant message that send its thinking again; none of another provider's. [REQ4] */
export function reasoningFields(
  blocks: readonly AnswerBlock[],
  { reasoningReplay: replay, reasoningBesideCalls }: ChatTraits,
  hasCalls: boolean,
): { readonly [key: string]: WireJson } {
  if (replay === null) return {}
  const texts: string[] = []
  const details: string[] = []
  for (const block of blocks) {
    const state = block.type === 'thinking' ? asRecord(block.providerState) : null
    if (block.type !== 'thinking' || state?.type !== 'openai-chat.reasoning') continue
    texts.push(block.text)
    const list = asString(state.details)
    if (list !== null) details.push(list.slice(1, -1))
  }
  if (replay === 'reasoning_details')
    return details.length === 0 ? {} : { reasoning_details: new RawJson(`[${details.join(',')}]`) }
  const text = texts.join('')
  if (text !== '') return { [replay]: text }
  return hasCalls && reasoningBesideCalls ? { [replay]: NO_THINKING } : {}
}

/** Stands where a step was another model's, or did not think: the servers that want the field take no empty text. */
const NO_THINKING = '(None is kept of this step.)'

const JOINED: ReadonlySet<string> = new Set(['text', 'summary', 'data'])

function join(known: Record<string, unknown>, detail: JsonRecord): void {
  for (const [key, value] of Object.entries(detail)) {
    const before = known[key]
    if (JOINED.has(key) && typeof before === 'string' && typeof value === 'string') known[key] = before + value
    else if (value !== null) known[key] = value
  }
}

/** The words of a delta's thinking, in whichever of the fields a server sends it. */
export function reasoningText(delta: JsonRecord): string {
  for (const field of ['reasoning_content', 'reasoning', 'thinking']) {
    const text = asString(delta[field])
    if (text !== null && text !== '') return text
  }
  return asList(delta.reasoning_details)
    .map((detail) => asString(asRecord(detail)?.text) ?? asString(asRecord(detail)?.summary) ?? '')
    .join('')
}
