import type { NewEntry } from '@holdfast/conversation'
import { createMemories, type ToolsQuery } from '@holdfast/engine'
import { systemClock, systemIds } from '@holdfast/engine/system'
import { createMemoryStore } from '@holdfast/store/memory'
import type { CallEffect } from '@holdfast/tool'
import { describe, expect, it } from 'vitest'
import { memoryShelfOf } from '../src/memory-shelf.ts'

const ENGINE = { type: 'engine' } as const

/** A call whose effects nobody asks about. */
const CALL = { report() {} }

async function open() {
  const { store, records } = createMemoryStore({ clock: systemClock })
  const memories = createMemories({ records, clock: systemClock, ids: systemIds, isShared: false })
  const said = (text: string): NewEntry => ({
    type: 'user-message-sent',
    actor: ENGINE,
    runId: 'run_1',
    inputId: 'input_1',
    content: [{ type: 'text', text }],
  })
  const created: NewEntry = {
    type: 'conversation-created',
    actor: ENGINE,
    ownerId: 'ann',
    settings: {},
    origin: { type: 'new' },
  }
  await store.append({ conversationId: 'c1', after: 0, entries: [created, said('one'), said('two')], at: 1 })
  const told: (CallEffect & { readonly callId: string })[] = []
  const callOf = (callId: string) => ({ report: (effect: CallEffect) => void told.push({ callId, ...effect }) })
  const shelf = (query: Partial<ToolsQuery>) =>
    memoryShelfOf({ memories, store }, { conversationId: 'c1', ownerId: 'ann', depth: 0, settings: {}, ...query })
  const texts = async (query: Partial<ToolsQuery>) => {
    const answer = await shelf(query).list()
    return answer.type === 'done' ? answer.value.map(({ text }) => text) : answer.text
  }
  return { memories, shelf, texts, told, callOf }
}

describe('the memories that an agent may use', () => {
  it('[SEC1, AGENT4] are those of its user, for every agent or for itself: no id of another opens anything', async () => {
    const { memories, shelf, texts } = await open()
    const one = { settings: { agentId: 'one' } }
    const two = { settings: { agentId: 'two' } }
    const bob = { ownerId: 'bob', settings: { agentId: 'one' } }
    await shelf({}).save({ text: 'For every agent', replaces: null }, CALL)
    await shelf(one).save({ text: 'Of agent one', replaces: null }, CALL)
    await shelf(bob).save({ text: 'Of bob', replaces: null }, CALL)
    expect(await texts({})).toEqual(['For every agent'])
    expect(await texts({ settings: { agentId: 'default' } })).toEqual(['For every agent'])
    expect(await texts(one)).toEqual(['For every agent', 'Of agent one'])
    expect(await texts(two)).toEqual(['For every agent'])
    expect(await texts(bob)).toEqual(['Of bob'])
    const own = (await memories.list('ann')).find(({ agentId }) => agentId === 'one')
    const memoryId = own?.memoryId ?? ''
    for (const other of [two, bob, {}]) {
      const found = await shelf(other).search('agent one')
      expect(found.type === 'done' && found.value.some((memory) => memory.memoryId === memoryId)).toBe(false)
      const refused = { type: 'refused', text: expect.stringContaining('There is no memory') }
      expect(await shelf(other).delete(memoryId, CALL)).toEqual(refused)
      expect(await shelf(other).save({ text: 'Mine now', replaces: memoryId }, CALL)).toEqual(refused)
    }
    expect(await memories.list('ann')).toContainEqual(own)
  })

  it('[AGENT4] stay whose they were when they are corrected, and say where they came from', async () => {
    const { memories, shelf } = await open()
    const saved = await shelf({}).save({ text: 'Lives in Bern', replaces: null }, CALL)
    const replaces = saved.type === 'done' ? saved.value.memory.memoryId : ''
    const moved = await shelf({ settings: { agentId: 'one' } }).save({ text: 'Lives in Basel', replaces }, CALL)
    expect(moved).toMatchObject({ type: 'done', value: { isNew: true } })
    expect(await memories.list('ann')).toMatchObject([
      { memoryId: replaces, text: 'Lives in Basel', agentId: null, from: { conversationId: 'c1', seq: 3 } },
    ])
  })

  it('[LOG3] tell the log what a call really changed, and nothing of what was known or refused', async () => {
    const { shelf, told, callOf } = await open()
    const one = { settings: { agentId: 'one' } }
    const saved = await shelf(one).save({ text: 'Lives in Bern', replaces: null }, callOf('call_2'))
    const memoryId = saved.type === 'done' ? saved.value.memory.memoryId : ''
    await shelf(one).save({ text: 'lives in BERN', replaces: null }, callOf('call_3'))
    await shelf(one).save({ text: ' ', replaces: null }, callOf('call_4'))
    await shelf(one).save({ text: 'Likes tea', replaces: null }, callOf('call_5'))
    await shelf(one).save({ text: 'Likes tea', replaces: memoryId }, callOf('call_6'))
    const rest = await shelf(one).list()
    const kept = rest.type === 'done' ? (rest.value[0]?.memoryId ?? '') : ''
    await shelf(one).delete(kept, callOf('call_7'))
    await shelf(one).delete(kept, callOf('call_8'))
    expect(told).toEqual([
      { callId: 'call_2', type: 'memory-changed', memoryId, agentId: 'one', text: 'Lives in Bern' },
      { callId: 'call_5', type: 'memory-changed', memoryId: kept, agentId: 'one', text: 'Likes tea' },
      { callId: 'call_6', type: 'memory-changed', memoryId, agentId: 'one', text: null },
      { callId: 'call_7', type: 'memory-changed', memoryId: kept, agentId: 'one', text: null },
    ])
  })

  it('[REQ6] are refused while the conversation or the user has turned them off, and to sub-agents', async () => {
    const { memories, shelf, texts } = await open()
    await shelf({}).save({ text: 'Known', replaces: null }, CALL)
    expect(await texts({ settings: { memories: 'off' } })).toContain('turned off for this conversation')
    expect(await texts({ depth: 1 })).toContain('turned off for this conversation')
    await memories.setOn('ann', false)
    for (const answer of [
      await shelf({}).list(),
      await shelf({}).search('Known'),
      await shelf({}).save({ text: 'More', replaces: null }, CALL),
      await shelf({}).delete((await memories.list('ann'))[0]?.memoryId ?? '', CALL),
    ])
      expect(answer).toEqual({ type: 'refused', text: 'The user has turned memories off. Go on without them.' })
    expect(await memories.list('ann')).toHaveLength(1)
  })
})
