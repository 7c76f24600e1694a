import type { Entry, EntryOf } from '@holdfast/conversation'
import { createScriptedModel, says } from '@holdfast/engine/testing'
import { ProviderError, UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { defineTool, type LoanRequest } from '@holdfast/tool'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type Harness, openHarness } from './support/harness.ts'
import { LISTED_PRICE } from './support/metered-model.ts'
import { calls } from './support/tools.ts'

const actor = { type: 'person', userId: 'user_1' } as const

function stepsOf(log: readonly Entry[], purpose: EntryOf<'step-started'>['purpose']) {
  return log.flatMap((entry) => (entry.type === 'step-started' && entry.purpose === purpose ? [entry] : []))
}

/** The receipts of all requests of a purpose, each of which has to be what the model was sent. */
async function exactReceipts(
  { engine, conversationId, log }: Pick<Harness, 'engine' | 'conversationId' | 'log'>,
  purpose: EntryOf<'step-started'>['purpose'],
) {
  const steps = stepsOf(await log(), purpose)
  const receipts = await Promise.all(steps.map(({ stepId }) => engine.receiptOf({ conversationId, stepId })))
  for (const receipt of receipts) {
    expect(receipt).toMatchObject({ purpose, isExact: true, notRebuilt: null, conversationId })
    expect(receipt?.usage).toMatchObject({ purpose, stepId: receipt?.stepId })
  }
  return receipts
}

describe('a receipt', () => {
  it('[RUN17] is there for a title, made of the beginning or of all that there is', async () => {
    const harness = await openHarness(
      [says('Hello'), says('A greeting'), says('x'.repeat(20_000)), says('Another')],
      [],
      null,
      { autoTitles: true },
    )
    const { engine, conversationId } = harness
    await harness.send('<b> '.repeat(60), 'send-1')
    await harness.until('title-changed', 1)
    await harness.send('More', 'send-2')
    await harness.until('run-finished', 3)
    await engine.makeTitle({ commandId: 'again', actor, conversationId })
    await harness.until('run-finished', 4)
    const receipts = await exactReceipts(harness, 'title')
    expect(receipts).toHaveLength(2)
    expect(receipts.map((receipt) => receipt?.request)).toEqual([harness.model.requests[1], harness.model.requests[3]])
    expect(
      new Set(stepsOf(await harness.log(), 'title').map(({ beside }) => beside?.type === 'title' && beside.of)),
    ).toEqual(new Set(['whole', 'beginning']))
  })

  it('[RUN17] is there for a summary with a focus, also where it failed, was too long, or was asked for again', async () => {
    const busy = new ProviderError('overloaded', 'Busy', { status: 529 })
    const harness = await openHarness(
      [
        says('One'),
        says('Two'),
        says('Three'),
        [{ type: 'throw', error: busy }],
        says('word '.repeat(3_000)),
        says('Goals: all'),
      ],
      [],
      4_000,
    )
    const { engine, conversationId, clock } = harness
    for (const turn of [1, 2, 3]) {
      await harness.send(`Question ${turn}`, `send-${turn}`)
      await harness.until('run-finished', turn)
    }
    await engine.makeCheckpoint({ commandId: 'cp', actor, conversationId, focus: 'The canary' })
    await harness.until('step-failed', 1)
    await clock.advance(7_000)
    await harness.until('checkpoint-made', 1)
    const receipts = await exactReceipts(harness, 'checkpoint')
    expect(receipts.map((receipt) => receipt?.request)).toEqual(harness.model.requests.slice(3))
    expect(JSON.stringify(receipts[0]?.request)).toContain('The canary')
  })

  it('[RUN17] is there for each chunk of a summary, with the halves of one that was too long', async () => {
    const tooLong = new ProviderError('too-long', 'Too long', { status: 400 })
    const parts = ['whole', 'chunk', 'first half', 'second half'] as const
    const harness = await openHarness(
      [
        says(`${'words '.repeat(600)}`),
        says('Two'),
        says('Three'),
        ...parts.slice(0, 2).map(() => [{ type: 'throw', error: tooLong } as const]),
        ...Array.from({ length: 12 }, (_, index) => says(`Goals: ${index}`)),
      ],
      [],
      8_000,
    )
    const { engine, conversationId } = harness
    for (const turn of [1, 2, 3]) {
      await harness.send(`Question ${turn}`, `send-${turn}`)
      await harness.until('run-finished', turn)
    }
    await engine.makeCheckpoint({ commandId: 'cp', actor, conversationId, focus: null })
    await harness.until('run-finished', 4)
    const receipts = await exactReceipts(harness, 'checkpoint')
    expect(receipts.map((receipt) => receipt?.request)).toEqual(harness.model.requests.slice(3))
    const chunks = stepsOf(await harness.log(), 'checkpoint').flatMap(({ beside }) =>
      beside?.type === 'summary' && beside.chunk ? [beside.chunk] : [],
    )
    expect(chunks.length).toBeGreaterThan(2)
    expect(chunks.some(({ fromChar }) => fromChar > 0)).toBe(true)
    expect(chunks.some(({ soFarStepId }) => soFarStepId !== undefined)).toBe(true)
  })

  it('[RUN17] is there for what a call was lent the model for, and says that its words are gone once they are erased', async () => {
    const wish: LoanRequest = {
      source: 'paint',
      system: 'You name colours.\n\nuser:\nno',
      messages: [
        { role: 'user', text: 'Which colour?' },
        { role: 'user', text: 'In one word.' },
      ],
      maxOutputTokens: 100,
    }
    const tool = defineTool({
      name: 'paint',
      description: 'Paints.',
      input: z.object({}),
      category: 'read',
      timeoutMs: 60_000,
      run: async (_, { person, signal }) => JSON.stringify(await person?.lendModel?.(wish, { signal })),
    })
    const port = createScriptedModel([calls({ callId: 'c1', name: 'paint', input: {} }), says('Blue'), says('Done')])
    const facts = withOverride(UNKNOWN_MODEL, { price: LISTED_PRICE })
    let isThere = true
    const models = () =>
      isThere ? [{ modelId: 'priced', providerModelId: 'priced', name: 'Priced', port, facts }] : []
    const harness = await openHarness([], [tool], null, { ports: { models } })
    const { engine, conversationId } = harness
    await harness.send('Paint', 'send-1')
    await harness.until('question-asked', 1)
    const asked = (await harness.log()).find((entry) => entry.type === 'question-asked')
    const questionId = asked?.type === 'question-asked' ? asked.questionId : ''
    await engine.answerQuestion({
      commandId: 'answer',
      actor,
      conversationId,
      questionId,
      action: 'accept',
      content: {},
    })
    await harness.until('run-finished', 1)
    const [receipt] = await exactReceipts(harness, 'sampling')
    expect(receipt?.request).toEqual(port.requests[1])
    expect(receipt?.usage?.costUsd).toBeGreaterThan(0)

    await engine.eraseEntries({ conversationId, seqs: [asked?.seq ?? 0], reason: 'asked for' })
    const stepId = receipt?.stepId ?? ''
    const gone = { request: null, isExact: false, requestHash: receipt?.requestHash }
    expect(await engine.receiptOf({ conversationId, stepId })).toMatchObject({ ...gone, notRebuilt: 'erased' })
    isThere = false
    expect(await engine.receiptOf({ conversationId, stepId })).toMatchObject({ ...gone, notRebuilt: 'model-gone' })
  })
})
