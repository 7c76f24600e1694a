import type { ErrorMeaning, FaultCase, Place } from '@holdfast/conformance'
import type { ProviderErrorCode } from '@holdfast/conversation'
import type { ModelFinish } from '@holdfast/provider'
import type { StrictPort } from './strict-ports.ts'

/** What a fault must come to. */
export interface ExpectedEnd {
  readonly error: ProviderErrorCode | null
  readonly finish: ModelFinish | null
  /** How much of the answer is there; null where the fault is in the answer itself. */
  readonly kept: Place | 'all' | null
}

const CODE_OF: Readonly<Record<ErrorMeaning, ProviderErrorCode>> = {
  auth: 'auth',
  forbidden: 'auth',
  'model-missing': 'model-missing',
  'bad-request': 'bad-request',
  'too-long': 'too-long',
  timeout: 'network',
  'too-large': 'too-long',
  'rate-limit': 'rate-limit',
  quota: 'quota',
  internal: 'internal',
  'bad-gateway': 'network',
  unavailable: 'overloaded',
  overloaded: 'overloaded',
}

/** Where a package of the AI SDK gives up on an answer that our own adapters read. It does so in a class. */
const PACKAGE_LIMITS: readonly (readonly [RegExp, string, Place])[] = [
  // It takes no object with such a key for JSON.
  [/^google$/, 'arguments-proto', 'in-tool-arguments'],
  // It asks for ids, which these vendors always send, and for usage.
  [/^(?:openai-responses|bedrock|the AI SDK's Anthropic)/, 'missing-id', 'in-tool-arguments'],
  [/^bedrock by Messages$|^the AI SDK's Anthropic$/, 'usage-missing', 'after-last-delta'],
  [/^bedrock by Messages$|^the AI SDK's Anthropic$/, 'usage-early', 'after-last-delta'],
  // It looks at the first event before it gives the stream away.
  [/^bedrock by Messages$|^the AI SDK's Anthropic$/, 'unknown-event', 'before-first-event'],
]

/** It gives up at events of new kinds wherever they stand. */
const CHAT_PACKAGE = "the AI SDK's Chat Completions"

/** The end that a fault must have. */
export function expectedEnd(port: StrictPort, { fault, place }: FaultCase): ExpectedEnd {
  const { effect } = fault
  const failed = (error: ProviderErrorCode, kept: Place): ExpectedEnd => ({ error, finish: null, kept })
  const cut: ExpectedEnd = { error: null, finish: null, kept: place }
  const whole: ExpectedEnd = { error: null, finish: 'tool-calls', kept: 'all' }
  const isLimit =
    (fault.name === 'unknown-event' && port.name === CHAT_PACKAGE) ||
    PACKAGE_LIMITS.some(([names, limit, where]) => limit === fault.name && where === place && names.test(port.name))
  if (isLimit) return { error: 'internal', finish: null, kept: null }
  switch (effect.type) {
    case 'status':
      // Google says the same of a quota and of a rate.
      if (port.format === 'gemini' && effect.meaning === 'quota') return failed('rate-limit', place)
      return failed(CODE_OF[effect.meaning], place)
    case 'address':
      return failed('network', place)
    case 'connection':
      if (fault.outcome === 'silent') return cut
      if (effect.what !== 'clean-end') return failed('network', place)
      return place === 'before-first-event' || (place === 'in-thinking' && !port.thinks)
        ? failed('network', place)
        : cut
    case 'body':
      switch (effect.what) {
        case 'html':
          return failed('bad-request', place)
        case 'json-instead-of-stream':
        case 'error-in-200':
          return failed('internal', place)
        case 'wrong-content-type':
          // Lines of text are a stream without events; as Bedrock's binary stream they are a broken one.
          return failed(port.format === 'bedrock-converse' ? 'internal' : 'network', place)
        case 'empty-200':
          return failed('network', place)
        case 'gzip':
          return port.isOurs ? failed('internal', place) : whole
        case 'gzip-cut':
          return port.isOurs ? failed('internal', place) : { error: 'network', finish: null, kept: null }
      }
      break
    case 'event':
      switch (effect.what) {
        case 'error-event':
        case 'invalid-json':
          return failed('internal', place)
        case 'overloaded-event':
          return failed('overloaded', place)
        case 'no-stop-event':
          return cut
        case 'invalid-utf8':
          return { ...whole, kept: null }
        case 'unknown-event':
        case 'start-twice':
          return whole
      }
      break
    case 'content':
      switch (effect.what) {
        case 'zero-output':
        case 'only-thinking':
          return { error: null, finish: 'end', kept: null }
        case 'refusal':
          return { error: null, finish: 'refused', kept: null }
        case 'max-tokens-in-call':
          return { error: null, finish: 'length', kept: 'all' }
        case 'huge-delta':
        case 'million-deltas':
          return { ...whole, kept: null }
        case 'unsigned-thinking':
        case 'unknown-block':
        case 'arguments-invalid-json':
        case 'arguments-not-an-object':
        case 'arguments-5-mb':
        case 'arguments-duplicate-keys':
        case 'arguments-proto':
        case 'duplicate-ids':
        case 'id-of-an-earlier-turn':
        case 'empty-id':
        case 'missing-id':
        case 'unknown-tool':
        case 'index-out-of-order':
        case 'usage-missing':
        case 'usage-negative':
        case 'usage-early':
        case 'model-name-changed':
          return whole
      }
  }
}

/** The words that the answer has come to by then, of those that the faulty reply says. */
export function keptWords(place: Place | 'all'): { readonly thinking: string; readonly text: string } {
  const thinking = 'The file may hold it, so it is worth a look.'
  const text = 'I look into the file first.'
  switch (place) {
    case 'before-first-event':
      return { thinking: '', text: '' }
    case 'in-thinking':
      return { thinking: thinking.slice(0, 12), text: '' }
    case 'in-text':
      return { thinking, text: text.slice(0, 12) }
    case 'in-tool-arguments':
    case 'after-last-delta':
    case 'all':
      return { thinking, text }
  }
}
