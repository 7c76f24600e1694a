import { conversationCreated, logOf, runStarted, wholeTurn } from '@holdfast/conversation/testing'
import { createInProcessBus, type LiveMessage } from '@holdfast/engine'
import type { ServerFrame } from '@holdfast/protocol'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, test } from 'vitest'
import { createDatabaseBus } from '../src/live/database-bus.ts'
import { createFollower } from '../src/live/follower.ts'
import { realClock } from './support/real-ports.ts'

const ID = 'conversation_1'

/** What is to be called later; `pass` calls it, and waits until all of this process rests. */
function laterClock() {
  const waiting = new Set<() => void>()
  return {
    waiting,
    after(_delayMs: number, run: () => void) {
      waiting.add(run)
      return () => void waiting.delete(run)
    },
    async pass() {
      const due = [...waiting]
      waiting.clear()
      for (const run of due) run()
      await settled()
    },
  }
}

async function settled() {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** A store that another server writes into, and a follower here. */
async function opened() {
  const { store } = createMemoryStore({ clock: realClock })
  const log = logOf(ID, [
    conversationCreated('local'),
    ...wholeTurn(1, { asked: 'one', answered: 'first' }),
    ...wholeTurn(2, { asked: 'two', answered: 'second' }),
    runStarted('run_3', 'turn'),
  ])
  let head = 0
  async function write(to: number) {
    for (const { conversationId: _id, seq: _seq, at, v: _v, ...entry } of log.slice(head, to))
      await store.append({ conversationId: ID, after: head++, entries: [entry], at })
  }
  await write(1)
  const clock = laterClock()
  const inner = createInProcessBus()
  let reads = 0
  const bus = createDatabaseBus({
    bus: inner,
    clock,
    lookMs: 500,
    onError: (error: unknown) => expect.fail(String(error)),
    store: {
      ...store,
      read: (query) => {
        reads += 1
        return store.read(query)
      },
    },
  })
  const frames: ServerFrame[] = []
  const follow = () =>
    createFollower({
      conversationId: ID,
      after: 0,
      bus,
      store,
      engine: { openDraft: () => null },
      outlet: { send: (frame) => void frames.push(frame), drained: async () => {} },
      onFailure: (error) => expect.fail(String(error)),
    })
  return { store, log, write, clock, bus, frames, follow, reads: () => reads }
}

const seqsOf = (frames: readonly ServerFrame[]) =>
  frames.flatMap((frame) => (frame.type === 'entries' ? frame.entries.map(({ seq }) => seq) : []))

test('[SYNC1] what another server writes reaches who follows here, once and in order, also what came while it began', async () => {
  const { log, write, clock, frames, follow } = await opened()
  const follower = follow()
  await settled()
  expect(seqsOf(frames)).toEqual([1])
  await write(4)
  await clock.pass()
  expect(seqsOf(frames)).toEqual([1, 2, 3, 4])
  await write(log.length)
  await clock.pass()
  await clock.pass()
  expect(seqsOf(frames)).toEqual(log.map(({ seq }) => seq))
  follower.close()
  expect(clock.waiting.size).toBe(0)
})

test('[SYNC1, RUN3] of a reply that runs at another server what is durable streams here', async () => {
  const { store, log, write, clock, frames, follow } = await opened()
  await write(log.length)
  const follower = follow()
  await settled()
  await clock.pass()
  const lease = await store.acquireLease({ conversationId: ID, holder: 'elsewhere', ttlMs: 60_000 })
  const add = (offset: number, text: string) => {
    const delta = {
      stepId: 'step_3',
      block: 0,
      offset,
      text,
      ...(offset === 0 ? { start: { type: 'text' as const } } : {}),
    }
    return store.appendDrafts([
      { conversationId: ID, runId: 'run_3', stepId: 'step_3', epoch: lease?.epoch ?? 0, deltas: [delta] },
    ])
  }
  await add(0, 'so ')
  await clock.pass()
  await add(3, 'far')
  await clock.pass()
  const text = frames.flatMap((frame) => (frame.type === 'delta' ? [frame.text] : []))
  expect(text).toEqual(['so ', 'far'])
  follower.close()
})

test('[SYNC1] what runs in this process is not looked for, and two followers share a look', async () => {
  const { log, write, clock, bus, follow, reads } = await opened()
  const followers = [follow(), follow()]
  await settled()
  expect(clock.waiting.size).toBe(1)
  await write(2)
  const heard: LiveMessage[] = []
  bus.subscribeToAll((message) => heard.push(message))
  bus.publish({ type: 'entries', conversationId: ID, entries: log.slice(1, 2) })
  await clock.pass()
  expect([reads(), heard.length]).toEqual([0, 1])
  await clock.pass()
  expect(reads()).toBe(2)
  for (const follower of followers) follower.close()
  expect(clock.waiting.size).toBe(0)
})
