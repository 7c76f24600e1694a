import { StoreWriteError } from '@holdfast/conversation'
import { type ModelPart, type ModelPort, type StreamPorts, UNKNOWN_MODEL } from '@holdfast/provider'
import { describe, expect, it, vi } from 'vitest'
import { type Harness, type HarnessOptions, openHarness } from './support/harness.ts'

const STARTED: ModelPart = { type: 'block-started', block: 0, start: { type: 'text' } }
const ENDED: ModelPart = { type: 'block-ended', block: 0 }
const FINISH: ModelPart = { type: 'finish', finish: 'end' }
const says = (text: string): ModelPart => ({ type: 'block-delta', block: 0, text })

/** A source that a test plays by hand. */
interface Played {
  readonly harness: Harness
  /** What it was asked with. */
  readonly ports: StreamPorts
  /** What has been published so far. */
  published(): string
  answerText(): Promise<string | undefined>
  /** Ends the promise of the call. */
  end(): void
}

async function play(lineTo: NonNullable<HarnessOptions['lineTo']>): Promise<Played> {
  const asked = Promise.withResolvers<StreamPorts>()
  const ended = Promise.withResolvers<void>()
  const port: ModelPort = {
    providerId: 'played',
    stream(_request, ports) {
      asked.resolve(ports)
      return ended.promise
    },
  }
  const models = () => [{ modelId: 'm', providerModelId: 'm', name: 'M', port, facts: UNKNOWN_MODEL }]
  const harness = await openHarness([], [], null, { ports: { models }, lineTo })
  await harness.send('Hi', 'send-1')
  return {
    harness,
    ports: await asked.promise,
    published: () => harness.messages.map((message) => (message.type === 'delta' ? message.delta.text : '')).join(''),
    async answerText() {
      const entry = (await harness.log()).find(({ type }) => type === 'step-finished')
      return entry?.type === 'step-finished' && entry.blocks[0]?.type === 'text' ? entry.blocks[0].text : undefined
    },
    end: ended.resolve,
  }
}

describe('a part of an answer', () => {
  it('[RUN18] is published and in the open draft before the call that handed it on returns', async () => {
    const { harness, ports, published, end } = await play((store) => store)
    expect(ports.onPart(STARTED)).toBeUndefined()
    expect(ports.onPart(says('One'))).toBeUndefined()
    expect(published()).toBe('One')
    expect(harness.engine.openDraft(harness.conversationId)?.blocks).toMatchObject([{ text: 'One' }])
    void ports.onPart(FINISH)
    end()
    await harness.until('run-finished', 1)
  })

  it('[RUN18, RUN3] asks for a pause where more has gathered than may be lost, until that is durable', async () => {
    const gate = Promise.withResolvers<void>()
    let isHeld = false
    const { harness, ports, end } = await play((store) => ({
      ...store,
      async appendDrafts(chunks) {
        if (isHeld) await gate.promise
        return store.appendDrafts(chunks)
      },
    }))
    void ports.onPart(STARTED)
    await harness.clock.advance(100)
    expect(await harness.store.readDrafts(harness.conversationId)).toHaveLength(1)
    isHeld = true
    let isPaused = true
    const pause = ports.onPart(says('x'.repeat(5_000)))?.then(() => {
      isPaused = false
    })
    expect(pause).toBeDefined()
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    expect(isPaused).toBe(true)
    gate.resolve()
    await pause
    const [draft] = await harness.store.readDrafts(harness.conversationId)
    expect(draft?.deltas.map(({ text }) => text).join('')).toHaveLength(5_000)
    void ports.onPart(FINISH)
    end()
    await harness.until('run-finished', 1)
  })

  it('[RUN19, LOG8] that the store refuses ends the step, also where the source passes over it and goes on', async () => {
    const refused = new StoreWriteError('unreachable', 'The disk is away')
    let isAway = false
    const { harness, ports, published, answerText, end } = await play((store) => ({
      ...store,
      async appendDrafts(chunks) {
        if (isAway) throw refused
        return store.appendDrafts(chunks)
      },
    }))
    const words = 'x'.repeat(5_000)
    void ports.onPart(STARTED)
    await harness.clock.advance(100)
    expect(await harness.store.readDrafts(harness.conversationId)).toHaveLength(1)
    isAway = true
    await expect(ports.onPart(says(words))).rejects.toBe(refused)
    expect(ports.onPart(says('more'))).toBeUndefined()
    void ports.onPart(FINISH)
    end()
    await harness.until('run-finished', 1)
    expect(published()).toBe(words)
    expect(await answerText()).toBe(words)
    expect((await harness.log()).find(({ type }) => type === 'step-failed')).toMatchObject({
      error: { code: 'internal', message: 'The disk is away' },
    })
  })

  it('[RUN19] that comes after the end of its answer is taken by nobody', async () => {
    const { harness, ports, published, answerText, end } = await play((store) => store)
    for (const part of [STARTED, says('All'), ENDED, FINISH]) void ports.onPart(part)
    end()
    await harness.until('run-finished', 1)
    void ports.onPart({ ...STARTED, block: 1 })
    void ports.onPart({ type: 'block-delta', block: 1, text: ' and more' })
    await harness.clock.advance(1_000)
    expect(published()).toBe('All')
    expect(await answerText()).toBe('All')
    expect(await harness.store.readDrafts(harness.conversationId)).toEqual([])
    expect(harness.engine.openDraft(harness.conversationId)).toBeNull()
  })

  it('[RUN19, STOP4] that a source sends after the stop, which it ignores, is taken by nobody', async () => {
    const { harness, ports, published, answerText } = await play((store) => store)
    void ports.onPart(STARTED)
    void ports.onPart(says('Half'))
    // In the same call as the stop: the run has not gone on yet.
    ports.signal.addEventListener('abort', () => void ports.onPart(says(' too late')))
    await harness.stop('stop-1')
    await vi.waitFor(() => expect(ports.signal.aborted).toBe(true))
    void ports.onPart(says(' and later'))
    await harness.clock.advance(6_000)
    await harness.until('run-finished', 1)
    void ports.onPart(says(' later still'))
    await harness.clock.advance(1_000)
    expect(published()).toBe('Half')
    expect(await answerText()).toBe('Half')
    expect(await harness.store.readDrafts(harness.conversationId)).toEqual([])
    expect(harness.faults).toEqual([])
  })
})
