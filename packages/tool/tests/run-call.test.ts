import { type CallEffect, DEFAULT_LIMITS, runCall, type ToolContext } from '@holdfast/tool'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startCall, textOf } from './support/call-harness.ts'
import { createManualClock, settlePromises } from './support/manual-clock.ts'

const never = () => new Promise<string>(() => {})

function effectOf(path: string): CallEffect {
  return { type: 'files-changed', changes: [{ path, kind: 'deleted' }] }
}

describe('one call', () => {
  it('[TOOL2] gives a fast output verbatim', async () => {
    const { result } = startCall(() => 'line 1\nline 2\n')
    expect(await result).toMatchObject({ outcome: 'ok', content: [{ type: 'text', text: 'line 1\nline 2\n' }] })
  })

  it('[TOOL2] is not started when the run was stopped before', async () => {
    const aborted = AbortSignal.abort()
    const { result } = startCall(() => 'x', { rest: { signal: aborted } })
    expect(await result).toMatchObject({ outcome: 'not-started', durationMs: 0 })
  })

  it('[TOOL2] of a tool that nobody knows is an error, not a success', async () => {
    const clock = createManualClock()
    const result = await runCall({
      tool: undefined,
      call: { callId: 'c', name: 'surprise', input: {} },
      limits: DEFAULT_LIMITS,
      clock,
      signal: new AbortController().signal,
      onLate: () => {},
      onLateEffect: () => {},
    })
    expect(result).toMatchObject({ outcome: 'error' })
    expect(textOf(result)).toBe('There is no tool named surprise.')
  })

  it('[TOOL3, TOOL14] has its signal at the limit and settles after the grace, whatever the tool does', async () => {
    const times: number[] = []
    const { clock, settled, result } = startCall((_, { signal }, clock) => {
      signal.addEventListener('abort', () => times.push(clock.now()))
      return never()
    })
    await clock.advance(119_999)
    expect(times).toEqual([])
    await clock.advance(1)
    expect(times).toEqual([121_000])
    await clock.advance(1_999)
    expect(settled).toEqual([])
    await clock.advance(1)
    expect(await result).toMatchObject({ outcome: 'timed-out', durationMs: 122_000, limitMs: 120_000 })
    expect(textOf(await result)).toContain('timed out after 120000 ms')
    expect(clock.waitingCount()).toBe(0)
  })

  it.each([
    { own: 50, general: 1_000 },
    { own: 1_000, general: 50 },
  ])(
    '[TOOL3] the limit of the tool ($own ms) stands before the general one ($general ms)',
    async ({ own, general }) => {
      const { clock, settled } = startCall(never, {
        definition: { timeoutMs: own },
        limits: { timeoutMs: general, graceMs: 0 },
      })
      await clock.advance(own - 1)
      expect(settled).toEqual([])
      await clock.advance(1)
      expect(settled).toMatchObject([{ outcome: 'timed-out' }])
    },
  )

  it('[TOOL3] settles within the grace when the tool hears the signal, with what it said', async () => {
    const { clock, result } = startCall(
      (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('half a list'))),
    )
    await clock.advance(120_000)
    const settled = await result
    expect(settled).toMatchObject({ outcome: 'timed-out', durationMs: 120_000 })
    expect(textOf(settled)).toContain('Its output until then:\nhalf a list')
  })

  it('[TOOL4] hands over what comes later, once, and does not use it', async () => {
    const work = Promise.withResolvers<string>()
    const { clock, result, late, settled } = startCall(() => work.promise)
    await clock.advance(122_000)
    expect((await result).outcome).toBe('timed-out')
    await clock.advance(5_000)
    work.resolve('done at last')
    await settlePromises()
    expect(late).toEqual([
      { callId: 'call_1', name: 'probe', content: [{ type: 'text', text: 'done at last' }], durationMs: 127_000 },
    ])
    expect(settled).toHaveLength(1)
    expect(textOf(await result)).not.toContain('done at last')
  })

  it('[TOOL4] hands over a late failure too', async () => {
    const work = Promise.withResolvers<string>()
    const { clock, late } = startCall(() => work.promise)
    await clock.advance(122_000)
    work.reject(new Error('too late'))
    await settlePromises()
    expect(late).toMatchObject([{ content: [{ text: 'Error: too late' }] }])
  })

  it('[TOOL4] hands over what was reported, in order, however the call ended', async () => {
    const [one, two] = [effectOf('one.txt'), effectOf('two.txt')]
    const ends: readonly [string, (context: ToolContext) => unknown][] = [
      ['ok', () => 'done'],
      ['error', () => Promise.reject(new Error('broke'))],
      ['timed-out', never],
      ['aborted', never],
    ]
    for (const [outcome, end] of ends) {
      const { clock, stop, result } = startCall((_, context) => {
        context.report(one)
        context.report(two)
        return end(context)
      })
      await settlePromises()
      if (outcome === 'aborted') stop.abort()
      await clock.advance(122_000)
      expect(await result).toMatchObject({ outcome, effects: [one, two] })
    }
  })

  it('[TOOL4] hands over at once what is reported after the settlement', async () => {
    const contexts: ToolContext[] = []
    const { clock, result, late, lateEffects } = startCall((_, context) => {
      contexts.push(context)
      return never()
    })
    await clock.advance(122_000)
    expect(await result).toMatchObject({ outcome: 'timed-out', effects: [] })
    contexts[0]?.report(effectOf('late.txt'))
    expect(lateEffects).toEqual([effectOf('late.txt')])
    expect(late).toEqual([])
    expect((await result).effects).toEqual([])
  })

  it('[STOP5] is aborted by a stop, and says that something may have happened', async () => {
    const { clock, stop, result } = startCall(never)
    await clock.advance(10)
    stop.abort()
    await clock.advance(2_000)
    expect(await result).toMatchObject({ outcome: 'aborted', durationMs: 2_010 })
    expect(textOf(await result)).toContain('it may still be running')
  })

  it('[STOP5] keeps the result of a call that had finished', async () => {
    const { stop, result } = startCall(() => 'whole')
    await settlePromises()
    stop.abort()
    expect(await result).toMatchObject({ outcome: 'ok' })
  })

  it('[PERM4] stands still while a person is asked: no limit counts, and the waiting is no duration', async () => {
    const answer = Promise.withResolvers<void>()
    const { clock, result, settled } = startCall(
      async (_, { suspend }) => {
        const resume = suspend()
        await answer.promise
        resume()
        resume()
        return 'after the answer'
      },
      { limits: { timeoutMs: 100, silenceMs: 50 } },
    )
    await clock.advance(86_400_000)
    expect(settled).toEqual([])
    answer.resolve()
    expect(await result).toMatchObject({ outcome: 'ok', durationMs: 0 })
  })

  it('[PERM4] goes on with the time that was left', async () => {
    let resume = () => {}
    const { clock, settled } = startCall(
      (_, context, clock) => {
        clock.after(60, () => {
          resume = context.suspend()
        })
        return never()
      },
      { limits: { timeoutMs: 100, graceMs: 0 } },
    )
    await clock.advance(60)
    await clock.advance(1_000)
    resume()
    await clock.advance(39)
    expect(settled).toEqual([])
    await clock.advance(1)
    expect(settled).toMatchObject([{ outcome: 'timed-out', durationMs: 100 }])
  })

  it('[PERM4] is stopped while a person is asked', async () => {
    const { clock, stop, result } = startCall((_, { suspend }) => {
      suspend()
      return never()
    })
    await clock.advance(10)
    stop.abort()
    await clock.advance(2_000)
    expect(await result).toMatchObject({ outcome: 'aborted' })
  })

  it('[TOOL3] progress puts off the limit of silence and nothing else', async () => {
    const said: string[] = []
    const { clock, settled } = startCall(
      (_, { progress }, clock) => {
        const tick = () => {
          progress('still here')
          clock.after(40, tick)
        }
        tick()
        return never()
      },
      { limits: { timeoutMs: 200, silenceMs: 50, graceMs: 0 }, rest: { onProgress: (message) => said.push(message) } },
    )
    await clock.advance(199)
    expect(settled).toEqual([])
    await clock.advance(1)
    expect(settled).toMatchObject([{ outcome: 'timed-out' }])
    const saidUntilThen = said.length
    await clock.advance(1_000)
    expect(said).toHaveLength(saidUntilThen)
  })

  it('[TOOL3] silence ends a call before its time limit', async () => {
    const { clock, result } = startCall(never, { limits: { silenceMs: 50, graceMs: 0 } })
    await clock.advance(50)
    expect(textOf(await result)).toContain('timed out: it said nothing for 50 ms')
  })

  it('[TOOL2, TOOL3, TOOL4] settles once and in time under any interleaving of end, stop and limit', async () => {
    const scenario = fc.record({
      finishAt: fc.option(fc.integer({ min: 0, max: 300 }), { nil: null }),
      fails: fc.boolean(),
      hearsAfter: fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }),
      stopAt: fc.option(fc.integer({ min: 0, max: 300 }), { nil: null }),
      timeoutMs: fc.integer({ min: 1, max: 200 }),
      graceMs: fc.integer({ min: 0, max: 50 }),
      suspendAt: fc.option(fc.integer({ min: 0, max: 150 }), { nil: null }),
      suspendMs: fc.integer({ min: 0, max: 100 }),
    })
    const outcomes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        scenario,
        async ({ finishAt, fails, hearsAfter, stopAt, timeoutMs, graceMs, suspendAt, suspendMs }) => {
          const { clock, stop, settled, late } = startCall(
            (_, { signal, suspend }, clock) =>
              new Promise((resolve, reject) => {
                const end = fails ? () => reject(new Error('failed')) : () => resolve('ended')
                if (finishAt !== null) clock.after(finishAt, end)
                if (suspendAt !== null) clock.after(suspendAt, () => clock.after(suspendMs, suspend()))
                if (hearsAfter !== null) signal.addEventListener('abort', () => clock.after(hearsAfter, end))
              }),
            { limits: { timeoutMs, graceMs } },
          )
          if (stopAt !== null) clock.after(stopAt, () => stop.abort())
          const suspended = suspendAt === null ? 0 : suspendMs
          for (let at = 0; at < 600; at += 30) {
            await clock.advance(30)
            if (clock.now() - 1_000 >= timeoutMs + suspended + graceMs) expect(settled).toHaveLength(1)
            if (stopAt !== null && clock.now() - 1_000 >= stopAt + graceMs) expect(settled).toHaveLength(1)
          }
          expect(settled).toHaveLength(1)
          expect(late.length).toBeLessThanOrEqual(1)
          const [result] = settled
          const ended = result?.outcome === 'ok' || result?.outcome === 'error'
          if (ended) expect(late).toEqual([])
          outcomes.add(result?.outcome ?? 'none')
          expect(clock.waitingCount()).toBe(0)
        },
      ),
      { numRuns: 150 },
    )
  })
})
