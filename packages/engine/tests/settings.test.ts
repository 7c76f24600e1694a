import { type Json, type SomeSettings, settingsOver, USUAL_SETTINGS } from '@holdfast/conversation'
import type { FactSource } from '@holdfast/engine'
import { createScriptedModel, type ScriptedModel, says } from '@holdfast/engine/testing'
import { type ModelFactsOverride, UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { type Harness, type HarnessOptions, openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const actor = { type: 'person', userId: 'user_1' } as const

const LARGE: ModelFactsOverride = {
  contextWindowTokens: 200_000,
  maxOutputTokens: 64_000,
  capabilities: { thinking: true },
}
const SMALL: ModelFactsOverride = {
  contextWindowTokens: 100_000,
  maxOutputTokens: 8_192,
  capabilities: { thinking: false },
}

interface Set extends Harness {
  readonly asked: ScriptedModel['requests']
  /** What is set for the installation; it may change at any moment. */
  readonly installation: { set: SomeSettings }
  change(commandId: string, changes: Readonly<Record<string, Json>>): Promise<void>
}

/** A conversation that may be answered by a large model or by a small one. */
async function open(scripts: Parameters<typeof createScriptedModel>[0]): Promise<Set> {
  const port = createScriptedModel(scripts)
  const choice = (modelId: string, facts: ModelFactsOverride) => ({
    modelId,
    providerModelId: modelId,
    name: modelId,
    port,
    facts: withOverride(UNKNOWN_MODEL, facts),
  })
  const installation: Set['installation'] = { set: {} }
  const ports: NonNullable<HarnessOptions['ports']> = {
    models: () => [choice('large', LARGE), choice('small', SMALL)],
    settings: () => settingsOver(USUAL_SETTINGS, installation.set),
  }
  const { tool } = testTool({ name: 'read', category: 'read' })
  const harness = await openHarness([], [tool], null, { ports })
  const { engine, conversationId } = harness
  return {
    ...harness,
    asked: port.requests,
    installation,
    change: (commandId, changes) => engine.changeSettings({ commandId, actor, conversationId, changes }),
  }
}

async function turn(harness: Set, number: number): Promise<void> {
  await harness.send(`Number ${number}`, `send-${number}`)
  await harness.until('run-finished', number)
}

async function notices(harness: Set): Promise<readonly string[]> {
  return (await harness.log()).flatMap((entry) => (entry.type === 'notice-raised' ? [entry.text] : []))
}

describe('settings in the engine', () => {
  it('[COST11] keep for the answer what the request asks for: one figure', async () => {
    const harness = await open([says('A'), says('B'), says('C')])
    await turn(harness, 1)
    const { conversationId, engine } = harness
    expect(harness.asked.at(-1)?.maxOutputTokens).toBe(50_000)
    expect(await engine.contextOf(conversationId)).toMatchObject({ reservedTokens: 50_000 })
    await harness.change('shorter', { maxOutputTokens: 4_000 })
    await turn(harness, 2)
    expect(harness.asked.at(-1)?.maxOutputTokens).toBe(4_000)
    expect(await engine.contextOf(conversationId)).toMatchObject({ reservedTokens: 4_000 })
  })

  it('[COST11] keep it too where the model’s own limit is not known', async () => {
    const harness = await openHarness([says('A')], [], 200_000)
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    expect(harness.model.requests[0]?.maxOutputTokens).toBe(8_192)
    expect(await harness.engine.contextOf(harness.conversationId)).toMatchObject({ reservedTokens: 8_192 })
  })

  it.each<Readonly<Record<string, Json>>>([
    { maxOutputTokens: 999_999 },
    { parameters: { maxOutputTokens: 999_999 } },
    { thinking: 8_000, maxOutputTokens: 8_192 },
    { keptShare: 0.5, checkpointShare: 0.4 },
    { modelId: 'small', thinking: 'low' },
    { modelId: 'small', maxOutputTokens: 60_000 },
  ])('[WIN10] refuse %j of a conversation with words, and nothing of it holds', async (changes) => {
    const harness = await open([says('A')])
    const before = await harness.log()
    await expect(harness.change('wrong', changes)).rejects.toMatchObject({ code: 'settings-contradict' })
    expect(await harness.log()).toEqual(before)
    await turn(harness, 1)
    expect((await harness.log()).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'completed' })
  })

  it('[WIN10, RUN13] bound what a model that was chosen later does not reach, and say so once in a run', async () => {
    const harness = await open([says('A'), says('B')])
    await harness.change('more', { maxOutputTokens: 60_000, thinking: 'high' })
    await turn(harness, 1)
    expect(harness.asked[0]).toMatchObject({ maxOutputTokens: 60_000, thinkingBudgetTokens: 24_576 })
    expect(await notices(harness)).toEqual([])
    await harness.change('smaller', { modelId: 'small' })
    await turn(harness, 2)
    expect(harness.asked[1]).toMatchObject({ maxOutputTokens: 8_192, thinkingBudgetTokens: null })
    expect(await notices(harness)).toEqual([expect.stringMatching(/60000.*8192.*does not think/)])
    expect((await harness.log()).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'completed' })
  })

  it('[WIN10] follow the conversation, then the agent, then the installation, from the next decision on', async () => {
    const harness = await open([says('A'), says('B'), says('C'), says('D')])
    const budget = () => harness.asked.at(-1)?.thinkingBudgetTokens
    await turn(harness, 1)
    expect(budget()).toBeNull()
    harness.installation.set = { thinking: 'low' }
    await turn(harness, 2)
    expect(budget()).toBe(2_048)
    await harness.change('own', { thinking: 4_000 })
    await turn(harness, 3)
    expect(budget()).toBe(4_000)
    await harness.change('back', { thinking: null })
    await turn(harness, 4)
    expect(budget()).toBe(2_048)
  })

  it('[RUN8, WIN10] end a turn after as many steps, and leave out as many calls, as are set', async () => {
    const harness = await open([
      calls({ callId: 'call_1', name: 'read', input: { path: '/folder/a' } }),
      calls({ callId: 'call_2', name: 'read', input: { path: '/folder/b' } }),
      says('Done'),
    ])
    harness.installation.set = { stepsPerRun: 2 }
    await turn(harness, 1)
    expect((await harness.log()).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'limit' })
    expect(harness.asked).toHaveLength(2)
  })

  it('[REQ1] are in the receipt of a request, which is the same after they changed', async () => {
    const harness = await open([says('A')])
    harness.installation.set = { maxOutputTokens: 3_000, thinking: 1_024 }
    await turn(harness, 1)
    const step = (await harness.log()).find((entry) => entry.type === 'step-started')
    harness.installation.set = { thinking: 'high' }
    const { conversationId, engine } = harness
    const receipt = await engine.receiptOf({ conversationId, stepId: step?.stepId ?? '' })
    expect(receipt).toMatchObject({ isExact: true, request: { maxOutputTokens: 3_000, thinkingBudgetTokens: 1_024 } })
  })
})

it('[RUN13, WIN10] says once in a run what is less than was set, also where its first request is composed anew', async () => {
  const model = createScriptedModel([says('One')])
  const facts = withOverride(UNKNOWN_MODEL, { maxOutputTokens: 100 })
  const settings = () => settingsOver(USUAL_SETTINGS, { maxOutputTokens: 5_000 })
  const models = () => [{ modelId: 'scripted', providerModelId: 'scripted', name: 'Scripted', port: model, facts }]
  let told = 0
  const fact: FactSource = {
    section: 'workspace',
    budgetTokens: 100,
    textNow: async ({ noted }) => {
      if (told++ > 0) return noted?.text ?? null
      const actor = { type: 'person', userId: 'user_1' } as const
      const { engine, conversationId } = harness
      await engine.changeSettings({ commandId: 'change', actor, conversationId, changes: { instructions: 'Be brief' } })
      return null
    },
  }
  const harness = await openHarness([], [], null, { ports: { models, settings, facts: [fact] } })
  await harness.send('Hi', 'send-1')
  await harness.until('run-finished', 1)
  expect(told).toBeGreaterThan(1)
  const notices = (await harness.log()).filter((entry) => entry.type === 'notice-raised')
  expect(notices.map(({ code }) => code)).toEqual(['settings-bounded'])
})

it('[RUN13] a title that was refused its thinking does not turn off that of a turn beside it', async () => {
  const model = createScriptedModel([says('One')])
  const facts = withOverride(UNKNOWN_MODEL, LARGE)
  const models = () => [{ modelId: 'scripted', providerModelId: 'scripted', name: 'Scripted', port: model, facts }]
  const settings = () => settingsOver(USUAL_SETTINGS, { thinking: 'high' })
  const harness = await openHarness([], [], null, { ports: { models, settings } })
  const { store, conversationId, engine } = harness
  const engineActor = { type: 'engine' } as const
  await store.append({
    conversationId,
    after: 1,
    at: 1,
    entries: [
      { type: 'run-started', actor: engineActor, runId: 'run_title', purpose: 'title' },
      {
        type: 'notice-raised',
        actor: engineActor,
        code: 'thinking-off',
        severity: 'warning',
        text: 'It does not think',
        runId: 'run_title',
      },
    ],
  })
  const next = await engine.nextRequest({ conversationId, content: [{ type: 'text', text: 'Hi' }] })
  expect(next?.request.thinkingBudgetTokens).not.toBeNull()
})
