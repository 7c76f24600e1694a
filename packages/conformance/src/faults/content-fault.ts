import type { Reply, ReplyPart } from '../reply.ts'
import type { ContentFault, Place } from './fault.ts'

/** 20 MB in one delta. */
const HUGE_CHARS = 20_000_000
const MANY_DELTAS = 1_000_000
const LARGE_ARGUMENT_CHARS = 5_000_000

/** What an earlier turn's calls were called. */
export interface Earlier {
  readonly callIds: readonly string[]
}

/** The reply with one odd thing in it. */
export function applyContentFault(reply: Reply, fault: ContentFault, place: Place, earlier: Earlier): Reply {
  const parts = (change: (part: ReplyPart) => ReplyPart): Reply => ({ ...reply, parts: reply.parts.map(change) })
  const calls = (change: (call: ToolCall) => ToolCall) =>
    parts((part) => (part.type === 'tool-call' ? change(part) : part))

  switch (fault) {
    case 'zero-output':
      return { ...reply, parts: [], finish: 'end' }
    case 'refusal':
      return { ...reply, parts: partsBefore(reply.parts, place), finish: 'refusal' }
    case 'only-thinking':
      return {
        ...reply,
        parts: reply.parts.filter(({ type }) => type === 'thinking' || type === 'redacted-thinking'),
        finish: 'end',
      }
    case 'unsigned-thinking':
      return parts((part) => (part.type === 'thinking' ? { ...part, signature: 'missing' } : part))
    case 'huge-delta':
      return { ...parts((part) => (isAt(part, place) ? grow(part, HUGE_CHARS) : part)), chunkChars: Infinity }
    case 'million-deltas':
      return { ...parts((part) => (isAt(part, place) ? grow(part, MANY_DELTAS) : part)), chunkChars: 1 }
    case 'unknown-block':
      return { ...reply, parts: [{ type: 'unknown' }, ...reply.parts] }
    case 'arguments-invalid-json':
      return calls((call) => ({ ...call, raw: '{"path": "a.txt", "lines": [1, 2' }))
    case 'arguments-not-an-object':
      return calls((call) => ({ ...call, raw: '["a.txt"]' }))
    case 'arguments-5-mb':
      return calls((call) => grow(call, LARGE_ARGUMENT_CHARS))
    case 'arguments-duplicate-keys':
      return calls((call) => ({ ...call, raw: '{"path":"a.txt","path":"b.txt"}' }))
    case 'arguments-proto':
      return calls((call) => ({ ...call, raw: '{"__proto__":{"path":"a.txt"},"constructor":{"prototype":{}}}' }))
    case 'duplicate-ids':
      return twoCallsAtLeast(calls((call) => ({ ...call, id: 'call_same' })))
    case 'id-of-an-earlier-turn':
      return calls((call) => ({ ...call, id: earlier.callIds[0] ?? 'call_same' }))
    case 'empty-id':
      return calls((call) => ({ ...call, id: '' }))
    case 'missing-id':
      return calls((call) => ({ ...call, id: null }))
    case 'unknown-tool':
      return calls((call) => ({ ...call, name: 'no_such_tool' }))
    case 'index-out-of-order':
      return { ...reply, reversedIndexes: true }
    case 'max-tokens-in-call':
      return { ...calls((call) => ({ ...call, raw: '{"path": "a' })), finish: 'max-tokens' }
    case 'usage-missing':
      return { ...reply, usage: 'missing' }
    case 'usage-negative':
      return { ...reply, usage: 'negative' }
    case 'usage-early':
      return { ...reply, usage: 'early' }
    case 'model-name-changed':
      return { ...reply, modelName: 'another-model-2026-01-01' }
  }
}

type ToolCall = Extract<ReplyPart, { type: 'tool-call' }>

function isAt(part: ReplyPart, place: Place): boolean {
  switch (place) {
    case 'in-text':
      return part.type === 'text'
    case 'in-thinking':
      return part.type === 'thinking'
    case 'in-tool-arguments':
      return part.type === 'tool-call'
    case 'before-first-event':
    case 'after-last-delta':
      return false
  }
}

/** The part with that much of one letter, cut into deltas by the reply's own measure. */
function grow(part: ToolCall, chars: number): ToolCall
function grow(part: ReplyPart, chars: number): ReplyPart
function grow(part: ReplyPart, chars: number): ReplyPart {
  const long = 'x'.repeat(chars)
  switch (part.type) {
    case 'text':
      return { type: 'text', text: long }
    case 'thinking':
      return { type: 'thinking', text: long }
    case 'tool-call': {
      const call = { type: part.type, name: part.name, input: { text: long } }
      return part.id === undefined ? call : { ...call, id: part.id }
    }
    case 'redacted-thinking':
    case 'unknown':
      return part
  }
}

function partsBefore(parts: readonly ReplyPart[], place: Place): readonly ReplyPart[] {
  if (place === 'before-first-event') return []
  if (place === 'after-last-delta') return parts.filter(({ type }) => type !== 'tool-call')
  return parts.slice(0, parts.findIndex((part) => isAt(part, place)) + 1)
}

/** The same call again, so that an id is there twice. */
function twoCallsAtLeast(reply: Reply): Reply {
  const calls = reply.parts.filter(({ type }) => type === 'tool-call')
  return calls.length === 1 ? { ...reply, parts: [...reply.parts, ...calls] } : reply
}
