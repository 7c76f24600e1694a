import type { Entry, EntryOf } from '@holdfast/conversation'
import { says } from '@holdfast/engine/testing'
import { DEFAULT_LIMITS, defineTool, type PermissionRule, type Tool } from '@holdfast/tool'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openHarness } from './support/harness.ts'
import { calls } from './support/tools.ts'

const actor = { type: 'person', userId: 'user_1' } as const

const TIMEOUT_MS = 1_000

/** Longer than any call takes to be ended. */
const ENOUGH_MS = TIMEOUT_MS + DEFAULT_LIMITS.graceMs

/** A call of the step, and how it goes. */
interface PlannedCall {
  readonly work: 'read' | 'effect'
  readonly permit: 'allow' | 'ask' | 'deny'
  /** Whether its input is JSON that fits its tool. */
  readonly input: 'fits' | 'does-not-fit' | 'cut'
  /** Whether its tool ends by itself when its signal fires. */
  readonly heeds: boolean
}

/** What happens while the calls are open. `index` is that of a call. */
type Event =
  | { readonly type: 'end'; readonly index: number; readonly fails: boolean }
  | { readonly type: 'answer'; readonly index: number; readonly decision: 'allow' | 'deny' }
  | { readonly type: 'time'; readonly ms: number }
  | { readonly type: 'stop' }

/** Events in their order; after some of them the next comes before everything has settled. */
type Story = readonly { readonly event: Event; readonly pause: number | null }[]

const plannedCall: fc.Arbitrary<PlannedCall> = fc.record({
  work: fc.constantFrom('read', 'effect'),
  permit: fc.oneof(
    { weight: 3, arbitrary: fc.constant('allow' as const) },
    fc.constantFrom('ask' as const, 'deny' as const),
  ),
  input: fc.oneof(
    { weight: 8, arbitrary: fc.constant('fits' as const) },
    fc.constantFrom('does-not-fit' as const, 'cut' as const),
  ),
  heeds: fc.boolean(),
})

const index = fc.nat(5)
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('end' as const), index, fails: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('answer' as const),
      index,
      decision: fc.constantFrom('allow' as const, 'deny' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('time' as const), ms: fc.nat(4_000) }) },
  { weight: 1, arbitrary: fc.constant({ type: 'stop' as const }) },
)
const story: fc.Arbitrary<Story> = fc.array(
  fc.record({ event, pause: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, fc.nat(40)) }),
  { maxLength: 10 },
)

/** A call while its tool runs, and what became of it. */
interface Running {
  readonly index: number
  /** Whether its intent was in the log when it began. */
  hadIntent: boolean
  end: 'no' | 'returned' | 'threw'
  finish(fails: boolean): void
}

/** One step with these calls in a real engine, whose ends, answers and time are the story's. */
async function openStep(planned: readonly PlannedCall[]) {
  const running: Running[] = []
  const tools = planned.map((call, at) => toolFor(call, { at, run: (heeded) => begin(at, heeded) }))
  const harness = await openHarness([calls(...planned.map(callFor)), says('Done')], tools, null, {
    ports: {
      permissions: {
        defaultPolicy: 'ask',
        rules: planned.map(({ permit }, at): PermissionRule => ({ id: `rule-${at}`, effect: permit, tool: `t${at}` })),
        hardDenials: [],
        workspaceRoot: '/folder',
        mode: 'ask',
      },
    },
  })
  let answers = 0

  async function begin(at: number, heeded: AbortSignal | null): Promise<string> {
    const ended = Promise.withResolvers<string>()
    const run: Running = {
      index: at,
      hadIntent: false,
      end: 'no',
      finish(fails) {
        if (run.end !== 'no') return
        run.end = fails ? 'threw' : 'returned'
        if (fails) ended.reject(new Error(`Call ${at} failed`))
        else ended.resolve(`Result ${at}`)
      },
    }
    running.push(run)
    heeded?.addEventListener('abort', () => run.finish(false))
    const entries = await harness.log()
    run.hadIntent = entries.some((entry) => entry.type === 'tool-call-started' && entry.callId === `c${at}`)
    return ended.promise
  }

  async function openRequest(at: number): Promise<string | null> {
    const entries = await harness.log()
    const asked = entries.find(
      (entry): entry is EntryOf<'permission-requested'> =>
        entry.type === 'permission-requested' && entry.callId === `c${at}`,
    )
    const isSettled = entries.some(
      (entry) => entry.type === 'permission-settled' && entry.requestId === asked?.requestId,
    )
    return asked === undefined || isSettled ? null : asked.requestId
  }

  async function play(happens: Event): Promise<void> {
    switch (happens.type) {
      case 'end':
        running.find((run) => run.index === happens.index)?.finish(happens.fails)
        return
      case 'answer': {
        const requestId = await openRequest(happens.index)
        if (requestId === null) return
        const { engine, conversationId } = harness
        const commandId = `answer-${++answers}`
        await engine.answerPermission({
          commandId,
          actor,
          conversationId,
          requestId,
          decision: happens.decision,
          scope: 'call',
        })
        return
      }
      case 'time':
        return harness.clock.advance(happens.ms)
      case 'stop':
        await harness.stop('stop')
    }
  }

  return { harness, running, play, openRequest }
}

function toolFor(
  { work, heeds }: PlannedCall,
  { at, run }: { readonly at: number; readonly run: (heeded: AbortSignal | null) => Promise<string> },
): Tool {
  return defineTool({
    name: `t${at}`,
    description: `Tool ${at}.`,
    input: z.object({ text: z.string() }),
    argumentRoles: { text: 'plain' },
    category: work === 'read' ? 'read' : 'other',
    annotations: { destructive: false, readOnly: work === 'read' },
    timeoutMs: TIMEOUT_MS,
    run: (_, { signal }) => run(heeds ? signal : null),
  })
}

const INPUTS: Readonly<Record<PlannedCall['input'], unknown>> = {
  fits: { text: 'Words' },
  'does-not-fit': { text: 7 },
  cut: '{"text": "Wo',
}

function callFor({ input }: PlannedCall, at: number) {
  return { callId: `c${at}`, name: `t${at}`, input: INPUTS[input] }
}

/** Lets everything go on that can without time, an answer or the end of a tool. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** What the log says of one call. */
interface Logged {
  readonly startedSeqs: readonly number[]
  readonly settled: readonly EntryOf<'tool-call-settled'>[]
}

function loggedOf(entries: readonly Entry[], at: number): Logged {
  const ofCall = entries.filter((entry) => 'callId' in entry && entry.callId === `c${at}`)
  return {
    startedSeqs: ofCall.flatMap((entry) => (entry.type === 'tool-call-started' ? [entry.seq] : [])),
    settled: ofCall.filter((entry) => entry.type === 'tool-call-settled'),
  }
}

/**
 * Nothing waits that could go on: unless the first open call waits for a person, reads with nothing but reads before them
 * run side by side, and where no tool runs, what was allowed in front begins.
 */
async function expectNothingIdle(
  { harness, running, openRequest }: Awaited<ReturnType<typeof openStep>>,
  planned: readonly PlannedCall[],
): Promise<void> {
  const entries = await harness.log()
  const open = planned.flatMap((call, at) => (loggedOf(entries, at).settled.length === 0 ? [{ call, at }] : []))
  const [first] = open
  if (first === undefined || (await openRequest(first.at)) !== null) return
  const firstEffect = open.findIndex(({ call }) => call.work === 'effect')
  const front = firstEffect < 0 ? open : open.slice(0, Math.max(1, firstEffect))
  const runs = (at: number): boolean => running.some((run) => run.index === at)
  for (const { call, at } of front) {
    const isAsked = (await openRequest(at)) !== null
    if (!isAsked && (call.permit === 'allow' || !front.some((other) => runs(other.at))))
      expect(runs(at), `c${at}`).toBe(true)
  }
}

function expectLaws(
  entries: readonly Entry[],
  { planned, running }: { readonly planned: readonly PlannedCall[]; readonly running: readonly Running[] },
): void {
  const logged = planned.map((_, at) => loggedOf(entries, at))
  const denied = new Set(
    entries.flatMap((entry) =>
      entry.type === 'permission-settled' && entry.outcome === 'denied' ? [entry.requestId] : [],
    ),
  )
  const isStopped = entries.some(({ type }) => type === 'stop-requested')
  for (const [at, { permit, input }] of planned.entries()) {
    const { startedSeqs, settled } = logged[at] ?? { startedSeqs: [], settled: [] }
    expect(settled.map(({ callId }) => callId)).toEqual([`c${at}`])
    const outcome = settled[0]?.outcome
    const runs = running.filter((run) => run.index === at)
    expect(runs.length).toBeLessThanOrEqual(1)
    const request = entries.find((entry) => entry.type === 'permission-requested' && entry.callId === `c${at}`)
    if (runs[0]) {
      expect(runs[0].hadIntent).toBe(true)
      expect(input).toBe('fits')
      expect(permit).not.toBe('deny')
      expect(outcome).toBeOneOf(['ok', 'error', 'timed-out', ...(isStopped ? ['aborted'] : [])])
    } else if (input !== 'fits') expect(outcome).toBeOneOf(['error', ...(isStopped ? ['not-started'] : [])])
    else if (permit === 'deny') expect(outcome).toBeOneOf(['denied', ...(isStopped ? ['not-started'] : [])])
    else if (request?.type === 'permission-requested' && denied.has(request.requestId))
      expect(outcome).toBeOneOf(['denied', ...(isStopped ? ['not-started'] : [])])
    else expect(outcome).toBe('not-started')
    expect(startedSeqs.length).toBeLessThanOrEqual(1)
    if (runs.length === 1) expect(startedSeqs).toHaveLength(1)
    for (const earlier of planned.keys()) {
      if (earlier >= at || (planned[earlier]?.work === 'read' && planned[at]?.work === 'read')) continue
      const before = logged[earlier]?.settled[0]?.seq ?? Number.POSITIVE_INFINITY
      for (const seq of startedSeqs) expect(before, `c${earlier} before c${at}`).toBeLessThan(seq)
    }
  }
}

describe('the calls of a step, in any order of ends, answers, time and a stop', () => {
  it('[TOOL2, TOOL3, TOOL6, TOOL7, PERM4, STOP2, STOP5] settle once each: reads side by side, and effects after all before them', async () => {
    const outcomes = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(fc.array(plannedCall, { minLength: 1, maxLength: 6 }), story, async (planned, told) => {
        const step = await openStep(planned)
        const { harness, running, play } = step
        await harness.send('Go', 'send')
        while (!(await harness.types()).includes('step-finished')) await Promise.resolve()
        let begunAtStop: number | null = null
        for (const { event: happens, pause } of told) {
          await play(happens)
          if (happens.type === 'stop') begunAtStop ??= running.length
          if (pause === null) await settle()
          else for (let turn = 0; turn < pause; turn++) await Promise.resolve()
          const isQuiet = pause === null && begunAtStop === null
          if (isQuiet) await expectNothingIdle(step, planned)
        }
        await settle()
        for (const at of planned.keys()) await play({ type: 'answer', index: at, decision: 'allow' })
        for (const _ of planned) {
          await settle()
          await harness.clock.advance(ENOUGH_MS)
        }
        await settle()
        const entries = await harness.log()
        expectLaws(entries, { planned, running })
        if (begunAtStop !== null) expect(running.length).toBe(begunAtStop)
        expect(entries.filter(({ type }) => type === 'run-finished')).toHaveLength(1)
        for (const { index: at } of running) await play({ type: 'end', index: at, fails: false })
        await settle()
        const later = await harness.log()
        expectLaws(later, { planned, running })
        expect(harness.faults).toEqual([])
        for (const { outcome } of later.filter((entry) => entry.type === 'tool-call-settled'))
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }),
      { numRuns: 200 },
    )
    expect([...outcomes.keys()].toSorted()).toEqual(['aborted', 'denied', 'error', 'not-started', 'ok', 'timed-out'])
  })
})
