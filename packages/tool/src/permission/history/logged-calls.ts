import { type Entry, type EntryOf, type Projection, strangersAt } from '@holdfast/conversation'
import { readToolInput } from '../../tool-input.ts'
import { type CallFate, type LoggedCall, mayBeDenied } from './logged-call.ts'

/** The calls of a log, as far as they are kept. */
export interface LoggedCalls {
  /** The newest, oldest first. */
  readonly calls: readonly LoggedCall[]
  /** What a person denied among those that are no longer kept, oldest first. */
  readonly denials: readonly LoggedCall[]
  /** Tools of which a person denied something that is not kept: nothing is known of it but that. */
  readonly unseenDenials: readonly string[]
  readonly strangersAt: number | null
}

/** What is kept of one log. Lengths are those of the input as JSON. */
export const LOGGED_CALL_LIMITS = { calls: 400, denials: 100, inputChars: 8_192, totalChars: 400_000 } as const

/**
 * Calls with what was asked and answered about them: what suggestions are made of, and what rules are tried on. Calls of
 * branches that were set aside are among them. [PERM9]
 */
export const loggedCalls: Projection<LoggedCalls> = {
  name: 'logged-calls',
  version: 1,
  initial: { calls: [], denials: [], unseenDenials: [], strangersAt: strangersAt.initial },
  reduce(state, entries) {
    const next = opened(state)
    for (const entry of entries) take(next, entry)
    return {
      calls: [...next.calls.values()],
      denials: next.denials,
      unseenDenials: [...next.unseen].sort(),
      strangersAt: next.strangersAt,
    }
  },
}

/** The state while a batch is taken in. */
interface Open {
  readonly calls: Map<string, LoggedCall>
  /** Which call a request is about. */
  readonly requests: Map<string, string>
  denials: LoggedCall[]
  readonly unseen: Set<string>
  strangersAt: number | null
  totalChars: number
}

function opened({ calls, denials, unseenDenials, strangersAt: at }: LoggedCalls): Open {
  const requests = calls.flatMap((call): [string, string][] =>
    call.fate?.type === 'asked' ? [[call.fate.requestId, keyOf(call)]] : [],
  )
  return {
    calls: new Map(calls.map((call) => [keyOf(call), call])),
    requests: new Map(requests),
    denials: [...denials],
    unseen: new Set(unseenDenials),
    strangersAt: at,
    totalChars: calls.reduce((sum, call) => sum + charsOf(call), 0),
  }
}

function take(open: Open, entry: Entry): void {
  switch (entry.type) {
    case 'step-finished':
      takeStep(open, entry)
      break
    case 'permission-requested':
      open.requests.set(entry.requestId, keyOf(entry))
      change(open, keyOf(entry), () => ({
        strangersAt: open.strangersAt,
        fate: { type: 'asked', requestId: entry.requestId, answer: null },
      }))
      break
    case 'permission-settled':
      takeAnswer(open, entry)
      break
    case 'tool-call-started':
      change(open, keyOf(entry), ({ fate }) => ({
        ...modeOf(entry),
        ...(fate === null ? { strangersAt: open.strangersAt, ...ranOf(entry) } : {}),
      }))
      break
    case 'tool-call-settled':
      if (entry.outcome !== 'denied') break
      change(open, keyOf(entry), ({ fate }) => ({
        ...modeOf(entry),
        ...(fate === null ? { strangersAt: open.strangersAt, ...deniedOf(entry) } : {}),
      }))
      break
    case 'body-erased':
      takeErased(open, entry)
      break
    default:
  }
  open.strangersAt = strangersAt.reduce(open.strangersAt, [entry])
}

function takeStep(open: Open, { runId, seq, at, blocks }: EntryOf<'step-finished'>): void {
  for (const block of blocks) {
    if (block.type !== 'tool-call') continue
    const read = readToolInput(block)
    if (read.type === 'unreadable') continue
    const { callId, name: tool } = block
    const kept = JSON.stringify(read.input).length <= LOGGED_CALL_LIMITS.inputChars ? { input: read.input } : {}
    const call: LoggedCall = {
      seq,
      at,
      runId,
      callId,
      tool,
      ...kept,
      mode: null,
      strangersAt: open.strangersAt,
      fate: null,
    }
    forget(open, keyOf(call))
    open.calls.set(keyOf(call), call)
    open.totalChars += charsOf(call)
  }
  while (open.calls.size > LOGGED_CALL_LIMITS.calls || open.totalChars > LOGGED_CALL_LIMITS.totalChars) dropOldest(open)
}

/** @returns what was forgotten. */
function forget(open: Open, key: string): LoggedCall | null {
  const call = open.calls.get(key)
  if (!call) return null
  open.calls.delete(key)
  open.totalChars -= charsOf(call)
  return call
}

/** What a person denied is kept longer than the rest. */
function dropOldest(open: Open): void {
  const [oldest = ''] = open.calls.keys()
  const call = forget(open, oldest)
  if (call === null || !mayBeDenied(call.fate)) return
  if (call.input === undefined) open.unseen.add(call.tool)
  else open.denials.push(call)
  const over = open.denials.length - LOGGED_CALL_LIMITS.denials
  for (const forgotten of open.denials.slice(0, Math.max(0, over))) open.unseen.add(forgotten.tool)
  if (over > 0) open.denials = open.denials.slice(over)
}

/** The first answer wins. [PERM3] */
function takeAnswer(open: Open, { requestId, outcome, by, at }: EntryOf<'permission-settled'>): void {
  change(open, open.requests.get(requestId), ({ fate }) =>
    isOpen(fate, requestId) ? { fate: { ...fate, answer: { type: 'settled', outcome, by, at } } } : {},
  )
}

function takeErased(open: Open, { erasedType, of }: EntryOf<'body-erased'>): void {
  const { requestId } = of
  if (erasedType !== 'permission-settled' || requestId === undefined) return
  change(open, open.requests.get(requestId), ({ fate }) =>
    isOpen(fate, requestId) ? { fate: { ...fate, answer: { type: 'erased' } } } : {},
  )
}

function isOpen(fate: CallFate | null, requestId: string): fate is Extract<CallFate, { type: 'asked' }> {
  return fate?.type === 'asked' && fate.requestId === requestId && fate.answer === null
}

function change(open: Open, key: string | undefined, to: (call: LoggedCall) => Partial<LoggedCall>): void {
  const call = open.calls.get(key ?? '')
  if (key !== undefined && call) open.calls.set(key, { ...call, ...to(call) })
}

/** A call that somebody was asked about in another log, from which this one began, says nothing here. */
function ranOf({ decision }: EntryOf<'tool-call-started'>): Partial<LoggedCall> {
  return decision === undefined || decision.requestId !== undefined ? {} : { fate: { type: 'ran' } }
}

/** What a no decided about a call: it stays one. */
function deniedOf({ decision, at }: EntryOf<'tool-call-settled'>): Partial<LoggedCall> {
  if (decision === undefined) return {}
  const { requestId } = decision
  if (requestId === undefined) return { fate: { type: 'denied' } }
  return {
    fate: { type: 'asked', requestId, answer: { type: 'settled', outcome: 'denied', by: 'person', at } },
  }
}

function modeOf({ decision }: EntryOf<'tool-call-started' | 'tool-call-settled'>): Partial<LoggedCall> {
  return decision === undefined ? {} : { mode: decision.mode }
}

function keyOf({ runId, callId }: Pick<LoggedCall, 'runId' | 'callId'>): string {
  return `${runId} ${callId}`
}

function charsOf({ input }: LoggedCall): number {
  return input === undefined ? 0 : JSON.stringify(input).length
}
