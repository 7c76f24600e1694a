import type { Json, NewEntry } from '@holdfast/conversation'
import {
  conversationCreated,
  describeProjection,
  logOf,
  stepFinished,
  toolCallSettled,
  toolCallStarted,
} from '@holdfast/conversation/testing'
import { LOGGED_CALL_LIMITS, loggedCalls, mayBeDenied, personSaid } from '@holdfast/tool'
import { describe, expect, it } from 'vitest'

describeProjection(loggedCalls)

const actor = { type: 'engine' } as const
const decision = { source: 'default-policy', mode: 'ask', ruleIds: [] } as const
type Answer = { readonly outcome: 'allowed' | 'denied' | 'cancelled'; readonly by: 'person' | 'rule' | 'stop' }

/** A step with one call; each its own run. */
function called(callId: string, input: Json): NewEntry {
  const block = { type: 'tool-call', callId, name: 'shell', inputText: JSON.stringify(input), complete: true } as const
  return stepFinished(`run_${callId}`, `step_${callId}`, [block])
}

function asked(callId: string, answer?: Answer): NewEntry[] {
  const request = { requestId: `request_${callId}`, callId, userId: 'user_1', tool: 'shell', input: {} }
  const of = { actor, runId: `run_${callId}`, stepId: `step_${callId}` }
  return [
    { type: 'permission-requested', ...of, ...request, reason: 'because', source: 'default-policy' },
    ...(answer ? [{ type: 'permission-settled' as const, actor, requestId: request.requestId, ...answer }] : []),
  ]
}

const started = (callId: string, more: object = {}): NewEntry => ({
  ...toolCallStarted(`run_${callId}`, `step_${callId}`, { callId, name: 'shell' }),
  ...more,
})

const denied = (callId: string, more: object = {}): NewEntry => ({
  ...toolCallSettled(`run_${callId}`, `step_${callId}`, { callId, name: 'shell', outcome: 'denied' }),
  ...more,
})

function fold(entries: readonly NewEntry[]) {
  return loggedCalls.reduce(loggedCalls.initial, logOf('c1', [conversationCreated('user_1'), ...entries]))
}

const allowed: Answer = { outcome: 'allowed', by: 'person' }
const no: Answer = { outcome: 'denied', by: 'person' }

describe('the calls of a log', () => {
  it('[PERM3] have what was asked, what the person said, the mode, and what ran or was denied without a question', () => {
    const { calls } = fold([
      called('a', { command: 'ls' }),
      ...asked('a', allowed),
      started('a', { decision: { ...decision, requestId: 'request_a' } }),
      called('b', { command: 'rm x' }),
      ...asked('b', no),
      denied('b', { decision: { ...decision, requestId: 'request_b' } }),
      called('c', { command: 'pwd' }),
      started('c', { decision: { ...decision, mode: 'bypass' }, strangers: false }),
      called('d', { command: 'git push' }),
      denied('d', { decision }),
      called('e', { command: 'open' }),
      ...asked('e', { outcome: 'cancelled', by: 'stop' }),
      called('f', { command: 'waits' }),
      ...asked('f'),
    ])
    expect(calls.map(({ input, mode, fate }) => [input, mode, fate?.type ?? null, personSaid(fate)])).toEqual([
      [{ command: 'ls' }, 'ask', 'asked', 'allowed'],
      [{ command: 'rm x' }, 'ask', 'asked', 'denied'],
      [{ command: 'pwd' }, 'bypass', 'ran', null],
      [{ command: 'git push' }, 'ask', 'denied', null],
      [{ command: 'open' }, null, 'asked', null],
      [{ command: 'waits' }, null, 'asked', null],
    ])
  })

  it('[PERM7] know whether strangers had written before they were decided about, and not after', () => {
    const { calls } = fold([
      called('a', {}),
      started('a', { decision }),
      called('b', {}),
      ...asked('b', allowed),
      started('b', { decision }),
    ])
    expect(calls.map(({ strangersAt }) => strangersAt !== null)).toEqual([false, true])
  })

  it('[PERM3] take the first answer, and none of another log but a no', () => {
    const twice: NewEntry = {
      type: 'permission-settled',
      actor,
      requestId: 'request_a',
      outcome: 'allowed',
      by: 'person',
    }
    const elsewhere = { decision: { ...decision, requestId: 'request_of_another_log' } }
    const { calls } = fold([
      ...[called('a', {}), ...asked('a', no), twice],
      ...[called('b', {}), started('b', elsewhere)],
      ...[called('c', {}), denied('c', elsewhere)],
    ])
    expect(calls.map(({ fate }) => personSaid(fate))).toEqual(['denied', null, 'denied'])
    expect(calls[1]?.fate).toBeNull()
  })

  it('[LOG9] count an erased answer as one that may have been a no', () => {
    const erased: NewEntry = {
      type: 'body-erased',
      actor,
      erasedType: 'permission-settled',
      of: { requestId: 'request_a' },
      reason: 'asked for',
      erasedAt: 9,
    }
    const { calls } = fold([called('a', {}), ...asked('a'), erased])
    expect(calls.map(({ fate }) => [personSaid(fate), mayBeDenied(fate)])).toEqual([['unknown', true]])
  })

  it('[PERM9] are bounded, and what a person denied is kept longer, or its tool is named', () => {
    const long = { command: 'x'.repeat(LOGGED_CALL_LIMITS.inputChars) }
    const many = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => called(`${prefix}${index}`, { command: `${index}` }))
    const first = [called('a', { command: 'no' }), ...asked('a', no)]
    const once = fold([...first, ...many('n', LOGGED_CALL_LIMITS.calls)])
    expect([once.calls.length, once.denials.length, once.unseenDenials]).toEqual([LOGGED_CALL_LIMITS.calls, 1, []])
    const unseen = fold([called('b', long), ...asked('b', no), ...many('n', LOGGED_CALL_LIMITS.calls)])
    expect([unseen.denials, unseen.unseenDenials]).toEqual([[], ['shell']])
    const noes = Array.from({ length: LOGGED_CALL_LIMITS.denials + 1 }, (_, index) => [
      called(`d${index}`, { command: `${index}` }),
      ...asked(`d${index}`, no),
    ])
    const over = fold([...noes.flat(), ...many('n', LOGGED_CALL_LIMITS.calls)])
    expect([over.denials.length, over.unseenDenials]).toEqual([LOGGED_CALL_LIMITS.denials, ['shell']])
    const wide = many('w', 60).map((_, index) => called(`l${index}`, { command: 'y'.repeat(8_000) }))
    expect(JSON.stringify(fold(wide).calls).length).toBeLessThan(LOGGED_CALL_LIMITS.totalChars * 1.2)
  })
})
