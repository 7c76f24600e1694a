import {
  AUTO_FIX,
  type AutoFixDecision,
  decideAutoFix,
  type NewEntry,
  type Overview,
  overview,
  placeEntry,
  type SeenPreview,
} from '@holdfast/conversation'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const person = { type: 'person', userId: 'user_1' } as const
const engine = { type: 'engine' } as const
const previewId = 'preview_1'

/** A conversation with a preview beside it, on a clock of its own. */
function createWorld() {
  const log: { entry: NewEntry; at: number }[] = []
  let state: Overview = overview.initial
  let now = 1_000
  let run = 0
  const firstSeen = new Map<string, number>()
  let errors = new Map<string, number>()
  let loaded: SeenPreview['loaded'] = null
  let isWriting = false

  function append(...entries: NewEntry[]): void {
    for (const entry of entries) log.push({ entry, at: now })
    state = overview.reduce(
      state,
      entries.map((entry, index) =>
        placeEntry(entry, { conversationId: 'c1', seq: log.length - entries.length + index + 1, at: now }),
      ),
    )
  }

  function admit(inputId: string, origin: 'person' | 'preview'): NewEntry {
    const text = { type: 'text' as const, text: origin }
    return { type: 'input-admitted', actor: person, inputId, lane: 'turn', origin, content: [text] }
  }

  /** A whole turn for an input that was admitted. */
  function turn(inputId: string, how: { edits: boolean; costUsd: number; outcome: 'completed' | 'stopped' }): void {
    run += 1
    const runId = `run_${run}`
    append(
      { type: 'run-started', actor: engine, runId, purpose: 'turn' },
      { type: 'user-message-sent', actor: engine, runId, inputId, content: [{ type: 'text', text: 'x' }] },
    )
    now += 5_000
    if (how.edits) append({ type: 'files-changed', actor: engine, runId, changes: [{ path: 'a', kind: 'changed' }] })
    now += 100
    if (how.outcome === 'stopped') append({ type: 'stop-requested', actor: person, runId, mode: 'stop' })
    append({ type: 'run-finished', actor: engine, runId, outcome: how.outcome })
  }

  append({ type: 'conversation-created', actor: person, ownerId: 'user_1', settings: {}, origin: { type: 'new' } })

  const world = {
    state: () => state,
    log,
    now: () => now,
    pass(ms: number) {
      now += ms
    },
    switch(isOn: boolean, capUsd: number = AUTO_FIX.capUsd) {
      append({ type: 'auto-fix-changed', actor: person, previewId, change: { type: 'switched', isOn, capUsd } })
    },
    say() {
      run += 1
      const inputId = `input_person_${run}`
      append(admit(inputId, 'person'))
      turn(inputId, { edits: true, costUsd: 0, outcome: 'completed' })
    },
    error(signature: string) {
      now += 1
      if (!firstSeen.has(signature)) firstSeen.set(signature, now)
      errors.set(signature, now)
    },
    load(status: number) {
      now += 1
      errors = new Map()
      loaded = { at: now, status }
    },
    write(is: boolean) {
      isWriting = is
    },
    /** The process is killed and begins anew: nothing is left but the log. */
    restart() {
      state = overview.initial
      state = overview.reduce(
        state,
        log.map(({ entry, at }, index) => placeEntry(entry, { conversationId: 'c1', seq: index + 1, at })),
      )
      firstSeen.clear()
      errors = new Map()
      loaded = null
    },
    decide(): AutoFixDecision {
      const seen = [...errors].map(([signature, lastSeenAt]) => ({
        signature,
        firstSeenAt: firstSeen.get(signature) ?? lastSeenAt,
        lastSeenAt,
      }))
      return decideAutoFix(state, { previewId, errors: seen, loaded, isWriting }, now)
    },
    /** Does what auto-fix decides. */
    look(how: { edits: boolean; outcome: 'completed' | 'stopped' } = { edits: true, outcome: 'completed' }) {
      const decision = world.decide()
      if (decision.type === 'end') {
        const { attempts, costUsd } = state.autoFix
        const change = { type: 'ended' as const, outcome: decision.outcome, attempts, costUsd }
        append({ type: 'auto-fix-changed', actor: engine, previewId, change })
      }
      if (decision.type === 'attempt') {
        const { attempt, signatures, distinctCount } = decision
        const inputId = `input_fix_${log.length}`
        const change = { type: 'attempted' as const, attempt, inputId, signatures: [...signatures], distinctCount }
        append({ type: 'auto-fix-changed', actor: engine, previewId, change }, admit(inputId, 'preview'))
        turn(inputId, { ...how, costUsd: 0 })
      }
      return decision
    },
    outcome: () => state.autoFix.ended?.outcome ?? null,
  }
  return world
}

function brokenWorld() {
  const world = createWorld()
  world.say()
  world.switch(true)
  world.pass(10)
  world.error('a')
  world.pass(AUTO_FIX.quietMs)
  return world
}

test('[WS4] auto-fix is off until a person switches it on', () => {
  const world = createWorld()
  world.say()
  world.error('a')
  world.pass(60_000)
  expect(world.decide()).toEqual({ type: 'rest' })
})

test('[WS4] waits until errors have been quiet for two seconds, then asks once', () => {
  const world = createWorld()
  world.switch(true)
  world.pass(10)
  world.error('a')
  world.pass(500)
  world.error('b')
  expect(world.decide()).toEqual({ type: 'wait', untilMs: world.now() + 2_000 })
  world.pass(2_000)
  expect(world.look()).toMatchObject({ type: 'attempt', attempt: 1, signatures: ['a', 'b'] })
})

test('[WS4] mends nothing that was there before the last edit', () => {
  const world = createWorld()
  world.switch(true)
  world.pass(10)
  world.error('old')
  world.say()
  world.error('old')
  world.pass(60_000)
  expect(world.decide()).toEqual({ type: 'rest' })
})

test('[WS4] the same error after an attempt ends it', () => {
  const world = brokenWorld()
  world.look()
  world.load(200)
  world.error('a')
  world.look()
  expect(world.outcome()).toBe('same-error')
  world.error('c')
  world.pass(60_000)
  expect(world.decide()).toEqual({ type: 'rest' })
})

test('[WS4] more different errors than before end it', () => {
  const world = brokenWorld()
  world.look()
  world.load(200)
  world.error('b')
  world.error('c')
  world.look()
  expect(world.outcome()).toBe('more-errors')
})

test('[WS4] another attempt waits thirty seconds after the one before, and there are three', () => {
  const world = brokenWorld()
  const startedAt = world.now()
  world.look()
  for (const [index, signature] of ['b', 'c'].entries()) {
    world.load(200)
    world.error(signature)
    const decision = world.decide()
    if (index === 0) expect(decision).toEqual({ type: 'wait', untilMs: startedAt + 30_000 })
    world.pass(40_000)
    expect(world.look()).toMatchObject({ type: 'attempt', attempt: index + 2 })
  }
  world.load(200)
  world.error('d')
  world.pass(60_000)
  world.look()
  expect(world.outcome()).toBe('attempts')
})

test('[WS4] a restart makes no fourth attempt, and a message of a person gives three again', () => {
  const world = brokenWorld()
  world.look()
  for (const signature of ['b', 'c', 'd', 'e']) {
    world.restart()
    world.load(200)
    world.error(signature)
    world.pass(60_000)
    world.look()
  }
  expect(attemptsOf(world.log)).toEqual([3])
  world.say()
  world.load(200)
  world.error('f')
  world.pass(60_000)
  expect(world.look()).toMatchObject({ type: 'attempt', attempt: 1 })
})

test('[WS4] a stop, and words that are being written, end it', () => {
  const stopped = brokenWorld()
  stopped.look({ edits: false, outcome: 'stopped' })
  expect(stopped.outcome()).toBe('stopped')
  const writing = brokenWorld()
  writing.write(true)
  writing.look()
  expect(writing.outcome()).toBe('typing')
})

test('[WS4] what it may spend is looked at before it asks', () => {
  const world = createWorld()
  world.switch(true, 0)
  world.pass(10)
  world.error('a')
  world.pass(60_000)
  world.look()
  expect(world.outcome()).toBe('budget')
})

test('[PREV5] counts errors as mended only after a reload with status 200 and three clean seconds', () => {
  const world = brokenWorld()
  world.look()
  world.pass(60_000)
  expect(world.decide()).toEqual({ type: 'rest' })
  world.load(500)
  world.pass(60_000)
  expect(world.decide()).toEqual({ type: 'rest' })
  world.load(200)
  expect(world.decide()).toEqual({ type: 'wait', untilMs: world.now() + 3_000 })
  world.pass(3_000)
  world.look()
  expect(world.outcome()).toBe('fixed')
})

/** How many attempts followed each message of a person. */
function attemptsOf(log: readonly { entry: NewEntry }[]): number[] {
  const counts = [0]
  for (const { entry } of log) {
    if (entry.type === 'input-admitted' && entry.origin === 'person') counts.push(0)
    if (entry.type === 'input-admitted' && entry.origin === 'preview') counts.push((counts.pop() ?? 0) + 1)
  }
  return counts.filter((count, index) => index > 0 || count > 0)
}

type Act =
  | { type: 'error'; signature: string }
  | { type: 'load'; status: number }
  | { type: 'pass'; ms: number }
  | { type: 'say' | 'restart' | 'off' | 'on' }
  | { type: 'write'; is: boolean }
  | { type: 'look'; edits: boolean; outcome: 'completed' | 'stopped' }

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'abcdefgh').map((signature): Act => ({ type: 'error', signature })) },
  { weight: 4, arbitrary: fc.constantFrom(200, 200, 500).map((status): Act => ({ type: 'load', status })) },
  { weight: 5, arbitrary: fc.constantFrom(100, 2_000, 3_000, 31_000).map((ms): Act => ({ type: 'pass', ms })) },
  { weight: 1, arbitrary: fc.constantFrom<Act>({ type: 'say' }, { type: 'restart' }, { type: 'off' }, { type: 'on' }) },
  { weight: 1, arbitrary: fc.boolean().map((is): Act => ({ type: 'write', is })) },
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.boolean(), fc.constantFrom('completed' as const, 'completed' as const, 'stopped' as const))
      .map(([edits, outcome]): Act => ({ type: 'look', edits, outcome })),
  },
)

test('[WS4] of 200 scripts of errors none has more than three attempts for a message, or two within thirty seconds', () => {
  let attempts = 0
  fc.assert(
    fc.property(fc.array(act, { minLength: 30, maxLength: 120 }), (acts) => {
      const world = createWorld()
      world.switch(true)
      for (const one of acts) {
        if (one.type === 'error') world.error(one.signature)
        else if (one.type === 'load') world.load(one.status)
        else if (one.type === 'pass') world.pass(one.ms)
        else if (one.type === 'write') world.write(one.is)
        else if (one.type === 'look') world.look(one)
        else if (one.type === 'say') world.say()
        else if (one.type === 'restart') world.restart()
        else world.switch(one.type === 'on')
      }
      const counts = attemptsOf(world.log)
      attempts += counts.reduce((sum, count) => sum + count, 0)
      expect(Math.max(0, ...counts)).toBeLessThanOrEqual(3)
      let lastAt = Number.NEGATIVE_INFINITY
      for (const { entry, at } of world.log) {
        if (entry.type === 'input-admitted' && entry.origin === 'person') lastAt = Number.NEGATIVE_INFINITY
        if (entry.type !== 'input-admitted' || entry.origin !== 'preview') continue
        expect(at - lastAt).toBeGreaterThanOrEqual(AUTO_FIX.coolDownMs)
        lastAt = at
      }
    }),
    { numRuns: 200 },
  )
  expect(attempts).toBeGreaterThan(50)
})
