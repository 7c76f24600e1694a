import { applyDelta, type Draft, emptyDraft, overview } from '@holdfast/conversation'
import { conversationCreated, logOf, wholeTurn } from '@holdfast/conversation/testing'
import type { LiveMessage } from '@holdfast/engine'
import { createInProcessBus } from '@holdfast/engine'
import type { ServerFrame } from '@holdfast/protocol'
import { createMemoryStore } from '@holdfast/store/memory'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFollower } from '../src/live/follower.ts'
import { LineClosedError } from '../src/live/outlet.ts'
import { realClock } from './support/real-ports.ts'

const ID = 'conversation_1'
const log = logOf(ID, [
  conversationCreated('local'),
  ...[1, 2, 3, 4].flatMap((number) => wholeTurn(number, { asked: `ask ${number}`, answered: `answer ${number}` })),
])

/** A store with the first `count` entries, and a way to add more. */
async function storeWith(count: number) {
  const { store } = createMemoryStore({ clock: realClock })
  let head = 0
  async function grow(to: number) {
    for (; head < to; head += 1) {
      for (const { conversationId: _id, seq: _seq, at, v: _v, ...entry } of log.slice(head, head + 1)) {
        await store.append({ conversationId: ID, after: head, entries: [entry], at })
      }
    }
  }
  await grow(count)
  return { store, grow }
}

function outletInto(frames: ServerFrame[]) {
  return { send: (frame: ServerFrame) => void frames.push(frame), drained: async () => {} }
}

function seqsOf(frames: readonly ServerFrame[]): number[] {
  return frames.flatMap((frame) => (frame.type === 'entries' ? frame.entries.map(({ seq }) => seq) : []))
}

/** Lets everything that is under way in this process go on until it waits for something outside. */
async function settled() {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('[SYNC1] sends every entry after the cursor once and in order, whatever the bus loses, repeats or reorders', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(log.length),
      fc.nat(log.length),
      fc.array(
        fc.record({
          from: fc.nat(log.length),
          count: fc.integer({ min: 1, max: 5 }),
          grow: fc.nat(6),
          wait: fc.boolean(),
        }),
      ),
      async (stored, after, messages) => {
        const { store, grow } = await storeWith(Math.max(stored, 1))
        const bus = createInProcessBus()
        const frames: ServerFrame[] = []
        const cursor = Math.min(after, stored)
        let durable = Math.max(stored, 1)
        const follower = createFollower({
          conversationId: ID,
          after: cursor,
          bus,
          store,
          engine: { openDraft: () => null },
          outlet: outletInto(frames),
          onFailure: (error) => expect.fail(String(error)),
        })
        for (const { from, count, grow: by, wait } of messages) {
          durable = Math.min(durable + by, log.length)
          await grow(durable)
          const entries = log.slice(Math.min(from, durable), Math.min(from + count, durable))
          bus.publish({ type: 'entries', conversationId: ID, entries })
          if (wait) await settled()
        }
        await settled()
        follower.verify()
        await settled()
        follower.close()
        expect(seqsOf(frames)).toEqual(log.slice(cursor, durable).map(({ seq }) => seq))
        expect(frames.findLast(({ type }) => type === 'caught-up')).toMatchObject({ head: durable })
      },
    ),
    { numRuns: 60 },
  )
})

test('[SYNC14] gives the readers of a conversation the same frame of entries, and of a delta', async () => {
  const { store, grow } = await storeWith(3)
  const bus = createInProcessBus()
  const readers = [[], []] satisfies ServerFrame[][]
  const followers = readers.map((frames: ServerFrame[]) =>
    createFollower({
      conversationId: ID,
      after: 3,
      bus,
      store,
      engine: { openDraft: () => null },
      outlet: outletInto(frames),
      onFailure: (error) => expect.fail(String(error)),
    }),
  )
  await settled()
  await grow(5)
  bus.publish({ type: 'entries', conversationId: ID, entries: log.slice(3, 5) })
  const delta = { stepId: 'step_9', block: 0, offset: 0, text: 'one', start: { type: 'text' as const } }
  bus.publish({ type: 'delta', conversationId: ID, delta })
  for (const follower of followers) follower.close()
  const [first = [], second = []] = readers.map((frames) => frames.slice(-2))
  expect(first).toEqual([
    { type: 'entries', conversationId: ID, entries: log.slice(3, 5) },
    { type: 'delta', conversationId: ID, ...delta },
  ])
  expect(first.map((frame, index) => frame === second[index])).toEqual([true, true])
})

test('[SYNC1] sends what is appended while the store is read, although the page that is read has nothing of it', async () => {
  const { store, grow } = await storeWith(3)
  const bus = createInProcessBus()
  const frames: ServerFrame[] = []
  let readCount = 0
  const follower = createFollower({
    conversationId: ID,
    after: 3,
    bus,
    store: {
      readDrafts: store.readDrafts,
      async read(query) {
        readCount += 1
        const page = await store.read(query)
        // The first page is followed by another in any case: the draft is read in between.
        if (readCount === 2) {
          await grow(4)
          bus.publish({ type: 'entries', conversationId: ID, entries: log.slice(3, 4) })
        }
        return page
      },
    },
    engine: { openDraft: () => null },
    outlet: outletInto(frames),
    onFailure: (error) => expect.fail(String(error)),
  })
  await settled()
  follower.close()
  expect(seqsOf(frames)).toEqual([4])
  expect(frames.findLast(({ type }) => type === 'caught-up')).toMatchObject({ head: 4 })
})

test('[SYNC1] reads once where the bus names what the store does not have', async () => {
  const { store } = await storeWith(3)
  const bus = createInProcessBus()
  const frames: ServerFrame[] = []
  let readCount = 0
  const follower = createFollower({
    conversationId: ID,
    after: 3,
    bus,
    store: {
      readDrafts: store.readDrafts,
      read(query) {
        readCount += 1
        return store.read(query)
      },
    },
    engine: { openDraft: () => null },
    outlet: outletInto(frames),
    onFailure: (error) => expect.fail(String(error)),
  })
  bus.publish({ type: 'entries', conversationId: ID, entries: log.slice(6, 7) })
  await settled()
  follower.close()
  expect(readCount).toBeLessThan(5)
  expect(frames.map(({ type }) => type)).toEqual(['caught-up'])
})

test('[SYNC1] sends the draft so that a reader has all of it, whatever deltas the bus loses, repeats or reorders', async () => {
  const { store } = await storeWith(5)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('deliver', 'lose', 'repeat', 'late'), { minLength: 1, maxLength: 20 }),
      async (fates) => {
        const bus = createInProcessBus()
        const frames: ServerFrame[] = []
        let open: Draft = emptyDraft('step_9')
        const follower = createFollower({
          conversationId: ID,
          after: 5,
          bus,
          store,
          engine: { openDraft: () => open },
          outlet: outletInto(frames),
          onFailure: (error) => expect.fail(String(error)),
        })
        await settled()
        const late: LiveMessage[] = []
        for (const [index, fate] of fates.entries()) {
          const delta = {
            stepId: 'step_9',
            block: 0,
            offset: open.blocks[0]?.text.length ?? 0,
            text: `word ${index} `,
            ...(index === 0 ? { start: { type: 'text' as const } } : {}),
          }
          open = applyDelta(open, delta).draft
          const message: LiveMessage = { type: 'delta', conversationId: ID, delta }
          if (fate === 'late') late.push(message)
          else if (fate !== 'lose') bus.publish(message)
          if (fate === 'repeat') bus.publish(message)
          for (const waiting of fate === 'repeat' ? late.splice(0) : []) bus.publish(waiting)
        }
        follower.verify()
        await settled()
        follower.close()
        expect(draftFrom(frames)).toEqual(open)
      },
    ),
    { numRuns: 100 },
  )
})

/** What a reader makes of the frames; it never asks again. */
function draftFrom(frames: readonly ServerFrame[]): Draft {
  let draft = emptyDraft('step_9')
  for (const frame of frames) {
    if (frame.type === 'draft') draft = { stepId: frame.stepId, blocks: frame.blocks }
    if (frame.type !== 'delta') continue
    const { type: _type, conversationId: _id, ...delta } = frame
    const applied = applyDelta(draft, delta)
    expect(applied.outcome).not.toBe('gap')
    draft = applied.draft
  }
  return draft
}

test('[SYNC1] says where the log ends to a reader whose cursor is past it', async () => {
  const { store } = await storeWith(5)
  const frames: ServerFrame[] = []
  createFollower({
    conversationId: ID,
    after: 20,
    bus: createInProcessBus(),
    store,
    engine: { openDraft: () => null },
    outlet: outletInto(frames),
    onFailure: (error) => expect.fail(String(error)),
  })
  await settled()
  expect(frames).toEqual([{ type: 'caught-up', conversationId: ID, head: 5 }])
})

test('[LOG7] sends a damaged log up to its damage and then says so', async () => {
  const { DamagedLogError } = await import('@holdfast/conversation')
  const { store } = await storeWith(9)
  const frames: ServerFrame[] = []
  const failures: unknown[] = []
  createFollower({
    conversationId: ID,
    after: 0,
    bus: createInProcessBus(),
    store: {
      async read(query) {
        const last = (query.after ?? 0) + query.limit
        if (last >= 7) throw new DamagedLogError({ conversationId: ID, firstBadSeq: 7, what: 'checksum' })
        return store.read(query)
      },
      readDrafts: store.readDrafts,
    },
    engine: { openDraft: () => null },
    outlet: outletInto(frames),
    onFailure: (error) => failures.push(error),
  })
  await settled()
  expect(seqsOf(frames)).toEqual([1, 2, 3, 4, 5, 6])
  expect(failures).toHaveLength(1)
})

test('[SYNC3] stops reading the log when its line is closed', async () => {
  const { store } = await storeWith(9)
  const bus = createInProcessBus()
  const frames: ServerFrame[] = []
  const failures: unknown[] = []
  createFollower({
    conversationId: ID,
    after: 0,
    bus,
    store,
    engine: { openDraft: () => null },
    outlet: {
      send: (frame) => void frames.push(frame),
      drained: () => Promise.reject(new LineClosedError('closed')),
    },
    onFailure: (error) => failures.push(error),
  })
  await settled()
  const sent = frames.length
  bus.publish({ type: 'entries', conversationId: ID, entries: log.slice(0, 9) })
  await settled()
  expect(frames).toHaveLength(sent)
  expect(failures).toEqual([expect.any(LineClosedError)])
})

test('[SYNC1] gives the stored draft of a step that does not run in this process', async () => {
  const { store } = await storeWith(5)
  const lease = await store.acquireLease({ conversationId: ID, holder: 'elsewhere', ttlMs: 60_000 })
  const deltas = [
    { stepId: 'step_1', block: 0, offset: 0, text: 'so ', start: { type: 'text' as const } },
    { stepId: 'step_1', block: 0, offset: 3, text: 'far' },
  ]
  await store.appendDrafts([
    { conversationId: ID, runId: 'run_1', stepId: 'step_1', startedSeq: 99, epoch: lease?.epoch ?? 0, deltas },
  ])
  const frames: ServerFrame[] = []
  createFollower({
    conversationId: ID,
    after: 4,
    bus: createInProcessBus(),
    store,
    engine: { openDraft: () => null },
    outlet: outletInto(frames),
    onFailure: (error) => expect.fail(String(error)),
  })
  await settled()
  expect(frames.map(({ type }) => type)).toEqual(['entries', 'draft', 'caught-up'])
  expect(frames[1]).toMatchObject({ stepId: 'step_1', blocks: [{ text: 'so far' }], offset: 6 })
})

test('[SYNC1] reads a log of many pages to its end, and what was written meanwhile', async () => {
  const long = logOf(ID, [
    conversationCreated('local'),
    ...Array.from({ length: 90 }, (_, number) => wholeTurn(number, { asked: 'ask', answered: 'answer' })).flat(),
  ])
  let durable = 500
  const bus = createInProcessBus()
  const frames: ServerFrame[] = []
  const { store } = await storeWith(1)
  createFollower({
    conversationId: ID,
    after: 0,
    bus,
    store: {
      async read({ after, limit }) {
        const entries = long.slice(after ?? 0, Math.min((after ?? 0) + limit, durable))
        const head = durable
        if (durable < long.length) {
          bus.publish({ type: 'entries', conversationId: ID, entries: long.slice(durable, durable + 20) })
          durable = Math.min(durable + 20, long.length)
        }
        return { entries, head }
      },
      readDrafts: store.readDrafts,
    },
    engine: { openDraft: () => null },
    outlet: outletInto(frames),
    onFailure: (error) => expect.fail(String(error)),
  })
  await settled()
  expect(seqsOf(frames)).toEqual(long.slice(0, durable).map(({ seq }) => seq))
  expect(frames.at(-1)).toEqual({ type: 'caught-up', conversationId: ID, head: durable })
})

test('[SYNC1] sends the whole draft at once when a delta shows that one before it was lost', async () => {
  const { store } = await storeWith(5)
  const bus = createInProcessBus()
  const frames: ServerFrame[] = []
  createFollower({
    conversationId: ID,
    after: 5,
    bus,
    store,
    engine: {
      openDraft: () => ({ stepId: 'step_9', blocks: [{ start: { type: 'text' }, text: 'one two', complete: false }] }),
    },
    outlet: outletInto(frames),
    onFailure: (error) => expect.fail(String(error)),
  })
  await settled()
  frames.length = 0
  bus.publish({ type: 'delta', conversationId: ID, delta: { stepId: 'step_9', block: 0, offset: 4, text: 'two' } })
  expect(frames).toEqual([])
  bus.publish({ type: 'delta', conversationId: ID, delta: { stepId: 'step_9', block: 0, offset: 12, text: 'four' } })
  bus.publish({ type: 'delta', conversationId: ID, delta: { stepId: 'step_9', block: 0, offset: 7, text: ' three' } })
  expect(frames).toMatchObject([{ type: 'delta', offset: 7 }])
})

test('[SYNC1] sends the stored draft of a step of another server whose beginning came while the log was read', async () => {
  const { store } = await storeWith(5)
  const lease = await store.acquireLease({ conversationId: ID, holder: 'elsewhere', ttlMs: 600_000 })
  const bus = createInProcessBus()
  const frames: ServerFrame[] = []
  createFollower({
    conversationId: ID,
    after: 5,
    bus,
    store,
    engine: { openDraft: () => null },
    outlet: outletInto(frames),
    onFailure: (error) => expect.fail(String(error)),
  })
  await settled()
  const deltas = [{ stepId: 'step_9', block: 0, offset: 0, text: 'one two', start: { type: 'text' as const } }]
  await store.appendDrafts([
    { conversationId: ID, runId: 'run_9', stepId: 'step_9', startedSeq: 99, epoch: lease?.epoch ?? 0, deltas },
  ])
  frames.length = 0
  bus.publish({ type: 'delta', conversationId: ID, delta: { stepId: 'step_9', block: 0, offset: 4, text: 'two' } })
  await settled()
  expect(frames).toMatchObject([{ type: 'draft', stepId: 'step_9', offset: 7 }])
  bus.publish({ type: 'delta', conversationId: ID, delta: { stepId: 'step_9', block: 0, offset: 7, text: ' three' } })
  expect(frames.at(-1)).toMatchObject({ type: 'delta', offset: 7 })
})

test('[SYNC1] sends the draft of a step whose beginning the bus lost', async () => {
  const { store } = await storeWith(5)
  const bus = createInProcessBus()
  const frames: ServerFrame[] = []
  let open: Draft | null = null
  createFollower({
    conversationId: ID,
    after: 5,
    bus,
    store,
    engine: { openDraft: () => open },
    outlet: outletInto(frames),
    onFailure: (error) => expect.fail(String(error)),
  })
  await settled()
  frames.length = 0
  open = { stepId: 'step_9', blocks: [{ start: { type: 'text' }, text: 'one two', complete: false }] }
  bus.publish({ type: 'delta', conversationId: ID, delta: { stepId: 'step_9', block: 0, offset: 4, text: 'two' } })
  expect(frames).toMatchObject([{ type: 'draft', stepId: 'step_9', blocks: [{ text: 'one two' }], offset: 7 }])
})

test('[SYNC1] sends of a long log its overview and its end, and what follows; of a short one all', async () => {
  const { store, grow } = await storeWith(20)
  const bus = createInProcessBus()
  async function framesWithTail(entryCount: number): Promise<ServerFrame[]> {
    const frames: ServerFrame[] = []
    const follower = createFollower({
      conversationId: ID,
      after: 0,
      tail: { entryCount, readOverview: async () => overview.reduce(overview.initial, log.slice(0, 20)) },
      bus,
      store,
      engine: { openDraft: () => null },
      outlet: outletInto(frames),
      onFailure: (error) => expect.fail(String(error)),
    })
    await settled()
    follower.close()
    return frames
  }
  const [first, ...rest] = await framesWithTail(5)
  expect(first).toMatchObject({ type: 'overview', from: 16, overview: { head: 20 } })
  expect(seqsOf(rest)).toEqual([16, 17, 18, 19, 20])
  const short = await framesWithTail(20)
  expect(short.some(({ type }) => type === 'overview')).toBe(false)
  expect(seqsOf(short)).toHaveLength(20)
  await grow(22)
  expect(seqsOf(await framesWithTail(5))).toEqual([16, 17, 18, 19, 20, 21, 22])
})
