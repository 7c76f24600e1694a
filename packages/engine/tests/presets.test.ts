import { type Entry, type PresetSettings, settingLayers, settingsInForce } from '@holdfast/conversation'
import type { OfferedAgent, OfferedPreset } from '@holdfast/engine'
import { agentsOf, createScriptedModel, offered } from '@holdfast/engine/testing'
import { UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { openHarness } from './support/harness.ts'

const actor = { type: 'person', userId: 'user_1' } as const
const BESIDE = { actor, ownerId: 'user_1', title: null, modelId: null }

const CODE: OfferedPreset = {
  presetId: 'code',
  name: 'Code',
  settings: { place: 'ask', mapTokens: 2_000, thinking: 'high', permissionMode: 'accept-edits' },
}

/** An engine with one preset that may change or go, and one agent, with a model that does not think. */
async function open(agent: Partial<OfferedAgent> = {}) {
  const kept: { preset: OfferedPreset | null } = { preset: CODE }
  const model = createScriptedModel([])
  const plain = {
    modelId: 'plain',
    providerModelId: 'plain',
    name: 'plain',
    port: model,
    facts: withOverride(UNKNOWN_MODEL, { capabilities: { thinking: false } }),
  }
  const presets = {
    find: async ({ ownerId, presetId }: { ownerId: string; presetId: string }) =>
      ownerId === 'user_1' && presetId === kept.preset?.presetId ? kept.preset : null,
  }
  const agents = agentsOf([offered('careful', { instructions: 'Be careful.', permissionMode: 'plan' }, agent)])
  const { engine, store } = await openHarness([], [], null, { ports: { models: () => [plain], presets, agents } })
  async function log(conversationId: string): Promise<readonly Entry[]> {
    return (await store.read({ conversationId, after: 0, limit: 50 })).entries
  }
  return {
    kept,
    log,
    model,
    send: (conversationId: string) =>
      engine.sendMessage({
        actor,
        conversationId,
        commandId: 'send',
        content: [{ type: 'text', text: 'Hello' }],
        lane: 'turn',
      }),
    begin: async (commandId: string, chosen: object): Promise<string> =>
      (await engine.createConversation({ ...BESIDE, commandId, ...chosen })).conversationId,
    settings: async (conversationId: string) =>
      settingsInForce(settingLayers.reduce(settingLayers.initial, await log(conversationId))),
  }
}

function changed(preset: Partial<PresetSettings>): OfferedPreset {
  return { ...CODE, settings: { ...CODE.settings, ...preset } }
}

describe('a preset', () => {
  it('[WS33] is written into the log of a conversation that begins with it, by its name', async () => {
    const { begin, log, settings } = await open()
    const id = await begin('one', { presetId: 'code' })
    const [, set] = await log(id)
    const { place: _, ...changes } = CODE.settings
    expect(set).toMatchObject({ type: 'settings-changed', preset: { presetId: 'code', name: 'Code' }, changes })
    expect(await settings(id)).toEqual(changes)
  })

  it('[WS33] that is changed or deleted changes no conversation that began with it', async () => {
    const { begin, settings, kept } = await open()
    const id = await begin('one', { presetId: 'code' })
    const before = await settings(id)
    kept.preset = changed({ permissionMode: 'bypass', mapTokens: 0 })
    expect(await settings(id)).toEqual(before)
    kept.preset = null
    expect(await begin('one', { presetId: 'code' })).toBe(id)
    expect(await settings(id)).toEqual(before)
    await expect(begin('two', { presetId: 'code' })).rejects.toMatchObject({ code: 'unknown-preset' })
  })

  it('[WS33] stands below what is chosen with it, and above the agent, whose instructions it follows', async () => {
    const { begin, settings, kept } = await open()
    kept.preset = changed({ instructions: 'Speak plainly.' })
    const id = await begin('one', { presetId: 'code', agentId: 'careful', settings: { permissionMode: 'ask' } })
    expect(await settings(id)).toMatchObject({
      permissionMode: 'ask',
      thinking: 'high',
      instructions: 'Be careful.\n\nSpeak plainly.',
    })
    const without = await begin('two', { presetId: 'code', agentId: 'careful' })
    expect(await settings(without)).toMatchObject({ permissionMode: 'accept-edits' })
  })

  it('[WS33] that an agent carries sets what the agent does not', async () => {
    const { begin, settings, log } = await open({ preset: CODE })
    const id = await begin('one', { agentId: 'careful' })
    expect(await settings(id)).toMatchObject({ permissionMode: 'plan', mapTokens: 2_000, instructions: 'Be careful.' })
    expect((await log(id)).filter((entry) => entry.type === 'settings-changed')).toMatchObject([
      { preset: { presetId: 'code' } },
    ])
  })

  it("[WS33, PERM1] of another person's agent never permits more than the installation", async () => {
    const { begin, settings } = await open({
      settings: {},
      origin: 'shared',
      preset: changed({ permissionMode: 'bypass' }),
    })
    expect((await settings(await begin('one', { agentId: 'careful' }))).permissionMode).toBe('ask')
  })

  it('[WS35] asks for thinking also of a model that does not: it is the request that does without', async () => {
    const { begin, settings, log, send, model } = await open()
    const id = await begin('one', { presetId: 'code', modelId: 'plain' })
    expect((await settings(id)).thinking).toBe('high')
    await send(id)
    await expect.poll(async () => (await log(id)).map(({ type }) => type)).toContain('run-finished')
    expect(await log(id)).toContainEqual(
      expect.objectContaining({ type: 'notice-raised', text: expect.stringContaining('does not think') }),
    )
    expect(model.requests.map(({ thinkingBudgetTokens }) => thinkingBudgetTokens)).toEqual([null])
    await expect(begin('two', { modelId: 'plain', settings: { thinking: 'high' } })).rejects.toMatchObject({
      code: 'settings-contradict',
    })
  })
})
