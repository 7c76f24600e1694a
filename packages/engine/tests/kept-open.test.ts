import { type EntryStore, StoreReadError } from '@holdfast/conversation'
import { UnknownConversationError } from '@holdfast/engine'
import { begins, says } from '@holdfast/engine/testing'
import { describe, expect, it, vi } from 'vitest'
import { type Harness, type HarnessOptions, openHarness } from './support/harness.ts'

const person = { type: 'person', userId: 'user_1' } as const

/** Counts what an engine reads of logs. */
function countedReads(): { readonly lineTo: (store: EntryStore) => EntryStore; readonly reads: string[] } {
  const reads: string[] = []
  return {
    reads,
    lineTo: (store) => ({
      ...store,
      read(query) {
        reads.push('read')
        return store.read(query)
      },
      readSnapshots(conversationId) {
        reads.push('readSnapshots')
        return store.readSnapshots(conversationId)
      },
    }),
  }
}

const alone: HarnessOptions = { ports: { isAlone: true } }

async function openAlone(scripts: Parameters<typeof openHarness>[0], options: HarnessOptions = {}) {
  return openHarness(scripts, [], null, { ...alone, ...options })
}

function createMany({ engine }: Harness, count: number, instructions: string): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, number) => `many_${number}`)
  return Promise.all(
    ids.map(async (conversationId) => {
      const command = { commandId: conversationId, actor: person, ownerId: 'user_1', title: null, modelId: null }
      await engine.createConversation({ ...command, conversationId, settings: { instructions } })
      return conversationId
    }),
  )
}

function requestText({ model }: Harness): string {
  return JSON.stringify(model.requests.at(-1)?.messages)
}

describe('a conversation that stays open', () => {
  it('[RUN20] is not read again for its turns, and not looked at while one runs', async () => {
    const { lineTo, reads } = countedReads()
    const harness = await openAlone([says('One'), [...begins('Two'), { type: 'wait' }, ...says('Two').slice(2)]], {
      lineTo,
    })
    reads.length = 0
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    await harness.send('And?', 'send-2')
    await harness.untilPublished('Two')
    await harness.clock.advance(5_000)
    harness.model.proceed()
    await harness.until('run-finished', 2)
    await harness.engine.close()
    expect(reads).toEqual([])
    expect(requestText(harness)).toContain('Hi')
  })

  it('[RUN20] is read again where others may write too', async () => {
    const { lineTo, reads } = countedReads()
    const harness = await openHarness([says('One')], [], null, { lineTo })
    reads.length = 0
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    await harness.engine.close()
    expect(reads).toContain('readSnapshots')
    expect(harness.engine.knownOwner(harness.conversationId)).toBeNull()
  })

  it('[RUN20] says whose it is', async () => {
    const harness = await openAlone([])
    const { engine, conversationId } = harness
    expect(engine.knownOwner(conversationId)).toBe('user_1')
    expect(engine.knownOwner('another')).toBeNull()
    await expect(engine.holdQueue({ commandId: 'hold', actor: person, conversationId: 'another' })).rejects.toThrow(
      UnknownConversationError,
    )
    expect(engine.knownOwner('another')).toBeNull()
  })

  it('[RUN21] is one of at most 500 that nobody uses: those used least recently are closed', async () => {
    const harness = await openAlone([])
    const { engine, conversationId } = harness
    const ids = await createMany(harness, 499, '')
    expect(engine.knownOwner(conversationId)).toBe('user_1')
    await engine.holdQueue({ commandId: 'hold', actor: person, conversationId })
    await engine.createConversation({
      commandId: 'last',
      actor: person,
      ownerId: 'user_1',
      title: null,
      modelId: null,
      conversationId: 'last',
    })
    expect([ids[0], ids[1], conversationId, 'last'].map((id) => engine.knownOwner(id ?? ''))).toEqual([
      null,
      'user_1',
      'user_1',
      'user_1',
    ])
  })

  it('[RUN21] is closed where those that nobody uses hold more than 32 MiB', async () => {
    const harness = await openAlone([])
    const ids = await createMany(harness, 200, 'x'.repeat(90_000))
    const open = ids.filter((id) => harness.engine.knownOwner(id) !== null)
    expect(open.length).toBeGreaterThan(10)
    expect(open.length).toBeLessThan(190)
    expect(open).toEqual(ids.slice(-open.length))
  })

  it('[RUN21] is not pushed out by those that there are not', async () => {
    const { engine, conversationId } = await openAlone([])
    const missing = Array.from({ length: 510 }, (_, number) => `missing_${number}`)
    const asked = missing.map((id) => engine.holdQueue({ commandId: 'hold', actor: person, conversationId: id }))
    expect((await Promise.allSettled(asked)).every(({ status }) => status === 'rejected')).toBe(true)
    expect(engine.knownOwner(conversationId)).toBe('user_1')
  })

  it('[RUN22, LOG9] holds nothing that was erased', async () => {
    const harness = await openAlone([says('One'), says('Two')])
    const { engine, conversationId } = harness
    const { seq } = await harness.send('My number is 4711', 'send-1')
    await harness.until('run-finished', 1)
    // Its worker gives the lease back after the end of the run.
    await vi.waitFor(() => engine.eraseEntries({ conversationId, seqs: [seq], reason: 'asked for' }))
    await harness.send('Go on', 'send-2')
    await harness.until('run-finished', 2)
    expect(requestText(harness)).toContain('Go on')
    expect(requestText(harness)).not.toContain('4711')
  })

  it('[RUN22, LOG9] holds nothing that was erased where it cannot be read anew at once', async () => {
    let isUnreadable = false
    const lineTo = (store: EntryStore): EntryStore => ({
      ...store,
      async erase(erasure) {
        isUnreadable = true
        return store.erase(erasure)
      },
      async readSnapshots(conversationId) {
        if (isUnreadable) throw new StoreReadError('The disk does not answer')
        return store.readSnapshots(conversationId)
      },
    })
    const harness = await openAlone([says('One'), says('Two')], { lineTo })
    const { engine, conversationId } = harness
    const { seq } = await harness.send('My number is 4711', 'send-1')
    await harness.until('run-finished', 1)
    const erase = () => engine.eraseEntries({ conversationId, seqs: [seq], reason: 'asked for' })
    await vi.waitFor(() => expect(erase()).rejects.toThrow('The disk does not answer'))
    isUnreadable = false
    await harness.send('Go on', 'send-2')
    await harness.until('run-finished', 2)
    expect(requestText(harness)).not.toContain('4711')
  })

  it('[RUN22, LOG9] is closed when it is deleted', async () => {
    const { engine, conversationId, send } = await openAlone([])
    await engine.deleteConversation(conversationId)
    expect(engine.knownOwner(conversationId)).toBeNull()
    await expect(send('Hi', 'send-1')).rejects.toThrow(UnknownConversationError)
  })

  it('[RUN22] is read anew when something else has written into its log, or deleted it', async () => {
    const { engine, conversationId, store, until, log } = await openAlone([says('One')])
    const content = [{ type: 'text', text: 'From elsewhere' } as const]
    const input = { inputId: 'input_x', lane: 'turn', origin: 'api', content } as const
    const entries = [{ type: 'input-admitted', actor: person, commandId: 'other', ...input } as const]
    await store.append({ conversationId, after: (await log()).length, entries, at: 1_000 })
    engine.forgetLog(conversationId)
    await engine.resume(conversationId)
    await until('run-finished', 1)
    await engine.close()
    await store.deleteConversation(conversationId, 2_000)
    engine.forgetLog(conversationId)
    expect(engine.knownOwner(conversationId)).toBeNull()
  })
})

describe('a conversation that stays open though another process has become its owner', () => {
  it('[RUN23] catches up before it writes', async () => {
    const first = await openAlone([says('One'), says('Three')])
    await first.send('First', 'send-1')
    await first.until('run-finished', 1)
    const second = first.beside([says('Two')])
    await second.send('Second', 'send-2')
    await first.until('run-finished', 2)
    await second.engine.close()
    await first.send('Third', 'send-3')
    await first.until('run-finished', 3)
    await first.engine.close()
    expect(requestText(first)).toMatch(/First.*One.*Second.*Two.*Third/)
    expect(first.faults).toEqual([])
    expect((await first.log()).map(({ seq }) => seq)).toEqual((await first.log()).map((_, index) => index + 1))
  })

  it('[RUN23, LOG10] writes nothing of a run while the other has the lease', async () => {
    const first = await openAlone([says('One'), says('Two')])
    const { conversationId, store } = first
    await first.send('First', 'send-1')
    await first.until('run-finished', 1)
    const lease = await vi.waitFor(async () => {
      const taken = await store.acquireLease({ conversationId, holder: 'another', ttlMs: 10_000 })
      return taken ?? Promise.reject(new Error('The lease is held'))
    })
    await first.send('Second', 'send-2')
    await first.clock.advance(1_000)
    expect((await first.types()).slice(-2)).toEqual(['run-finished', 'input-admitted'])
    expect(first.model.requests).toHaveLength(1)
    await store.releaseLease(lease)
    await first.engine.resume(conversationId)
    await first.until('run-finished', 2)
    await first.engine.close()
    expect(first.faults).toEqual([])
  })
})
