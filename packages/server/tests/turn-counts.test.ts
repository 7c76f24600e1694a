import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Clock } from '@holdfast/conversation'
import { createManualClock } from '@holdfast/engine/testing'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { serve } from './support/serve.ts'
import { greet } from './support/socket-client.ts'

const Calls = z.object({ calls: z.array(z.object({ id: z.number(), name: z.string() })) })
const Answers = z.object({ answers: z.array(z.object({ id: z.number(), value: z.unknown() })) })
const Statistics = z.object({ commitCount: z.number(), unsyncedCount: z.number() })

/** No call of a store has this number. */
const OWN_ID = -1

/**
 * What a turn of three pieces of text asks for, as long as a tick of the drafts and one beat of its lease last. Whoever
 * makes it ask for less lowers the numbers.
 */
const EVERY_TURN = {
  messages: 8,
  calls: {
    acquireLease: 1,
    append: 2,
    appendDrafts: 1,
    getRecord: 2,
    readListing: 2,
  },
  syncs: 3,
  frames: { accepted: 1, conversations: 2, delta: 5, entries: 2 },
}
/** How often the clock is asked to call, by milliseconds. */
const EVERY_TIMER = { 10: 3, 20: 1, 100: 4, 120000: 1, 300000: 1, '3333.3333333333335': 1 }

/** Hears what goes to the threads of the store and comes back from them. */
function watchThreads() {
  const names: string[] = []
  let messages = 0
  const open = new Map<Worker, Set<number>>()
  const send = Worker.prototype.postMessage
  const spy = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, message: unknown) {
    const told = Calls.safeParse(message)
    const ids = open.get(this) ?? new Set()
    if (!open.has(this)) {
      open.set(this, ids)
      this.on('message', (answer: unknown) => {
        for (const { id } of Answers.safeParse(answer).data?.answers ?? []) ids.delete(id)
      })
    }
    if (told.success) {
      messages += 1
      for (const { id, name } of told.data.calls) {
        ids.add(id)
        names.push(name)
      }
    }
    send.call(this, message)
  })
  onTestFinished(() => spy.mockRestore())

  return {
    /** Waits until no thread is asked and nobody asks anew. */
    async quiet(): Promise<void> {
      for (let turns = 0, before = messages; turns < 100; turns += 1) {
        await new Promise<void>((resolve) => setImmediate(resolve))
        if (before !== messages || [...open.values()].some(({ size }) => size > 0)) turns = 0
        before = messages
      }
    },
    /** What was asked since the last time. */
    take() {
      const calls = counted(names.splice(0))
      const taken = messages
      messages = 0
      return { messages: taken, calls }
    },
    /** How many commits the writer has made that waited for a sync; the question is one more itself. */
    async syncs(): Promise<number> {
      const [writer] = open.keys()
      const answer = Promise.withResolvers<unknown>()
      const hear = (message: unknown): void => {
        const own = Answers.safeParse(message).data?.answers.find(({ id }) => id === OWN_ID)
        if (own) answer.resolve(own.value)
      }
      writer?.on('message', hear)
      if (writer) send.call(writer, { type: 'calls', calls: [{ id: OWN_ID, name: 'writerStatistics', args: null }] })
      const { commitCount, unsyncedCount } = Statistics.parse(await answer.promise)
      writer?.off('message', hear)
      return commitCount - unsyncedCount
    },
  }
}

function counted(names: readonly (string | number)[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(String(name), (counts.get(String(name)) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A clock that is moved by hand and knows what was set. */
function countingClock() {
  const manual = createManualClock()
  const delays: number[] = []
  const clock: Clock = {
    now: manual.now,
    monotonicMs: manual.monotonicMs,
    after(delayMs, run) {
      delays.push(delayMs)
      return manual.after(delayMs, run)
    },
  }
  return { clock, advance: manual.advance, take: () => counted(delays.splice(0)) }
}

test('[SYNC15] asks its store, its clock and its readers’ sockets for so much in a turn and for no more', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-turn-'))
  const threads = watchThreads()
  const time = countingClock()
  const served = await serve({
    webRoot: null,
    clock: time.clock,
    openStore: (clock) => createSqliteStore({ dataDir: join(dataDir, 'store'), clock }),
  })
  onTestFinished(async () => {
    await served.close()
    await rm(dataDir, { recursive: true })
  })
  const conversationId = await served.newConversation()
  const client = await greet(served)
  client.send({ type: 'follow', conversationId, after: 0 })
  await client.next('caught-up')
  const quiet = async () => {
    await threads.quiet()
    await time.advance(200)
    await threads.quiet()
  }
  let number = 0

  async function turn() {
    number += 1
    await quiet()
    threads.take()
    time.take()
    const [before, syncsBefore] = [client.frames.length, await threads.syncs()]
    const content = [{ type: 'text' as const, text: 'Write three words.' }]
    client.send({
      type: 'command',
      name: 'send-message',
      commandId: `command_${number}`,
      conversationId,
      lane: 'turn',
      content,
    })
    await served.model.asked()
    await threads.quiet()
    served.model.say('one ')
    await client.next('delta')
    for (const text of ['two ', 'three']) {
      served.model.say(text)
      await threads.quiet()
    }
    await quiet()
    served.model.end()
    await client.next('entries', ({ entries }) => entries.some(({ type }) => type === 'run-finished'))
    await quiet()
    await quiet()
    const frames = client.frames.slice(before)
    const { messages, calls } = threads.take()
    return {
      messages,
      calls,
      syncs: (await threads.syncs()) - syncsBefore - 1,
      timers: time.take(),
      frames: counted(frames.map(({ type }) => type)),
      bytes: frames.reduce((sum, frame) => sum + JSON.stringify(frame).length, 0),
    }
  }

  const first = await turn()
  // With what the person's memories are: they are read once.
  const calls = { ...EVERY_TURN.calls, getRecord: 3, listRecords: 1 }
  expect(first).toEqual({ ...EVERY_TURN, calls, messages: 9, timers: EVERY_TIMER, bytes: expect.any(Number) })
  // With what the tools of the conversation are.
  expect(first.bytes).toBeLessThanOrEqual(4_751)

  const second = await turn()
  expect(second).toEqual({ ...EVERY_TURN, timers: EVERY_TIMER, bytes: expect.any(Number) })
  expect(second.bytes).toBeLessThanOrEqual(4_356)
})
