import {
  type BatchRun,
  type CallResult,
  DEFAULT_LIMITS,
  type Permit,
  runBatch,
  type ToolDefinition,
  toolOf,
} from '@holdfast/tool'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createManualClock, settlePromises } from './support/manual-clock.ts'

type Work = 'read' | 'effect'

/** A step with calls that a test ends by hand; `log` tells what happened, in its order. */
function startBatch(kinds: readonly Work[], rest: Partial<BatchRun> & { readonly permits?: readonly Permit[] } = {}) {
  const clock = createManualClock()
  const stop = new AbortController()
  const log: string[] = []
  const works = kinds.map(() => Promise.withResolvers<string>())
  // A call that is never run never looks at the end that the test has given it.
  for (const { promise } of works) promise.catch(() => {})
  const tools = kinds.map((kind, index) => {
    const definition: ToolDefinition = {
      name: `t${index}`,
      description: '',
      parameters: {},
      category: kind === 'read' ? 'read' : 'edit',
    }
    return toolOf(definition, () => {
      log.push(`run ${index}`)
      return works[index]?.promise
    })
  })
  const batch = runBatch({
    calls: kinds.map((_, index) => ({ callId: `c${index}`, name: `t${index}`, input: {} })),
    toolOf: (name) => tools.find(({ definition }) => definition.name === name),
    permit: async ({ callId }) => rest.permits?.[Number(callId.slice(1))] ?? { type: 'allowed' },
    onStart: async ({ callId }) => {
      log.push(`start ${callId.slice(1)}`)
      return true
    },
    onSettled: async ({ callId, outcome }) => {
      log.push(`${outcome} ${callId.slice(1)}`)
    },
    onLate: () => {},
    limits: { ...DEFAULT_LIMITS, graceMs: 100 },
    callsPerStep: 32,
    clock,
    signal: stop.signal,
    ...rest,
  })
  const outcomes = () => batch.then(({ results }) => results.map(({ outcome }: CallResult) => outcome))
  return { clock, stop, log, works, batch, outcomes }
}

describe('the calls of a step', () => {
  it('[TOOL7] run side by side while they only read', async () => {
    const { log, works, outcomes } = startBatch(['read', 'read'])
    await settlePromises()
    expect(log).toEqual(['start 0', 'start 1', 'run 0', 'run 1'])
    works[1]?.resolve('b')
    works[0]?.resolve('a')
    expect(await outcomes()).toEqual(['ok', 'ok'])
  })

  it('[TOOL7] with effects run in order, and reads after them see their effect', async () => {
    const { log, works, outcomes } = startBatch(['effect', 'effect', 'read'])
    await settlePromises()
    expect(log).toEqual(['start 0', 'run 0'])
    works[0]?.resolve('')
    await settlePromises()
    expect(log.slice(2)).toEqual(['ok 0', 'start 1', 'run 1'])
    works[1]?.resolve('')
    works[2]?.resolve('')
    expect(await outcomes()).toEqual(['ok', 'ok', 'ok'])
  })

  it('[TOOL7] with effects wait for the reads before them', async () => {
    const { log, works, outcomes } = startBatch(['read', 'effect'])
    await settlePromises()
    expect(log).toEqual(['start 0', 'run 0'])
    works[0]?.resolve('')
    works[1]?.resolve('')
    expect(await outcomes()).toEqual(['ok', 'ok'])
  })

  it('[TOOL7] still settle after an earlier one was denied or failed', async () => {
    const { works, outcomes, log } = startBatch(['effect', 'effect', 'effect'], {
      permits: [{ type: 'denied', reason: 'not today' }],
    })
    works[1]?.reject(new Error('broken'))
    works[2]?.resolve('')
    expect(await outcomes()).toEqual(['denied', 'error', 'ok'])
    expect(log[0]).toBe('denied 0')
  })

  it('[PERM8] are left as they were where the intent is withheld, and the others go on', async () => {
    const { log, works, outcomes } = startBatch(['effect', 'effect'], {
      onStart: async ({ callId }) => callId !== 'c0',
    })
    await settlePromises()
    works[1]?.resolve('done')
    expect(await outcomes()).toEqual(['ok'])
    expect(log).toEqual(['run 1', 'ok 1'])
  })

  it('[TOOL6] are started only after their intent is written', async () => {
    const written = Promise.withResolvers<boolean>()
    const { log, works, outcomes } = startBatch(['effect'], { onStart: () => written.promise })
    await settlePromises()
    expect(log).toEqual([])
    written.resolve(true)
    works[0]?.resolve('')
    expect(await outcomes()).toEqual(['ok'])
    expect(log).toEqual(['run 0', 'ok 0'])
  })

  it('[STOP5] finished calls keep their result, running ones are aborted, the others are not started', async () => {
    const { works, stop, clock, outcomes, log } = startBatch(['effect', 'effect', 'effect', 'read'])
    works[0]?.resolve('done')
    await settlePromises()
    stop.abort()
    await clock.advance(100)
    expect(await outcomes()).toEqual(['ok', 'aborted', 'not-started', 'not-started'])
    expect(log.filter((line) => line.startsWith('run'))).toEqual(['run 0', 'run 1'])
  })

  it('[STOP6] a stop while a person is asked leaves the call not started, not denied', async () => {
    const { stop, outcomes } = startBatch(['effect'], {
      permit: (_, signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve({ type: 'denied', reason: 'cancelled' })),
        ),
    })
    await settlePromises()
    stop.abort()
    expect(await outcomes()).toEqual(['not-started'])
  })

  it('[PERM4] a decision that throws denies', async () => {
    const { outcomes, log } = startBatch(['effect'], { permit: () => Promise.reject(new Error('rules broke')) })
    expect(await outcomes()).toEqual(['denied'])
    expect(log).toEqual(['denied 0'])
  })

  it('[RUN8] beyond the limit of a step are not started, and the step says so', async () => {
    const { works, batch } = startBatch(['read', 'read', 'read'], { callsPerStep: 2 })
    for (const work of works) work.resolve('')
    const { results, limitReached } = await batch
    expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'not-started'])
    expect(limitReached).toBe(true)
  })

  it('[TOOL7] a log that is lost stops everything', async () => {
    const { batch, log } = startBatch(['effect', 'effect'], {
      onStart: () => Promise.reject(new Error('the store is gone')),
    })
    await expect(batch).rejects.toThrow('the store is gone')
    expect(log).toEqual([])
  })

  it('[TOOL2, TOOL7, STOP5] each settles once, in any order of ends and a stop', async () => {
    const scenario = fc.record({
      kinds: fc.array(fc.constantFrom<Work>('read', 'effect'), { minLength: 1, maxLength: 6 }),
      ends: fc.array(fc.record({ index: fc.nat(5), fails: fc.boolean() }), { maxLength: 8 }),
      denied: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      stopAfter: fc.nat(9),
    })
    await fc.assert(
      fc.asyncProperty(scenario, async ({ kinds, ends, denied, stopAfter }) => {
        const permits = denied.map(
          (isDenied): Permit => (isDenied ? { type: 'denied', reason: 'no' } : { type: 'allowed' }),
        )
        const { log, works, stop, clock, batch } = startBatch(kinds, { permits })
        for (const [step, { index, fails }] of ends.entries()) {
          if (step === stopAfter) stop.abort()
          if (fails) works[index]?.reject(new Error('failed'))
          else works[index]?.resolve('')
          await settlePromises()
        }
        stop.abort()
        await clock.advance(200)
        const { results } = await batch
        expect(results.map(({ callId }) => callId)).toEqual(kinds.map((_, index) => `c${index}`))
        const settledLines = log.filter((line) => !/^(?:run|start)/.test(line))
        expect(settledLines.map((line) => line.split(' ')[1]).toSorted()).toEqual(
          kinds.map((_, index) => String(index)),
        )
        const effects = log.filter((line) => line.startsWith('run')).map((line) => Number(line.slice(4)))
        for (const [place, index] of effects.entries()) {
          if (kinds[index] !== 'effect') continue
          expect(effects.slice(0, place).every((earlier) => earlier < index)).toBe(true)
        }
      }),
      { numRuns: 150 },
    )
  })
})
