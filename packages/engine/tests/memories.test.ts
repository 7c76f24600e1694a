import { type Records, USUAL_SETTINGS } from '@holdfast/conversation'
import { createMemories, type Memory, type MemoryToSave, rankMemories } from '@holdfast/engine'
import { createManualClock } from '@holdfast/engine/testing'
import { createMemoryStore } from '@holdfast/store/memory'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createKeptReads } from '../src/memories/kept-reads.ts'

function open() {
  const clock = createManualClock()
  const { records } = createMemoryStore({ clock })
  let made = 0
  const ids = { next: (prefix: string) => `${prefix}_${String(++made).padStart(4, '0')}` }
  return { records, clock, memories: createMemories({ records, clock, ids, isShared: false }) }
}

/** A memory as it was stored before there was a count. */
const OLD = {
  at: 5_000_000,
  value: { text: 'Uncounted tea', agentId: null, isPinned: false, createdAt: 5_000_000, from: null },
}
const MEMORY_BEFORE = {
  kind: 'memory',
  schema: z.object({
    text: z.string(),
    agentId: z.null(),
    isPinned: z.boolean(),
    createdAt: z.int(),
    from: z.null(),
  }),
} as const

function wish(text: string, more: Partial<MemoryToSave> = {}): MemoryToSave {
  return { text, agentId: null, isPinned: false, from: null, replaces: null, ...more }
}

async function textsOf({ memories }: ReturnType<typeof open>, userId: string): Promise<readonly string[]> {
  return (await memories.list(userId)).map(({ text }) => text)
}

describe('what is remembered of users', () => {
  it('[SEC1] belongs to one user: nobody else reads, changes, replaces or deletes it', async () => {
    const opened = open()
    const { memories } = opened
    const saved = await memories.save('ann', wish('Ann likes tea'))
    if (saved.type !== 'saved') throw new Error('Nothing was saved')
    const { memoryId } = saved.memory
    expect(await memories.list('bob')).toEqual([])
    expect(await memories.change('bob', memoryId, { text: 'Hers no more' })).toEqual({ type: 'unknown', memoryId })
    expect(await memories.save('bob', wish('Mine', { replaces: memoryId }))).toEqual({ type: 'unknown', memoryId })
    expect(await memories.remove('bob', memoryId)).toBe(false)
    expect(await memories.removeAll('bob', { conversationId: null })).toBe(0)
    await memories.setOn('bob', false)
    expect(await memories.isOn('ann')).toBe(true)
    expect(await textsOf(opened, 'ann')).toEqual(['Ann likes tea'])
  })

  it('[REQ6] is one memory where the same words are saved again, also at the same moment, but one for each agent', async () => {
    const opened = open()
    const { memories } = opened
    const outcomes = await Promise.all(
      ['Likes tea', 'likes  TEA.', 'Likes tea'].map((text) => memories.save('ann', wish(text))),
    )
    expect(outcomes.map(({ type }) => type)).toEqual(['saved', 'known', 'known'])
    await memories.save('ann', wish('Likes tea', { agentId: 'agent_1' }))
    await memories.save('ann', wish('🍵'))
    await memories.save('ann', wish('🎉'))
    expect(await textsOf(opened, 'ann')).toEqual(['Likes tea', 'Likes tea', '🍵', '🎉'])
  })

  it('[REQ6] keeps the order in which it was saved, whatever ids and clocks say', async () => {
    const { clock, records } = open()
    const ids = ['c', 'a', 'b']
    const memories = createMemories({ records, clock, ids: { next: () => ids.shift() ?? 'last' }, isShared: true })
    await records.put(MEMORY_BEFORE, { ...OLD, ownerId: 'ann', id: 'uncounted', revision: 0 })
    for (const text of ['First tea', 'Second tea']) await memories.save('ann', wish(text))
    const behind = createMemories({ records, clock: { now: () => 1 }, ids: { next: () => '0' }, isShared: true })
    await behind.save('ann', wish('Third tea'))
    const texts = async () => (await memories.list('ann')).map(({ text }) => text)
    const all = ['Uncounted tea', 'First tea', 'Second tea', 'Third tea']
    expect(await texts()).toEqual(all)
    const found = rankMemories(await memories.list('ann'), 'tea', { onlyRare: false })
    expect(found.map(({ memory }) => memory.text)).toEqual(all.toReversed())
    await memories.save('ann', wish('Fourth tea', { replaces: 'c' }))
    expect(await texts()).toEqual(['Uncounted tea', 'Second tea', 'Third tea', 'Fourth tea'])
  })

  it('[REQ7] is one line without characters that hide or turn others, and bounded', async () => {
    const { memories } = open()
    const odd = await memories.save('ann', wish('Likes\n- tea\u0000\u202e and\u{e0041} \ud800 rain '))
    expect(odd).toMatchObject({ type: 'saved', memory: { text: 'Likes - tea and \ufffd rain' } })
    expect(await memories.save('ann', wish(' \n\u202e'))).toMatchObject({ type: 'refused', code: 'empty' })
    const long = await memories.save('ann', wish('x'.repeat(USUAL_SETTINGS.memoryChars + 1)))
    expect(long).toMatchObject({ type: 'refused', code: 'too-long' })
    expect(long.type === 'refused' && long.text).toContain('1000 characters and this one 1001')
  })

  it('[REQ6] is no more than its limit; what takes the place of another still finds room', async () => {
    const opened = open()
    const { memories } = opened
    for (let number = 0; number < USUAL_SETTINGS.mostMemories; number++)
      await memories.save('ann', wish(`Fact number ${number}`))
    expect(await memories.save('ann', wish('One more'))).toMatchObject({ type: 'refused', code: 'full' })
    expect(await memories.save('bob', wish('One more'))).toMatchObject({ type: 'saved' })
    const [first] = await memories.list('ann')
    const replaced = await memories.save('ann', wish('Another fact', { replaces: first?.memoryId ?? '' }))
    expect(replaced).toMatchObject({ type: 'saved', memory: { memoryId: first?.memoryId } })
    expect(await memories.list('ann')).toHaveLength(USUAL_SETTINGS.mostMemories)
  })

  it('[REQ6] leaves one of two memories when one comes to say what the other says', async () => {
    const opened = open()
    const { memories } = opened
    await memories.save('ann', wish('Likes tea'))
    const coffee = await memories.save('ann', wish('Likes coffee'))
    const memoryId = coffee.type === 'saved' ? coffee.memory.memoryId : ''
    expect(await memories.change('ann', memoryId, { text: 'Likes tea!' })).toMatchObject({ type: 'known' })
    expect(await textsOf(opened, 'ann')).toEqual(['Likes tea'])
  })

  it('[LOG9] can be forgotten by the conversation that it came from', async () => {
    const opened = open()
    const { memories } = opened
    await memories.save('ann', wish('From one', { from: { conversationId: 'c1', seq: 3 } }))
    await memories.save('ann', wish('From two', { from: { conversationId: 'c2', seq: 3 } }))
    await memories.save('ann', wish('By hand'))
    expect(await memories.removeAll('ann', { conversationId: 'c1' })).toBe(1)
    expect(await textsOf(opened, 'ann')).toEqual(['From two', 'By hand'])
    expect(await memories.removeAll('ann', { conversationId: null })).toBe(2)
    expect(await textsOf(opened, 'ann')).toEqual([])
  })
})

describe('a search in memories', () => {
  const memories = [
    'Likes green tea',
    'Is vegetarian',
    '用户喜欢绿茶',
    'ユーザーは東京に住んでいる',
    'ผู้ใช้ชอบชาเขียว',
    'The café',
  ].map(
    (text, at): Memory => ({
      memoryId: `memory_${at}`,
      text,
      agentId: null,
      isPinned: false,
      createdAt: at,
      changedAt: at,
      from: null,
    }),
  )
  const found = (query: string, onlyRare = false): readonly string[] =>
    rankMemories(memories, query, { onlyRare }).map(({ memory }) => memory.text)

  it('[REQ6] finds words, whatever their case and accents, by their beginnings, and in scripts without spaces', () => {
    expect(found('GREEN')).toEqual(['Likes green tea'])
    expect(found('vegeta')).toEqual(['Is vegetarian'])
    expect(found('CAFE')).toEqual(['The café'])
    expect(found('我喜欢什么茶?')).toEqual(['用户喜欢绿茶'])
    expect(found('茶')).toEqual(['用户喜欢绿茶'])
    expect(found('東京の天気')).toEqual(['ユーザーは東京に住んでいる'])
    expect(found('ชาเขียว')).toEqual(['ผู้ใช้ชอบชาเขียว'])
    expect(found('%')).toEqual([])
    expect(found('coffee')).toEqual([])
  })

  it('[REQ6] sets a rare word above a common one, and leaves common ones out of a question', () => {
    const many: Memory[] = Array.from({ length: 40 }, (_, at) => ({
      memoryId: `memory_${at}`,
      text: at === 7 ? 'The dog is called Rex' : `The fact ${at}`,
      agentId: null,
      isPinned: false,
      createdAt: at,
      changedAt: at,
      from: null,
    }))
    expect(rankMemories(many, 'the dog', { onlyRare: false })[0]?.memory.text).toBe('The dog is called Rex')
    const asked = rankMemories(many, 'What is the name of the dog?', { onlyRare: true })
    expect(asked.map(({ memory }) => memory.text)).toEqual(['The dog is called Rex'])
  })
})

describe('what is remembered of users and read again and again', () => {
  /** Counts what is read of the records, and holds a reading back where a test wants that. */
  function counted({ records, clock }: ReturnType<typeof open>, isShared: boolean) {
    let lists = 0
    let held: Promise<void> = Promise.resolve()
    let beforePut = async (): Promise<void> => {}
    const line: Records = {
      ...records,
      async list(kind, query) {
        lists += 1
        const until = held
        const found = await records.list(kind, query)
        await until
        return found
      },
      async put(kind, write) {
        await beforePut()
        return records.put(kind, write)
      },
    }
    let made = 0
    const ids = { next: (prefix: string) => `${prefix}_line_${++made}` }
    return {
      memories: createMemories({ records: line, clock, ids, isShared }),
      lists: () => lists,
      beforeEachPut(run: () => Promise<void>): void {
        beforePut = run
      },
      /** Holds back the readings that begin while `begun` does. @returns what lets them end. */
      holding(begun: () => void): () => void {
        const { promise, resolve } = Promise.withResolvers<void>()
        held = promise
        begun()
        held = Promise.resolve()
        return resolve
      },
    }
  }

  it('[REQ10] is read once for many questions, and anew after each change', async () => {
    const { memories, lists } = counted(open(), false)
    const told = async () => [await memories.isOn('ann'), (await memories.list('ann')).map(({ text }) => text)]
    expect([await told(), await told(), lists()]).toEqual([[true, []], [true, []], 1])
    const saved = await memories.save('ann', wish('Tea'))
    if (saved.type !== 'saved') throw new Error('Nothing was saved')
    const { memoryId } = saved.memory
    expect(await told()).toEqual([true, ['Tea']])
    await memories.change('ann', memoryId, { text: 'Coffee' })
    expect(await told()).toEqual([true, ['Coffee']])
    await memories.setOn('ann', false)
    expect(await told()).toEqual([false, ['Coffee']])
    await memories.remove('ann', memoryId)
    expect(await told()).toEqual([false, []])
    await memories.save('ann', wish('Milk'))
    expect(await told()).toEqual([false, ['Milk']])
    await memories.removeAll('ann', { conversationId: null })
    expect(await told()).toEqual([false, []])
    const before = lists()
    expect([await told(), lists()]).toEqual([[false, []], before])
  })

  it.each(['before', 'after'])(
    '[REQ10] is not kept as it was read before a change: the reading ends %s it',
    async (when) => {
      const { memories, holding } = counted(open(), false)
      let early: Promise<unknown> = Promise.resolve()
      const release = holding(() => {
        early = memories.list('ann')
      })
      if (when === 'before') release()
      await memories.save('ann', wish('Tea'))
      release()
      expect(await early).toEqual([])
      expect((await memories.list('ann')).map(({ text }) => text)).toEqual(['Tea'])
    },
  )

  it('[REQ10] is not kept as it was read in the middle of a change', async () => {
    const { memories, beforeEachPut } = counted(open(), false)
    beforeEachPut(async () => {
      expect(await memories.list('ann')).toEqual([])
    })
    await memories.save('ann', wish('Tea'))
    expect((await memories.list('ann')).map(({ text }) => text)).toEqual(['Tea'])
  })

  it('[REQ10] is read each time where others write the same records', async () => {
    const opened = open()
    const [here, there] = [counted(opened, true), counted(opened, true)]
    expect(await here.memories.list('ann')).toEqual([])
    await there.memories.save('ann', wish('From another server'))
    expect((await here.memories.list('ann')).map(({ text }) => text)).toEqual(['From another server'])
    await there.memories.setOn('ann', false)
    expect(await here.memories.isOn('ann')).toBe(false)
  })

  it('[REQ10] is kept of those who were asked about last, and a reading that failed is made again', async () => {
    const read: string[] = []
    let fails = true
    const kept = createKeptReads({
      async read(userId) {
        read.push(userId)
        if (fails) throw new Error('The disk is away')
        return userId
      },
      sizeOf: () => 1,
      most: 2,
    })
    await expect(kept.read('ann')).rejects.toThrow('The disk is away')
    fails = false
    for (const userId of ['ann', 'bob', 'ann', 'eve', 'ann', 'bob']) expect(await kept.read(userId)).toBe(userId)
    expect(read).toEqual(['ann', 'ann', 'bob', 'eve', 'bob'])
  })
})
