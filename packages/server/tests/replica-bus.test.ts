import type { Entry } from '@holdfast/conversation'
import { conversationCreated, logOf, runStarted, wholeTurn } from '@holdfast/conversation/testing'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, test } from 'vitest'
import {
  createBetween,
  createPassingClock,
  deltaAt,
  openReplica,
  type Replica,
  seqsOf,
  settled,
  textOf,
} from './support/replicas.ts'

const ID = 'conversation_1'
const STEP = 'step_3'

/** An owner, which writes and streams, and another replica at which the same conversation is followed. */
async function opened({ hasCarrier }: { readonly hasCarrier: boolean }) {
  const clock = createPassingClock()
  const { store } = createMemoryStore({ clock })
  const between = createBetween()
  const [owner, other] = ['owner', 'other'].map((replicaId) =>
    openReplica({ replicaId, store, clock, between, hasCarrier }),
  ) as [Replica, Replica]
  const log = logOf(ID, [
    conversationCreated('local'),
    ...wholeTurn(1, { asked: 'one', answered: 'first' }),
    ...wholeTurn(2, { asked: 'two', answered: 'second' }),
    runStarted('run_3', 'turn'),
  ])
  let head = 0
  /** Writes the log up to there; only what is published is told. */
  async function write(to: number): Promise<readonly Entry[]> {
    const written = log.slice(head, to)
    for (const { conversationId: _id, seq: _seq, at, v: _v, ...entry } of written)
      await store.append({ conversationId: ID, after: head++, entries: [entry], at })
    return written
  }
  const writeAndTell = async (to: number) =>
    owner.bus.publish({ type: 'entries', conversationId: ID, entries: await write(to) })
  let epoch: number | null = null
  /** Makes a piece of the open step durable. */
  async function keep(offset: number, text: string) {
    epoch ??= (await store.acquireLease({ conversationId: ID, holder: 'owner', ttlMs: 600_000 }))?.epoch ?? 0
    const deltas = [deltaAt(STEP, offset, text)]
    await store.appendDrafts([{ conversationId: ID, runId: 'run_3', stepId: STEP, startedSeq: 99, epoch, deltas }])
    owner.bus.publish({ type: 'kept-deltas', conversationId: ID, deltas })
  }
  const stream = (offset: number, text: string) =>
    owner.bus.publish({ type: 'delta', conversationId: ID, delta: deltaAt(STEP, offset, text) })
  return { clock, between, owner, other, log, write, writeAndTell, keep, stream }
}

test('[SCALE11, SYNC1] what another replica writes is there with its ring, once and in order', async () => {
  const { clock, other, log, writeAndTell } = await opened({ hasCarrier: false })
  await writeAndTell(1)
  const { frames } = other.follow(ID, {})
  await settled()
  await writeAndTell(4)
  await settled()
  expect(seqsOf(frames)).toEqual([1, 2, 3, 4])
  await writeAndTell(log.length)
  await settled()
  expect(seqsOf(frames)).toEqual(log.map(({ seq }) => seq))
  await clock.pass(10_000)
  expect(seqsOf(frames)).toEqual(log.map(({ seq }) => seq))
})

test('[SCALE11, RUN3] without a carrier what is durable of a reply streams with its rings', async () => {
  const { other, log, writeAndTell, clock, keep } = await opened({ hasCarrier: false })
  await writeAndTell(log.length)
  const { frames } = other.follow(ID, {})
  await clock.pass(600)
  await keep(0, 'so ')
  await clock.pass(200)
  expect(textOf(frames)).toBe('so ')
  await keep(3, 'far')
  await clock.pass(200)
  expect(textOf(frames)).toBe('so far')
})

test('[SCALE11, SYNC1] where nothing is heard what others write is looked for, within half a second', async () => {
  const { clock, between, other, log, write, writeAndTell, keep } = await opened({ hasCarrier: false })
  await writeAndTell(1)
  between.isRinging = false
  const { frames } = other.follow(ID, {})
  await settled()
  await write(log.length)
  await clock.pass(600)
  expect(seqsOf(frames)).toEqual(log.map(({ seq }) => seq))
  await keep(0, 'text')
  await clock.pass(600)
  expect(textOf(frames)).toBe('text')
})

test('[SCALE11] while the doorbell is heard, a hundred followed conversations at rest cost a look in five seconds', async () => {
  const { clock, between, other, writeAndTell, log } = await opened({ hasCarrier: false })
  await writeAndTell(log.length - 1)
  const followers = Array.from({ length: 100 }, (_, index) =>
    other.bus.subscribe(index === 0 ? ID : `c${index}`, () => {}),
  )
  await clock.pass(5_000)
  const before = { ...other.reads }
  await clock.pass(100_000)
  const looks = other.reads.entries - before.entries
  expect(looks).toBeGreaterThanOrEqual(19)
  expect(looks).toBeLessThanOrEqual(21)
  expect(other.reads.drafts + other.reads.listings).toBe(before.drafts + before.listings)
  between.isRinging = false
  await clock.pass(10_000)
  expect(other.reads.entries - before.entries).toBeGreaterThan(1_000)
  for (const end of followers) end()
  await clock.pass(10)
  expect(clock.waiting()).toBe(0)
})

test('[SCALE10, SYNC1] deltas go to the replicas that follow, and to no others', async () => {
  const { clock, between, owner, other, log, writeAndTell, stream } = await opened({ hasCarrier: true })
  await writeAndTell(log.length)
  await clock.pass(20)
  stream(0, 'nobody ')
  await clock.pass(20)
  expect(between.sent.filter((text) => text.includes('nobody'))).toEqual([])
  const near = owner.follow(ID, {})
  const { frames, close } = other.follow(ID, {})
  await clock.pass(20)
  const readBefore = { ...owner.reads }
  between.sent.length = 0
  stream(0, 'heard')
  await clock.pass(20)
  expect(between.sent.filter((text) => text.includes('heard'))).toHaveLength(1)
  expect(near.frames.at(-1)).toMatchObject({ type: 'delta', text: 'heard' })
  expect(owner.reads).toEqual(readBefore)
  close()
  await clock.pass(20)
  between.sent.length = 0
  stream(5, ' again')
  await clock.pass(20)
  expect(between.sent.filter((text) => text.includes('again'))).toEqual([])
  expect(textOf(near.frames)).toBe('heard again')
  expect(textOf(frames)).toBe('heard')
})

test('[SCALE10] what a replica follows runs out when it is not said again', async () => {
  const { clock, between, owner, other, log, writeAndTell, stream } = await opened({ hasCarrier: true })
  await writeAndTell(log.length)
  owner.follow(ID, {})
  other.follow(ID, {})
  await clock.pass(14_000)
  between.sent.length = 0
  stream(0, 'one')
  await clock.pass(20)
  expect(between.sent.filter((text) => text.includes('"one"'))).toHaveLength(1)
  between.loses = (text) => text.startsWith('{"from":"other"')
  await clock.pass(21_000)
  stream(3, 'two')
  await clock.pass(20)
  expect(between.sent.filter((text) => text.includes('"two"'))).toEqual([])
  between.loses = () => false
  await clock.pass(6_000)
  stream(6, 'three')
  await clock.pass(20)
  expect(between.sent.filter((text) => text.includes('"three"'))).toHaveLength(1)
})

test('[SCALE2, SYNC1] who begins to follow in the middle of a reply has all of it, without a hole', async () => {
  const { clock, other, log, writeAndTell, keep, stream } = await opened({ hasCarrier: true })
  await writeAndTell(log.length)
  stream(0, 'The beginning')
  await keep(0, 'The beginning')
  stream(13, ', not yet durable')
  const first = other.follow(ID, {})
  await clock.pass(20)
  stream(30, ', and live')
  await clock.pass(20)
  expect(textOf(first.frames)).toBe('The beginning')
  await keep(13, ', not yet durable')
  await clock.pass(200)
  expect(textOf(first.frames)).toBe('The beginning, not yet durable, and live')
  const second = other.follow(ID, {})
  await settled()
  expect(textOf(second.frames)).toBe('The beginning, not yet durable, and live')
  stream(40, '.')
  await clock.pass(20)
  for (const { frames } of [first, second]) expect(textOf(frames)).toBe('The beginning, not yet durable, and live.')
})

test('[SCALE2] a delta that goes on with what is shown waits for no look at the store, however long that takes', async () => {
  const { clock, other, log, writeAndTell, stream } = await opened({ hasCarrier: true })
  await writeAndTell(log.length)
  const { frames } = other.follow(ID, {})
  await clock.pass(600)
  stream(0, 'shown')
  await clock.pass(20)
  const gate = Promise.withResolvers<void>()
  other.stall.until = gate.promise
  // Now and then it is looked at, whatever is told.
  await clock.pass(6_000)
  stream(5, ' at once')
  await clock.pass(20)
  expect(textOf(frames)).toBe('shown at once')
  gate.resolve()
  await clock.pass(600)
  stream(13, ', and on')
  await clock.pass(20)
  expect(textOf(frames)).toBe('shown at once, and on')
})

test('[SCALE2] deltas that are lost, repeated or late leave no hole and double nothing', async () => {
  const { clock, between, other, log, writeAndTell, keep, stream } = await opened({ hasCarrier: true })
  await writeAndTell(log.length)
  const { frames } = other.follow(ID, {})
  await clock.pass(600)
  stream(0, 'a')
  await clock.pass(20)
  between.loses = (text) => text.includes('"bc"')
  stream(1, 'bc')
  await clock.pass(20)
  stream(3, 'd')
  stream(3, 'd')
  stream(0, 'a')
  await clock.pass(20)
  expect(textOf(frames)).toBe('a')
  await keep(0, 'abc')
  await clock.pass(200)
  expect(textOf(frames)).toBe('abcd')
})

test('[SCALE13] without the carrier a reply goes on by what is durable, and at once when it is back', async () => {
  const { clock, between, other, log, writeAndTell, keep, stream } = await opened({ hasCarrier: true })
  await writeAndTell(log.length)
  const { frames } = other.follow(ID, {})
  await clock.pass(600)
  stream(0, 'before ')
  await clock.pass(20)
  between.turnCarrier(false)
  stream(7, 'without ')
  await keep(0, 'before without ')
  await clock.pass(200)
  expect(textOf(frames)).toBe('before without ')
  between.turnCarrier(true)
  await clock.pass(20)
  stream(15, 'after')
  await clock.pass(20)
  expect(textOf(frames)).toBe('before without after')
})

test('[SCALE13] a replica that alone has lost the carrier, and is not told so, finds the reply in the store within a second', async () => {
  const { clock, between, other, log, writeAndTell, keep, stream } = await opened({ hasCarrier: true })
  await writeAndTell(log.length)
  const { frames } = other.follow(ID, {})
  await clock.pass(600)
  between.loses = (text) => text.startsWith('{"from":"owner"')
  let text = ''
  for (const word of ['one ', 'two ', 'three ']) {
    stream(text.length, word)
    await keep(text.length, word)
    text += word
    await clock.pass(1_000)
    expect(textOf(frames)).toBe(text)
  }
})

test('[SCALE10, RUN3] who wants what is durable alone is sent no more than that', async () => {
  const { clock, other, log, writeAndTell, keep, stream } = await opened({ hasCarrier: true })
  await writeAndTell(log.length)
  const { frames } = other.follow(ID, { keptOnly: true })
  await clock.pass(600)
  stream(0, 'durable')
  stream(7, ', or not')
  await clock.pass(20)
  expect(textOf(frames)).toBe('')
  await keep(0, 'durable')
  await clock.pass(20)
  expect(textOf(frames)).toBe('durable')
})

test('[SCALE10, SYNC4] a replica hears that a conversation has grown which nobody follows there', async () => {
  const { clock, other, writeAndTell } = await opened({ hasCarrier: true })
  const heard = other.hearAll()
  await writeAndTell(4)
  await clock.pass(20)
  expect(heard).toContainEqual({ type: 'grown', conversationId: ID })
  expect(other.reads).toEqual({ entries: 0, drafts: 0, listings: 0 })
})

test('[SCALE12] what waits for a replica that does not take it is bounded, and said to be left out', async () => {
  const { clock, between, other, log, writeAndTell, keep, stream } = await opened({ hasCarrier: true })
  await writeAndTell(log.length)
  const { frames } = other.follow(ID, {})
  await clock.pass(600)
  const piece = 'x'.repeat(100_000)
  let length = 0
  for (let count = 0; count < 30; count += 1) {
    stream(length, piece)
    length += piece.length
  }
  between.sent.length = 0
  await clock.pass(20)
  expect(Math.max(...between.sent.map((text) => text.length))).toBeLessThan(1_200_000)
  expect(between.sent.some((text) => text.includes('"left-out"'))).toBe(true)
  await keep(0, 'x'.repeat(length))
  await clock.pass(1_000)
  expect(textOf(frames).length).toBe(length)
})
