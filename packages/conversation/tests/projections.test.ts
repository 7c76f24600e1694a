import {
  averageDurationMs,
  type Entry,
  type LedgerTotals,
  ledger,
  modelName,
  type NewEntry,
  noTotals,
  notices,
  p95DurationMs,
  pendingPermissions,
  queue,
  settingLayers,
  settingsInForce,
  title,
  toolMetrics,
} from '@holdfast/conversation'
import {
  arbitraryLog,
  conversationCreated,
  inputAdmitted,
  logOf,
  pathRewound,
  runFinished,
  titleChanged,
  toolCallSettled,
  toolCallStarted,
  usageRecorded,
  userMessageSent,
} from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const engine = { type: 'engine' } as const

function log(entries: readonly NewEntry[]): Entry[] {
  return logOf('a', [conversationCreated('user_1'), ...entries])
}

describe('the queue', () => {
  const three = [inputAdmitted('a', 'first'), inputAdmitted('b', 'second'), inputAdmitted('c', 'third')]
  const waiting = (entries: readonly NewEntry[]) => queue.reduce(queue.initial, log([...three, ...entries])).inputs
  const changed = (inputId: string, change: object): NewEntry => ({
    type: 'input-changed',
    actor: engine,
    inputId,
    ...change,
  })

  it('[RUN2] holds inputs in their order until they are sent or removed', () => {
    expect(waiting([]).map(({ inputId }) => inputId)).toEqual(['a', 'b', 'c'])
    expect(waiting([userMessageSent('run_1', 'b', 'second')]).map(({ inputId }) => inputId)).toEqual(['a', 'c'])
    const removed: NewEntry = { type: 'input-removed', actor: engine, inputId: 'a' }
    expect(waiting([removed, removed]).map(({ inputId }) => inputId)).toEqual(['b', 'c'])
  })

  it('[RUN2] moves an input to its new place, and to the end when that is too far', () => {
    expect(waiting([changed('c', { position: 0 })]).map(({ inputId }) => inputId)).toEqual(['c', 'a', 'b'])
    expect(waiting([changed('a', { position: 1 })]).map(({ inputId }) => inputId)).toEqual(['b', 'a', 'c'])
    expect(waiting([changed('a', { position: 9 })]).map(({ inputId }) => inputId)).toEqual(['b', 'c', 'a'])
    expect(waiting([changed('x', { position: 0 })])).toEqual(waiting([]))
  })

  it('[STOP9] locks an input while someone edits it, and changes only what was said', () => {
    const locked = waiting([changed('b', { lockedBy: 'client_1' })])
    expect(locked.map(({ lockedBy }) => lockedBy)).toEqual([null, 'client_1', null])
    const edited = waiting([
      changed('b', { lockedBy: 'client_1' }),
      changed('b', { content: [{ type: 'text', text: 'better' }] }),
      changed('b', { lane: 'steer' }),
    ])
    expect(edited[1]).toMatchObject({ lockedBy: 'client_1', lane: 'steer', content: [{ text: 'better' }], seq: 3 })
    expect(waiting([changed('b', { lockedBy: 'client_1' }), changed('b', { lockedBy: null })])[1]?.lockedBy).toBeNull()
  })

  it('[STOP9] says why nothing is sent by itself', () => {
    const held: NewEntry = { type: 'queue-held', actor: engine, reason: 'stopped' }
    const released: NewEntry = { type: 'queue-released', actor: engine }
    expect(queue.reduce(queue.initial, log([held])).held).toBe('stopped')
    expect(queue.reduce(queue.initial, log([held, released])).held).toBeNull()
  })

  it('[STOP13] counts the turn that runs while it is let go on as the one that is followed', () => {
    const released: NewEntry = { type: 'queue-released', actor: engine }
    const begun = [userMessageSent('run_1', 'a', 'first'), released]
    const followed = log([
      ...three,
      ...begun,
      runFinished('run_1', 'completed'),
      userMessageSent('run_2', 'b', 'second'),
    ])
    expect(queue.reduce(queue.initial, followed).following.runIds).toEqual(['run_1', 'run_2'])
    const ended = log([...three, userMessageSent('run_1', 'a', 'first'), runFinished('run_1', 'completed'), released])
    expect(queue.reduce(queue.initial, ended).following.runIds).toEqual([])
  })

  it('[STOP13] counts what waited behind a turn that was interrupted, where what interrupted it was taken back', () => {
    const followedBy = (mode: 'interrupt' | 'stop', inputId: string): readonly string[] => {
      const stopped: NewEntry = { type: 'stop-requested', actor: engine, runId: 'run_1', mode }
      const interrupted = [userMessageSent('run_1', 'a', 'first'), stopped, changed('b', { sendNow: true })]
      const sent = userMessageSent('run_2', inputId, 'next')
      return queue.reduce(queue.initial, log([...three, ...interrupted, runFinished('run_1', 'stopped'), sent]))
        .following.runIds
    }
    expect(followedBy('interrupt', 'c')).toEqual(['run_1', 'run_2'])
    expect(followedBy('interrupt', 'b')).toEqual(['run_2'])
    expect(followedBy('stop', 'c')).toEqual(['run_2'])
  })

  it('[PRJ6] is not moved by a rewind', () => {
    expect(waiting([pathRewound(0)])).toEqual(waiting([]))
  })
})

describe('the ledger', () => {
  it('[COST2] names a model once, also where its own id begins with its provider', () => {
    expect(modelName({ providerId: 'anthropic', modelId: 'anthropic/claude-opus-5-5' })).toBe(
      'anthropic/claude-opus-5-5',
    )
    expect(modelName({ providerId: 'openrouter', modelId: 'anthropic/claude' })).toBe('openrouter/anthropic/claude')
    expect(modelName({ providerId: 'demo', modelId: 'demo' })).toBe('demo/demo')
  })

  const FIGURES = Object.keys(noTotals) as readonly (keyof LedgerTotals)[]

  it('[COST2] never goes down, whatever happens', () => {
    fc.assert(
      fc.property(arbitraryLog, (entries) => {
        let before = ledger.initial
        for (const entry of entries) {
          const after = ledger.reduce(before, [entry])
          for (const figure of FIGURES) {
            expect(after.total[figure]).toBeGreaterThanOrEqual(before.total[figure])
            expect(after.own[figure]).toBeGreaterThanOrEqual(before.own[figure])
          }
          before = after
        }
        expect(before.total.requestCount).toBe(entries.filter(({ type }) => type === 'usage-recorded').length)
      }),
    )
  })

  it('[COST2] has parts that sum up to the total', () => {
    fc.assert(
      fc.property(arbitraryLog, (entries) => {
        const { total, byModel, byPurpose } = ledger.reduce(ledger.initial, entries)
        for (const parts of [byModel, byPurpose]) {
          for (const figure of FIGURES) {
            const sum = Object.values(parts).reduce((all, part) => all + part[figure], 0)
            expect(sum).toBeCloseTo(total[figure], 9)
          }
        }
      }),
    )
  })

  it('[COST3] counts records without a price, and estimated ones', () => {
    const priced = usageRecorded('run_1', 'step_1', { input: 100, output: 50 })
    const entries = log([priced, { ...priced, costUsd: null, measured: false }])
    const { total } = ledger.reduce(ledger.initial, entries)
    expect(total).toMatchObject({
      requestCount: 2,
      inputTokens: 200,
      outputTokens: 100,
      unpricedCount: 1,
      estimatedCount: 1,
    })
    expect(total.costUsd).toBeCloseTo(0.00035, 12)
  })

  it('[COST8] leaves records made elsewhere out of what was made here', () => {
    const carried = { ...usageRecorded('run_1', 'step_1', { input: 7, output: 1 }), carried: true }
    const state = ledger.reduce(
      ledger.initial,
      log([carried, usageRecorded('run_2', 'step_2', { input: 5, output: 1 })]),
    )
    expect(state.total.inputTokens).toBe(12)
    expect(state.own.inputTokens).toBe(5)
  })
})

describe('the tool metrics', () => {
  const call = (number: number, name: string) => ({ callId: `call_${number}`, name })
  const metricsOf = (entries: readonly NewEntry[]) => toolMetrics.reduce(toolMetrics.initial, log(entries))

  it('[TOOL8] count every outcome, and running calls until they settle', () => {
    const outcomes = ['ok', 'error', 'denied', 'timed-out', 'aborted', 'not-started', 'unknown'] as const
    const { shell, read } = metricsOf([
      ...outcomes.map((outcome, number) => toolCallSettled('run_1', 'step_1', { ...call(number, 'shell'), outcome })),
      toolCallStarted('run_1', 'step_1', call(9, 'read')),
    ])
    expect(shell).toMatchObject({
      callCount: 7,
      errorCount: 2,
      deniedCount: 1,
      timeoutCount: 1,
      abortedCount: 1,
      runningCallIds: [],
    })
    expect(read).toMatchObject({ callCount: 0, runningCallIds: ['call_9'], lastCalledAt: 1_008 })
  })

  it('[TOOL8] take durations only of calls that ran', () => {
    const ran = (number: number, durationMs: number): NewEntry[] => [
      toolCallStarted('run_1', 'step_1', call(number, 'shell')),
      { ...toolCallSettled('run_1', 'step_1', { ...call(number, 'shell'), outcome: 'ok' }), durationMs },
    ]
    const never = toolCallSettled('run_1', 'step_1', { ...call(99, 'shell'), outcome: 'denied' })
    const { shell } = metricsOf([...ran(1, 10), ...ran(2, 30), never])
    if (!shell) throw new Error('The tool has no metrics')
    expect(averageDurationMs(shell)).toBe(20)
    expect(shell.callCount).toBe(3)
  })

  it('[TOOL8] know the duration that 95 of 100 calls did not pass, to within a bucket', () => {
    const durations = fc.array(fc.integer({ min: 1, max: 600_000 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(durations, (drawn) => {
        const { shell } = metricsOf(
          drawn.flatMap((durationMs, number) => [
            toolCallStarted('run_1', 'step_1', call(number, 'shell')),
            {
              ...toolCallSettled('run_1', 'step_1', { ...call(number, 'shell'), outcome: 'ok' }),
              durationMs,
            },
          ]),
        )
        const exact = drawn.toSorted((a, b) => a - b)[Math.ceil(drawn.length * 0.95) - 1] ?? 0
        const p95 = shell ? (p95DurationMs(shell) ?? 0) : 0
        expect(p95).toBeGreaterThanOrEqual(exact - 1e-6)
        expect(p95).toBeLessThanOrEqual(exact * Math.SQRT2 + 1e-6)
      }),
    )
  })

  it('[TOOL8] have no durations before the first call', () => {
    const { shell } = metricsOf([toolCallStarted('run_1', 'step_1', call(1, 'shell'))])
    expect(shell && [averageDurationMs(shell), p95DurationMs(shell)]).toEqual([null, null])
  })

  it('[LOG9] end a running call whose outcome was erased', () => {
    const erased: NewEntry = {
      type: 'body-erased',
      actor: engine,
      erasedType: 'tool-call-settled',
      of: { runId: 'run_1', stepId: 'step_1', callId: 'call_1' },
      reason: 'asked for',
      erasedAt: 9_000,
    }
    const { shell } = metricsOf([toolCallStarted('run_1', 'step_1', call(1, 'shell')), erased])
    expect(shell?.runningCallIds).toEqual([])
  })
})

describe('title, settings, notices and permissions', () => {
  it('[PRJ5] keep the title that a person chose over the model’s', () => {
    const titleOf = (entries: readonly NewEntry[]) => title.reduce(title.initial, log(entries))
    expect(titleOf([titleChanged('One', 'auto'), titleChanged('Two', 'auto')])).toEqual({ text: 'Two', source: 'auto' })
    const chosen = [titleChanged('Mine', 'user'), titleChanged('Model', 'auto')]
    expect(titleOf(chosen)).toEqual({ text: 'Mine', source: 'user' })
    expect(titleOf([...chosen, titleChanged('Mine again', 'user')]).text).toBe('Mine again')
  })

  it('[PRJ6] change single settings, return them with null, and are not moved by a rewind', () => {
    const settingsOf = (changes: readonly object[]) =>
      settingsInForce(
        settingLayers.reduce(
          settingLayers.initial,
          log([
            ...changes.map((change): NewEntry => ({ type: 'settings-changed', actor: engine, changes: { ...change } })),
            pathRewound(0),
          ]),
        ),
      )
    expect(settingsOf([{ modelId: 'm', toolMode: 'all-off' }, { modelId: 'n' }])).toEqual({
      modelId: 'n',
      toolMode: 'all-off',
    })
    expect(settingsOf([{ modelId: 'm', instructions: 'Be brief' }, { modelId: null }])).toEqual({
      instructions: 'Be brief',
    })
  })

  it('[RUN13] keep the newest notice of each code, however much was said since', () => {
    const notice = (code: string, text: string): NewEntry => {
      return { type: 'notice-raised', actor: engine, code, severity: 'info', text, runId: 'run_1' }
    }
    const many = Array.from({ length: 60 }, (_, number) => notice('c', `notice ${number}`))
    const kept = notices.reduce(notices.initial, log([notice('once', 'said once'), ...many, notice('last', 'newest')]))
    expect(kept.map(({ text }) => text)).toEqual(['said once', 'notice 59', 'newest'])
    expect(kept.every(({ runId }) => runId === 'run_1')).toBe(true)
  })

  it('[PERM3] hold a request until it is settled, once', () => {
    const ask = (requestId: string): NewEntry => ({
      type: 'permission-requested',
      actor: engine,
      runId: 'run_1',
      stepId: 'step_1',
      requestId,
      userId: 'user_1',
      callId: 'call_1',
      tool: 'shell',
      input: { command: 'ls' },
      reason: 'It runs a command',
      source: 'default-policy',
    })
    const settle: NewEntry = {
      type: 'permission-settled',
      actor: engine,
      requestId: 'p1',
      outcome: 'denied',
      by: 'person',
    }
    const pending = (entries: readonly NewEntry[]) =>
      pendingPermissions.reduce(pendingPermissions.initial, log(entries)).map(({ requestId }) => requestId)
    expect(pending([ask('p1'), ask('p2')])).toEqual(['p1', 'p2'])
    expect(pending([ask('p1'), ask('p2'), settle, settle])).toEqual(['p2'])
    const erased: NewEntry = {
      type: 'body-erased',
      actor: engine,
      erasedType: 'permission-settled',
      of: { requestId: 'p2' },
      reason: 'asked for',
      erasedAt: 9_000,
    }
    expect(pending([ask('p1'), ask('p2'), erased])).toEqual(['p1'])
  })
})
