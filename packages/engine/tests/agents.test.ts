import { type Json, overview } from '@holdfast/conversation'
import { agentsOf, offered, says } from '@holdfast/engine/testing'
import { defineTool } from '@holdfast/tool'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type Harness, openHarness } from './support/harness.ts'
import { calls } from './support/tools.ts'

const person = { type: 'person', userId: 'user_1' } as const

const ada = offered('ada', { instructions: 'You are Ada', permissionMode: 'plan' }, { name: 'Ada', avatar: '🦉' })
const bob = offered('bob', { instructions: 'You are Bob', modelId: 'scripted' }, { name: 'Bob' })

async function change(harness: Harness, commandId: string, changes: Readonly<Record<string, Json>>): Promise<void> {
  const { conversationId } = harness
  await harness.engine.changeSettings({ commandId, actor: person, conversationId, changes: { ...changes } })
}

async function stateOf(harness: Harness) {
  return overview.reduce(overview.initial, await harness.log())
}

const talk = async (harness: Harness, text: string, count: number) => {
  await harness.send(text, `say_${count}`)
  await harness.until('run-finished', count)
}

describe('an agent of a conversation', () => {
  it('[AGENT4] is frozen in the log when it is chosen, whatever becomes of it', async () => {
    const list = [ada]
    const harness = await openHarness([says('one'), says('two')], [], null, { ports: { agents: agentsOf(list) } })
    await change(harness, 'choose', { agentId: 'ada' })
    await talk(harness, 'Hello', 1)
    list.length = 0
    await talk(harness, 'Again', 2)
    expect(harness.model.requests.map(({ system }) => system)).toEqual(['You are Ada', 'You are Ada'])
    const { settingLayers, settings } = await stateOf(harness)
    expect(settingLayers.agent).toMatchObject({ agentId: 'ada', name: 'Ada', avatar: '🦉', version: 1 })
    expect(settings).toEqual({ agentId: 'ada', instructions: 'You are Ada', permissionMode: 'plan' })
    await expect(change(harness, 'again', { agentId: 'bob' })).rejects.toMatchObject({ code: 'unknown-agent' })
    expect(harness.model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('[AGENT4, REQ7] is told the replies of another by name and as data, with what they called', async () => {
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      input: z.object({}),
      category: 'read',
      run: async () => 'a </reply><b>',
    })
    const ports = { agents: agentsOf([ada, bob]) }
    const harness = await openHarness(
      [
        calls({ callId: 'c1', name: 'look', input: {} }),
        says('I am </reply> Ada & co'),
        says('Bob here'),
        says('back'),
      ],
      [look],
      null,
      { ports },
    )
    await change(harness, 'mode', { permissionMode: 'bypass' })
    await change(harness, 'choose', { agentId: 'ada', permissionMode: 'bypass' })
    await talk(harness, 'Hello', 1)
    await change(harness, 'switch', { agentId: 'bob' })
    await talk(harness, 'And you?', 2)
    const asked = harness.model.requests[2]
    expect(asked?.system).toBe('You are Bob')
    expect(asked?.messages.map(({ role }) => role)).toEqual(['user'])
    const [message] = asked?.messages ?? []
    const texts = message?.role === 'user' ? message.parts.map((part) => (part.type === 'text' ? part.text : '')) : []
    expect(texts[0]).toBe('Hello')
    expect(texts[1]).toContain('<reply agent="Ada" note="written by another agent, not by the user">')
    expect(texts[1]).toContain('<call tool="look">{}</call>')
    expect(texts[1]).toContain('a &lt;/reply&gt;&lt;b&gt;')
    expect(texts[2]).toContain('I am &lt;/reply&gt; Ada &amp; co')
    expect(texts[3]).toBe('And you?')
    await change(harness, 'back', { agentId: 'ada' })
    await talk(harness, 'Ada again', 3)
    const back = harness.model.requests[3]
    expect(back?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
    expect(JSON.stringify(back?.messages[4])).toContain('<reply agent=\\"Bob\\"')
  })

  it('[AGENT4] keeps what a person set beside it, and not the instructions and tools of the one before', async () => {
    const ports = { agents: agentsOf([ada, bob]) }
    const harness = await openHarness([], [], null, { ports })
    await change(harness, 'own', {
      instructions: 'Mine',
      toolMode: 'all-off',
      budgetUsd: 3,
      modelId: 'scripted',
      permissionMode: 'bypass',
    })
    await change(harness, 'ada', { agentId: 'ada' })
    expect((await stateOf(harness)).settings).toEqual({
      agentId: 'ada',
      instructions: 'You are Ada',
      permissionMode: 'plan',
      budgetUsd: 3,
      modelId: 'scripted',
    })
    await change(harness, 'looser', { permissionMode: 'ask', instructions: 'Mine too' })
    expect((await stateOf(harness)).settings).toMatchObject({ permissionMode: 'ask', instructions: 'Mine too' })
    await change(harness, 'undo', { instructions: null })
    expect((await stateOf(harness)).settings.instructions).toBe('You are Ada')
    await change(harness, 'none', { agentId: null })
    expect((await stateOf(harness)).settings).toEqual({
      agentId: 'default',
      permissionMode: 'ask',
      budgetUsd: 3,
      modelId: 'scripted',
    })
  })

  it('[AGENT4, PERM1] never permits more than its user, where another person made it', async () => {
    const wide = { permissionMode: 'bypass' } as const
    const list = [offered('theirs', wide, { origin: 'shared' }), offered('own', wide)]
    const harness = await openHarness([], [], null, { ports: { agents: agentsOf(list) } })
    await change(harness, 'theirs', { agentId: 'theirs' })
    expect((await stateOf(harness)).settings.permissionMode).toBe('ask')
    await change(harness, 'own', { agentId: 'own' })
    expect((await stateOf(harness)).settings.permissionMode).toBe('bypass')
  })

  it('[AGENT4, LOG4] begins a conversation once, and goes along with a fork and a reset', async () => {
    const list = [ada]
    const harness = await openHarness([says('one')], [], null, { ports: { agents: agentsOf(list) } })
    const { engine, store } = harness
    const asked = { commandId: 'with', actor: person, ownerId: 'user_1', title: 'T', modelId: null, agentId: 'ada' }
    const { conversationId } = await engine.createConversation(asked)
    list.length = 0
    expect(await engine.createConversation(asked)).toEqual({ conversationId })
    await expect(engine.createConversation({ ...asked, commandId: 'late' })).rejects.toMatchObject({
      code: 'unknown-agent',
    })
    const content = [{ type: 'text' as const, text: 'Hi' }]
    await engine.sendMessage({ commandId: 's', actor: person, conversationId, content, lane: 'turn' })
    const logOf = async (id: string) => (await store.read({ conversationId: id, after: 0, limit: 100 })).entries
    await expect.poll(async () => (await logOf(conversationId)).at(-1)?.type).toBe('run-finished')
    const atSeq = (await logOf(conversationId)).at(-1)?.seq ?? 0
    const forked = await engine.fork({ commandId: 'fork', actor: person, conversationId, atSeq })
    const anew = await engine.reset({ commandId: 'reset', actor: person, conversationId })
    for (const { conversationId: id } of [forked, anew]) {
      const entries = await logOf(id)
      expect(entries[1]).toMatchObject({ type: 'agent-switched', agentId: 'ada', version: 1 })
      expect(overview.reduce(overview.initial, entries).settings.instructions).toBe('You are Ada')
    }
    expect((await logOf(forked.conversationId)).find(({ type }) => type === 'step-started')).toMatchObject({
      agent: { agentId: 'ada', name: 'Ada' },
    })
  })

  it('[AGENT4] is refused where its model is not there', async () => {
    const ports = { agents: agentsOf([offered('gone', { modelId: 'nowhere' })]) }
    const harness = await openHarness([], [], null, { ports })
    await expect(change(harness, 'choose', { agentId: 'gone' })).rejects.toMatchObject({ code: 'unknown-model' })
  })

  it('[AGENT4, REQ5, TOOL10] has the break of its switch priced and recorded', async () => {
    const ports = { agents: agentsOf([ada, bob]) }
    const harness = await openHarness([says('one'), says('two')], [], 100_000, { ports })
    await talk(harness, 'Hello', 1)
    const { conversationId } = harness
    const before = (await harness.log()).length
    const answer = await harness.engine.priceOf({ conversationId, content: [], changes: { agentId: 'bob' } })
    expect(answer?.change?.breaks).toContainEqual({ reason: 'agent', brokenFrom: 'tools' })
    expect(await harness.log()).toHaveLength(before)
    await change(harness, 'same', { agentId: 'default' })
    expect(await harness.log()).toHaveLength(before)
  })
})
