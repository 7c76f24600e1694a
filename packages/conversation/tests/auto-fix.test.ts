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
  function turn(inputId: string, how: { edits: boolean; outcome: 'completed' | 'stopped'; during?: () => void }): void {
    run += 1
    const runId = `run_${run}`
    append(
      { type: 'run-started', actor: engine, runId, purpose: 'turn' },
      { type: 'user-message-sent', actor: engine, runId, inputId, content: [{ type: 'text', text: 'x' }] },
    )
    now += 5_000
    how.during?.()
    now += 200
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
    say(during?: () => void) {
      run += 1
      const inputId = `input_person_${run}`
      append(admit(inputId, 'person'))
      turn(inputId, { edits: true, outcome: 'completed', ...(during && { during }) })
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
        turn(inputId, how)
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

test('[WS4] mends what a page showed before the entry about the edit was there', () => {
  const world = createWorld()
  world.switch(true)
  world.say(() => world.error('quick'))
  world.pass(AUTO_FIX.quietMs)
  expect(world.decide()).toMatchObject({ type: 'attempt', signatures: ['quick'] })
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

/** What happens between two looks: the page is loaded, breaks anew or as before, and time goes by. */
interface Round {
  /** Which error it shows; null for one that nobody has seen. */
  readonly known: 'a' | 'b' | null
  readonly status: number
  readonly waitMs: number
  readonly before: 'say' | 'restart' | 'off and on' | 'nothing'
  readonly isWriting: boolean
  readonly edits: boolean
  readonly outcome: 'completed' | 'stopped'
}

/** Most rounds are those in which an attempt may be made: a limit that nobody comes near holds by itself. */
const round: fc.Arbitrary<Round> = fc.record({
  known: fc.constantFrom(null, null, null, null, null, 'a' as const, 'b' as const),
  status: fc.constantFrom(200, 200, 200, 500),
  waitMs: fc.constantFrom(2_500, 10_000, 31_000, 31_000, 31_000),
  before: fc.constantFrom(...Array<'nothing'>(8).fill('nothing'), 'say', 'restart', 'restart', 'off and on' as const),
  isWriting: fc.constantFrom(...Array<false>(12).fill(false), true),
  edits: fc.boolean(),
  outcome: fc.constantFrom(...Array<'completed'>(12).fill('completed'), 'stopped' as const),
})

test('[WS4] of 200 scripts of errors none has more than three attempts for a message, two within thirty seconds, or two for one error', () => {
  let fourthWanted = 0
  let coolDownsMet = 0
  fc.assert(
    fc.property(fc.array(round, { minLength: 8, maxLength: 40 }), (rounds) => {
      const world = createWorld()
      world.switch(true)
      for (const [index, one] of rounds.entries()) {
        if (one.before === 'say') world.say()
        if (one.before === 'restart') world.restart()
        if (one.before === 'off and on') {
          world.switch(false)
          world.switch(true)
        }
        world.load(one.status)
        world.error(one.known ?? `error ${index}`)
        world.write(one.isWriting)
        world.pass(one.waitMs)
        const attempts = world.state().autoFix.attempts
        const decision = world.look(one)
        if (attempts === 3 && decision.type === 'end' && decision.outcome === 'attempts') fourthWanted += 1
        if (attempts > 0 && decision.type === 'wait') coolDownsMet += 1
      }
      expect(Math.max(0, ...attemptsOf(world.log))).toBeLessThanOrEqual(3)
      let last: { readonly at: number; readonly signatures: readonly string[] } | null = null
      for (const { entry, at } of world.log) {
        if (entry.type === 'input-admitted' && entry.origin === 'person') last = null
        if (entry.type !== 'auto-fix-changed' || entry.change.type !== 'attempted') continue
        const { signatures } = entry.change
        if (last) expect(at - last.at).toBeGreaterThanOrEqual(AUTO_FIX.coolDownMs)
        expect(signatures.filter((one) => last?.signatures.includes(one))).toEqual([])
        last = { at, signatures }
      }
    }),
    { numRuns: 200 },
  )
  // Else the scripts went nowhere near what they are to show.
  expect(fourthWanted).toBeGreaterThan(40)
  expect(coolDownsMet).toBeGreaterThan(40)
})
