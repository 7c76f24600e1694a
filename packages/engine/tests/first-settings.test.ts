import { type Entry, settingLayers, settingsInForce } from '@holdfast/conversation'
import { createScriptedModel } from '@holdfast/engine/testing'
import { freePrice, type ModelFactsOverride, UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { openHarness } from './support/harness.ts'

const actor = { type: 'person', userId: 'user_1' } as const
const BESIDE = { actor, ownerId: 'user_1', title: null, modelId: null }

const port = createScriptedModel([])

function choice(modelId: string, facts: ModelFactsOverride) {
  return { modelId, providerModelId: modelId, name: modelId, port, facts: withOverride(UNKNOWN_MODEL, facts) }
}

const demo = choice('demo', { price: freePrice('demo') })
const connected = choice('connected', { capabilities: { thinking: true } })
const plain = choice('plain', { capabilities: { thinking: false } })

const AGENT = {
  agentId: 'careful',
  name: 'Careful',
  avatar: null,
  version: 1,
  origin: 'own' as const,
  sharedBy: null,
  settings: { permissionMode: 'plan' as const, thinking: 'low' as const, parameters: { temperature: 0 } },
}

/** An engine whose models may change, with one agent. */
async function open(first: readonly ReturnType<typeof choice>[]) {
  const present = { models: first }
  const agents = { find: async () => AGENT, list: async () => [AGENT] }
  const { engine, store } = await openHarness([], [], null, { ports: { models: () => present.models, agents } })
  async function log(conversationId: string): Promise<readonly Entry[]> {
    return (await store.read({ conversationId, after: 0, limit: 10 })).entries
  }
  return {
    present,
    log,
    async begin(commandId: string, chosen: object): Promise<string> {
      return (await engine.createConversation({ ...BESIDE, commandId, ...chosen })).conversationId
    },
    async settings(conversationId: string) {
      return settingsInForce(settingLayers.reduce(settingLayers.initial, await log(conversationId)))
    },
  }
}

describe('what is chosen before the first message', () => {
  it('[UI33] a mode and thinking hold from the first entry on', async () => {
    const { begin, log, settings } = await open([connected])
    const id = await begin('one', { settings: { permissionMode: 'plan', thinking: 'high' } })
    expect((await log(id)).map(({ type }) => type)).toEqual(['conversation-created'])
    expect(await settings(id)).toEqual({ permissionMode: 'plan', thinking: 'high' })
  })

  it('[UI33, AGENT4] they stand above what the agent says that is chosen with them', async () => {
    const { begin, settings } = await open([connected])
    const chosen = { agentId: 'careful', settings: { permissionMode: 'accept-edits', thinking: 'off' } }
    expect(await settings(await begin('one', chosen))).toMatchObject({
      agentId: 'careful',
      permissionMode: 'accept-edits',
      thinking: 'off',
    })
    expect(await settings(await begin('two', { agentId: 'careful' }))).toMatchObject({
      permissionMode: 'plan',
      thinking: 'low',
    })
  })

  it('[UI33, WIN10] a thinking that the model cannot is refused, and no conversation begins', async () => {
    const { begin, log } = await open([plain])
    await expect(begin('one', { settings: { thinking: 'high' }, conversationId: 'refused' })).rejects.toMatchObject({
      code: 'settings-contradict',
    })
    expect(await log('refused')).toEqual([])
  })

  it('[UI33, LOG4] the same command with other settings is refused', async () => {
    const { begin } = await open([connected])
    const id = await begin('one', { settings: { permissionMode: 'plan' } })
    expect(await begin('one', { settings: { permissionMode: 'plan' } })).toBe(id)
    await expect(begin('one', { settings: { permissionMode: 'bypass' } })).rejects.toThrow()
  })
})

describe('a conversation that is begun on the demo', () => {
  it('[UI34] has it as its chosen model, and keeps it when a provider is connected', async () => {
    const { begin, settings, present } = await open([demo])
    const id = await begin('one', {})
    present.models = [connected, demo]
    expect(await settings(id)).toEqual({ modelId: 'demo' })
    expect(await settings(await begin('two', {}))).toEqual({})
    expect(await begin('one', {})).toBe(id)
  })

  it('[UI34] has it with an agent too that says parameters and no model', async () => {
    const { begin, settings } = await open([demo])
    expect(await settings(await begin('one', { agentId: 'careful' }))).toMatchObject({
      agentId: 'careful',
      modelId: 'demo',
    })
  })

  it('[UI34] is none where another model is chosen', async () => {
    const { begin, settings } = await open([demo, connected])
    expect(await settings(await begin('one', { modelId: 'connected' }))).toEqual({ modelId: 'connected' })
    expect(await settings(await begin('two', { settings: { modelId: 'connected' } }))).toEqual({ modelId: 'connected' })
  })
})
