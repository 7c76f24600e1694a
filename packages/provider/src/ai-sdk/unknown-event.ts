import type { Vendor } from '../errors/error-rules.ts'
import { asRecord, asString, type JsonRecord } from '../wire/json-reader.ts'

const EVENTS: ReadonlySet<string> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'error',
])
const BLOCKS: ReadonlySet<string> = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use'])
const DELTAS: ReadonlySet<string> = new Set(['text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta'])
const CONVERSE = ['text', 'reasoningContent', 'toolUse'] as const

/** What a package failed at. */
export interface FailedEvent {
  readonly vendor: Vendor
  readonly error: unknown
  /** The event, as the package handed it on before it looked at it. */
  readonly rawValue: unknown
}

/**
 * Whether a package failed at an event only because it is of a kind that came after it: nothing that we read is in it,
 * so the answer goes on without. [RUN9] OpenAI's and Google's packages pass over such events by themselves.
 */
export function isUnknownEvent({ vendor, error, rawValue }: FailedEvent): boolean {
  if (vendor !== 'anthropic' && vendor !== 'bedrock') return false
  if (!(error instanceof Error) || error.name !== 'AI_TypeValidationError') return false
  const raw = asRecord(rawValue)
  if (!raw) return false
  return typeof raw.type === 'string' ? isUnknownToMessages(raw, raw.type) : isUnknownToConverse(raw)
}

function isUnknownToMessages(raw: JsonRecord, type: string): boolean {
  if (!EVENTS.has(type)) return true
  if (type === 'content_block_start') return isOther(asRecord(raw.content_block), BLOCKS)
  return type === 'content_block_delta' && isOther(asRecord(raw.delta), DELTAS)
}

function isOther(part: JsonRecord | null, known: ReadonlySet<string>): boolean {
  const type = asString(part?.type)
  return type !== null && !known.has(type)
}

function isUnknownToConverse(raw: JsonRecord): boolean {
  const piece = asRecord(asRecord(raw.contentBlockDelta)?.delta) ?? asRecord(asRecord(raw.contentBlockStart)?.start)
  return piece !== null && !CONVERSE.some((name) => name in piece)
}
