import { type Append, type Appended, type Entry, type EntryStore, StoreWriteError } from '@holdfast/conversation'
import type { FactSource } from '@holdfast/engine'
import { begins, says } from '@holdfast/engine/testing'
import { describe, expect, it, vi } from 'vitest'
import { type Harness, type HarnessOptions, openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const person = { type: 'person', userId: 'user_1' } as const

/** What is written before the model is asked. */
const BEGINNING = [
  'input-admitted',
  'run-started',
  'user-message-sent',
  'tools-changed',
  'context-noted',
  'step-started',
]

const timeFact: FactSource = { section: 'time', budgetTokens: 100, textNow: async () => 'Monday' }

const { tool } = testTool({ name: 'look', category: 'read' })

type AppendLine = (append: Append, store: EntryStore) => Promise<Appended>

interface Opened extends Harness {
  /** The kinds of entries of each append so far. */
  readonly appends: readonly (readonly string[])[]
}

/** An engine that is alone on its store, with what it appends. `line` stands before the store. */
async function openAlone(
  scripts: Parameters<typeof openHarness>[0],
  { line, ...options }: HarnessOptions & { readonly line?: AppendLine } = {},
): Promise<Opened> {
  const appends: string[][] = []
  const lineTo = (store: EntryStore): EntryStore => ({
    ...store,
    append(append) {
      appends.push(append.entries.map(({ type }) => type))
      return line ? line(append, store) : store.append(append)
    },
  })
  const ports = { isAlone: true, facts: [timeFact], ...options.ports } as const
  const harness = await openHarness(scripts, [tool], null, { ...options, lineTo, ports })
  appends.length = 0
  return { ...harness, appends }
}

/** Lets the appends of a beginning wait until they are let go. */
function heldBeginnings() {
  const held = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const line: AppendLine = async (append, store) => {
    if (append.entries[0]?.type === 'input-admitted') {
      asked.resolve()
      await held.promise
    }
    return store.append(append)
  }
  return { line, asked: asked.promise, letGo: held.resolve }
}

describe('a message to a conversation at rest', () => {
  it('[RUN24] is written with the beginning of its answer in one append, before the model is asked', async () => {
    const harness = await openAlone([[...begins('Hello'), { type: 'wait' }, ...says('Hello').slice(2)]])
    const sent = await harness.send('Hi', 'send-1')
    await harness.untilPublished('Hello')
    expect(harness.appends).toEqual([BEGINNING])
    expect(sent.seq).toBe(2)
    harness.model.proceed()
    await harness.until('run-finished', 1)
  })

  it('[RUN24] is seen by nobody before it is durable, and the model is not asked', async () => {
    const { line, asked, letGo } = heldBeginnings()
    const harness = await openAlone([says('Hello')], { line })
    const sent = harness.send('Hi', 'send-1')
    await asked
    await harness.clock.advance(1_000)
    expect(harness.messages.slice(1)).toEqual([])
    expect(harness.model.requests).toEqual([])
    letGo()
    await sent
    await harness.until('run-finished', 1)
  })

  it('[RUN24, STOP1] is stopped by a stop that comes while it is written', async () => {
    const { line, asked, letGo } = heldBeginnings()
    const harness = await openAlone([[...begins('Hello'), { type: 'wait' }]], { line })
    const sent = harness.send('Hi', 'send-1')
    await asked
    const stopped = harness.stop('stop-1')
    letGo()
    await sent
    expect((await stopped).accepted).toBe(true)
    await vi.waitFor(() => expect(harness.model.abortedCount()).toBe(1))
    harness.model.proceed()
    await harness.until('run-finished', 1)
    expect((await harness.log()).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'stopped' })
  })

  it('[RUN24] waits no longer than 20 ms for what is slow', async () => {
    const slow = Promise.withResolvers<string>()
    const facts: readonly FactSource[] = [{ section: 'time', budgetTokens: 100, textNow: () => slow.promise }]
    const harness = await openAlone([says('Hello')], { ports: { facts } })
    const sent = harness.send('Hi', 'send-1')
    await harness.clock.advance(19)
    expect(harness.appends).toEqual([])
    await harness.clock.advance(1)
    await sent
    expect(harness.appends).toEqual([BEGINNING.slice(0, 4)])
    slow.resolve('Monday')
    await harness.until('run-finished', 1)
    expect(harness.appends[1]).toEqual(BEGINNING.slice(4))
  })

  it('[RUN24] is decided again as a whole where something else was written first', async () => {
    let isFirst = true
    const line: AppendLine = async (append, store) => {
      const { conversationId, after, at } = append
      if (isFirst && append.entries.length > 1 && append.entries[0]?.type === 'input-admitted') {
        isFirst = false
        const input = { inputId: 'input_x', lane: 'turn', origin: 'api' } as const
        const content = [{ type: 'text', text: 'Before' } as const]
        const entries = [{ type: 'input-admitted', actor: person, commandId: 'other', ...input, content } as const]
        await store.append({ conversationId, after, at, entries })
      }
      return store.append(append)
    }
    const harness = await openAlone([says('One'), says('Two')], { line })
    const sent = await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 2)
    expect(sent.seq).toBe(3)
    expect(harness.faults).toEqual([])
    const messages = (await harness.log()).filter((entry) => entry.type === 'user-message-sent')
    expect(messages.map(({ inputId }) => inputId)).toEqual(['input_x', sent.inputId])
    expect((await harness.types()).filter((type) => type === 'input-admitted')).toHaveLength(2)
    expect(harness.model.requests).toHaveLength(2)
  })

  it('[RUN24, LOG4] has no second effect when it comes again', async () => {
    const harness = await openAlone([says('One'), says('Two')])
    const sent = await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    const before = await harness.log()
    await untilLeaseIsBack(harness)
    expect(await harness.send('Hi', 'send-1')).toEqual(sent)
    await untilLeaseIsBack(harness)
    expect(await harness.log()).toEqual(before)
    expect(harness.model.requests).toHaveLength(1)
    await expect(harness.send('Other words', 'send-1')).rejects.toMatchObject({ code: 'command-reused' })
    expect(harness.faults).toEqual([])
  })

  it('[RUN24, LOG8] is not acknowledged, shown or asked where the store cannot write it', async () => {
    const line: AppendLine = async (append, store) => {
      if (append.entries[0]?.type === 'input-admitted') throw new StoreWriteError('disk-full', 'The disk is full')
      return store.append(append)
    }
    const harness = await openAlone([says('One')], { line })
    await expect(harness.send('Hi', 'send-1')).rejects.toThrow('The disk is full')
    await harness.engine.close()
    expect(await harness.types()).toEqual(['conversation-created'])
    expect(harness.messages.slice(1).map(({ type }) => type)).toEqual(['write-failed'])
    expect(harness.model.requests).toEqual([])
  })

  it('[RUN24, LOG10] is admitted, and not answered, where the lease went elsewhere before it was written', async () => {
    let isFirst = true
    const line: AppendLine = async (append, store) => {
      if (isFirst && append.entries.length > 1 && append.entries[0]?.type === 'input-admitted') {
        isFirst = false
        await store.endLeases()
        await store.acquireLease({ conversationId: append.conversationId, holder: 'another', ttlMs: 10_000 })
      }
      return store.append(append)
    }
    const harness = await openAlone([says('One')], { line })
    await harness.send('Hi', 'send-1')
    await harness.engine.close()
    expect(await harness.types()).toEqual(['conversation-created', 'input-admitted'])
    expect(harness.model.requests).toEqual([])
  })

  it('[RUN24] keeps its place before one that is sent right behind it', async () => {
    const harness = await openAlone([says('One'), says('Two')])
    const sent = await Promise.all([harness.send('First', 'send-1'), harness.send('Second', 'send-2')])
    await harness.until('run-finished', 2)
    expect(sent.map(({ seq }) => seq)).toEqual([2, 8])
    const messages = (await harness.log()).filter((entry) => entry.type === 'user-message-sent')
    expect(messages.map(({ inputId }) => inputId)).toEqual(sent.map(({ inputId }) => inputId))
  })
})

describe('a log that was written with beginnings in one append', () => {
  const cases: Readonly<Record<string, (harness: Harness) => Promise<void>>> = {
    'two turns': async ({ send, until }) => {
      await send('Hi', 'send-1')
      // The turn, and its title.
      await until('run-finished', 2)
      await send('And?', 'send-2')
      await until('run-finished', 3)
    },
    'a call': async ({ send, until }) => {
      await send('Look', 'send-1')
      await until('run-finished', 1)
    },
    'a held queue and an archived conversation': async ({ engine, conversationId, send, until }) => {
      await engine.holdQueue({ commandId: 'hold', actor: person, conversationId })
      await engine.changeConversation({ commandId: 'archive', actor: person, conversationId, archived: true })
      await send('Hi', 'send-1')
      await until('run-finished', 1)
    },
    'a budget that does not reach': async ({ engine, conversationId, send, until }) => {
      const change = { commandId: 'model', actor: person, conversationId, changes: { budgetUsd: 0 } }
      await engine.changeSettings(change)
      await send('Hi', 'send-1')
      await until('run-finished', 1)
    },
    'a schedule that interrupts': async ({ engine, conversationId, until }) => {
      const content = [{ type: 'text', text: 'Now' } as const]
      const message = { commandId: 'send-1', actor: person, conversationId, content, origin: 'schedule' } as const
      await engine.sendMessage({ ...message, lane: 'interrupt' })
      await until('run-finished', 1)
    },
  }

  it.each(Object.entries(cases))('[RUN24] is entry for entry as without: %s', async (_, play) => {
    const logOf = async (isAlone: boolean): Promise<readonly Entry[]> => {
      const looking = calls({ callId: 'c1', name: 'look', input: { path: 'a' } })
      const scripts = [looking, says('One'), says('A title'), says('Two')]
      const ports = { facts: [timeFact], ...(isAlone ? { isAlone: true as const } : {}) }
      const harness = await openHarness(scripts, [tool], 100_000, { ports, autoTitles: true })
      await play(harness)
      await harness.engine.close()
      return harness.log()
    }
    const log = await logOf(true)
    expect(log.length).toBeGreaterThan(5)
    expect(log).toEqual(await logOf(false))
  })
})

/** Its worker gives the lease back after the end of the run. */
async function untilLeaseIsBack({ store, conversationId }: Harness): Promise<void> {
  const lease = await vi.waitFor(async () => {
    const taken = await store.acquireLease({ conversationId, holder: 'test', ttlMs: 1_000 })
    return taken ?? Promise.reject(new Error('The lease is held'))
  })
  await store.releaseLease(lease)
}
