import type { EntryOf } from '@holdfast/conversation'
import { createScriptedModel, says } from '@holdfast/engine/testing'
import { UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { defineTool, type LentAnswer, type LoanRequest } from '@holdfast/tool'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openHarness } from './support/harness.ts'
import { LISTED_PRICE } from './support/metered-model.ts'
import { calls } from './support/tools.ts'

const wish: LoanRequest = {
  source: 'paint',
  system: 'You name colours.',
  messages: [
    { role: 'user', text: 'Which colour?' },
    { role: 'user', text: 'In one word.' },
  ],
  maxOutputTokens: 100_000,
}

/** A conversation whose tool asks for the model, with the answers that the model gives. */
async function open(scripts: Parameters<typeof createScriptedModel>[0], wished = wish) {
  const told: LentAnswer[] = []
  const tool = defineTool({
    name: 'paint',
    description: 'Paints.',
    input: z.object({}),
    category: 'read',
    timeoutMs: 60_000,
    async run(_, { person, signal }) {
      const answer = await person?.lendModel?.(wished, { signal })
      if (answer) told.push(answer)
      return JSON.stringify(answer)
    },
  })
  const port = createScriptedModel([calls({ callId: 'c1', name: 'paint', input: {} }), ...scripts])
  const facts = withOverride(UNKNOWN_MODEL, { price: LISTED_PRICE })
  const model = { modelId: 'priced', providerModelId: 'priced', name: 'Priced', port, facts }
  const harness = await openHarness([], [tool], null, { ports: { models: () => [model] } })
  const { engine, conversationId } = harness
  await harness.send('Paint the secret canary', 'send-1')
  const of = async <Type extends 'question-asked' | 'usage-recorded'>(type: Type) =>
    (await harness.log()).filter((entry): entry is EntryOf<Type> & typeof entry => entry.type === type)
  return {
    ...harness,
    model: port,
    told,
    of,
    async answer(action: 'accept' | 'decline') {
      await harness.until('question-asked', 1)
      const [asked] = await of('question-asked')
      const actor = { type: 'person', userId: 'user_1' } as const
      const about = { commandId: 'answer', actor, conversationId, questionId: asked?.questionId ?? '', action }
      await engine.answerQuestion({ ...about, ...(action === 'accept' ? { content: {} } : {}) })
      return asked
    },
  }
}

describe('the model that is lent to what a call speaks to', () => {
  it('[TOOL13] answers once a person has seen all words and the price, and knows nothing of the conversation', async () => {
    const harness = await open([says('Blue'), says('Done')])
    await harness.until('question-asked', 1)
    expect(harness.model.requests).toHaveLength(1)
    const asked = await harness.answer('accept')
    await harness.until('run-finished', 1)
    for (const shown of ['paint', 'Priced', 'about $', 'You name colours.', 'Which colour?', 'In one word.'])
      expect(asked?.message).toContain(shown)
    expect(harness.told).toEqual([{ type: 'answered', text: 'Blue', modelId: 'priced', isCut: false }])
    expect(harness.model.requests[1]).toMatchObject({
      system: 'You name colours.',
      tools: [],
      maxOutputTokens: 4_096,
      messages: [{ role: 'user', parts: [{ text: 'Which colour?' }, { text: 'In one word.' }] }],
    })
    expect(JSON.stringify(harness.model.requests[1])).not.toContain('canary')
    // Nor does the conversation hold it, but for what the tool makes of it.
    expect(
      harness.messages
        .filter(({ type }) => type === 'delta')
        .map((one) => JSON.stringify(one))
        .join(),
    ).not.toContain('Blue')
  })

  it('[COST1, COST4] is paid for here, by a record of its own that moves no context', async () => {
    const harness = await open([says('Blue'), says('Done')])
    await harness.answer('accept')
    await harness.until('run-finished', 1)
    const records = await harness.of('usage-recorded')
    expect(records.map(({ purpose }) => purpose)).toEqual(['turn', 'sampling', 'turn'])
    expect(records[1]).toMatchObject({ modelId: 'priced', outcome: 'completed', priceReference: 'list' })
    expect(records[1]?.costUsd).toBeGreaterThan(0)
  })

  it('[TOOL13] asks the model nothing where the person declines', async () => {
    const harness = await open([says('Done')])
    await harness.answer('decline')
    await harness.until('run-finished', 1)
    expect(harness.told).toEqual([{ type: 'refused', reason: 'The person declined' }])
    expect(harness.model.requests).toHaveLength(2)
    expect((await harness.of('usage-recorded')).map(({ purpose }) => purpose)).toEqual(['turn', 'turn'])
  })

  it('[COST7] is not lent past a budget, though a person agreed', async () => {
    const harness = await open([says('Done')])
    await harness.until('question-asked', 1)
    const actor = { type: 'person', userId: 'user_1' } as const
    const { engine, conversationId } = harness
    await engine.changeSettings({ commandId: 'budget', actor, conversationId, changes: { budgetUsd: 0.000_001 } })
    await harness.answer('accept')
    await harness.until('run-finished', 1)
    expect(harness.told).toMatchObject([{ type: 'refused', reason: expect.stringContaining('budget') }])
    expect(harness.model.requests).toHaveLength(1)
  })

  it.each([
    ['more than a person is shown', { ...wish, system: 'x'.repeat(4_000) }, 'a person is shown 3500'],
    ['nothing to answer', { ...wish, messages: [{ role: 'assistant', text: 'Well' }] as const }, 'cannot be sent'],
  ])('[TOOL13] is refused before anybody is asked: %s', async (_, wished, reason) => {
    const harness = await open([says('Done')], wished)
    await harness.until('run-finished', 1)
    expect(harness.told).toMatchObject([{ type: 'refused', reason: expect.stringContaining(reason) }])
    expect(await harness.of('question-asked')).toEqual([])
  })

  it('[STOP6, STOP8] a stop ends its request, which is still paid for, before the run is over', async () => {
    const harness = await open([[{ type: 'wait' }], says('Done')])
    await harness.answer('accept')
    await expect.poll(() => harness.model.requests.length).toBe(2)
    await harness.stop('stop-1')
    await expect.poll(() => harness.model.abortedCount()).toBe(1)
    harness.model.proceed()
    await harness.until('run-finished', 1)
    const types = await harness.types()
    const [, lent] = await harness.of('usage-recorded')
    expect(lent).toMatchObject({ purpose: 'sampling', outcome: 'stopped', measured: false })
    expect(types.lastIndexOf('usage-recorded')).toBeLessThan(types.indexOf('run-finished'))
  })

  it('[COST9, COST1] that a kill cut has its record all the same, and is closed once', async () => {
    const before = await open([[{ type: 'wait' }]])
    await before.answer('accept')
    await expect.poll(() => before.model.requests.length).toBe(2)
    const harness = await before.restart([])
    await harness.store.endLeases()
    await harness.engine.recover()
    await harness.until('run-finished', 1)
    const records = (await harness.log()).flatMap((entry) => (entry.type === 'usage-recorded' ? [entry] : []))
    expect(records).toMatchObject([
      { purpose: 'turn' },
      { purpose: 'sampling', outcome: 'interrupted', measured: false },
    ])
    expect(records[1]?.inputTokens).toBeGreaterThan(0)
    expect(records[1]?.costUsd).toBeGreaterThan(0)
    const { length } = await harness.log()
    await harness.engine.recover()
    expect(await harness.log()).toHaveLength(length)
  })
})
