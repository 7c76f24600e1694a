import type { Entry, EntryStore } from '@holdfast/conversation'
import type { Tool } from '@holdfast/tool'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const person = { type: 'person', userId: 'user_1' } as const
const agent = { type: 'agent', agentId: 'agent' } as const

/** Callers of callers, and how long each passage to the store takes after the kill. */
interface Story {
  /** For each conversation but the first the place of its caller among those before it. */
  readonly callers: readonly number[]
  /** Which of them, by place, wait for a person beside. */
  readonly asking: readonly boolean[]
  /** Turns of the event loop, taken one after the other, again and again. */
  readonly waits: readonly number[]
}

const story: fc.Arbitrary<Story> = fc.record({
  callers: fc.array(fc.nat(100), { minLength: 1, maxLength: 6 }),
  asking: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  waits: fc.array(fc.oneof(fc.nat(3), fc.nat(40)), { minLength: 1, maxLength: 30 }),
})

describe('the ends of sub-agents after a kill', () => {
  it('[AGENT3, RUN4] stand before those of their callers, however they call each other and however slow the store is', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (played) => {
        const { ends, callerOf } = await play(played)
        expect(ends.toSorted()).toEqual([...callerOf.keys()].toSorted())
        for (const [conversationId, caller] of callerOf)
          if (caller !== null) expect(ends.indexOf(conversationId)).toBeLessThan(ends.indexOf(caller))
      }),
      { numRuns: 60 },
    )
  })
})

async function play({ callers, asking, waits }: Story) {
  const edit = testTool({ name: 'edit', category: 'edit' }).tool
  const { tool } = testTool({ name: 'delegate', category: 'read', waits: true })
  const delegating: Tool = {
    ...tool,
    // A call of nobody stands for the work of those that call no one.
    childConversationOf: async ({ callId }) => (callId.startsWith('child') ? callId : null),
    runsApart: async () => true,
  }
  const first = await openHarness([], [delegating, edit], null, {
    answer: ({ messages }) => {
      const asked = /calls:([\w,-]+)/.exec(JSON.stringify(messages))?.[1] ?? ''
      return calls(
        ...asked.split(',').map((callId) => {
          return { callId, name: callId === 'edit' ? 'edit' : 'delegate', input: { path: callId } }
        }),
      )
    },
  })
  const names = [first.conversationId, ...callers.map((_, index) => `child-${index + 1}`)]
  const callerAt = [null, ...callers.map((place, index) => place % (index + 1))]
  const depths: number[] = []
  for (const [index, conversationId] of names.entries()) {
    const caller = callerAt[index] ?? null
    const depth = caller === null ? 0 : (depths[caller] ?? 0) + 1
    depths.push(depth)
    if (caller !== null)
      await first.engine.createConversation({
        commandId: conversationId,
        actor: person,
        ownerId: 'user_1',
        title: null,
        modelId: null,
        conversationId,
        origin: { type: 'sub-agent', conversationId: names[caller] ?? '', callId: conversationId, depth },
      })
    const called = names.filter((_, at) => callerAt[at] === index)
    // The first one would stay open: only its person brings it on.
    const beside = index > 0 && asking[index] ? ['edit'] : []
    const text = `calls:${[...(called.length > 0 ? called : ['work']), ...beside].join(',')}`
    const content = [{ type: 'text', text } as const]
    const actor = index === 0 ? person : agent
    await first.engine.sendMessage({ commandId: `send-${index}`, actor, conversationId, content, lane: 'turn' })
    await holds(first.store, conversationId, { type: 'tool-call-started', count: Math.max(1, called.length) })
    await holds(first.store, conversationId, { type: 'permission-requested', count: beside.length })
  }

  const ends: string[] = []
  let passages = 0
  async function passage(): Promise<void> {
    for (let left = waits[passages++ % waits.length] ?? 0; left > 0; left--) await new Promise(setImmediate)
  }
  const lineTo = (store: EntryStore): EntryStore => ({
    ...store,
    async acquireLease(wanted) {
      await passage()
      return store.acquireLease(wanted)
    },
    async readDrafts(conversationId) {
      await passage()
      return store.readDrafts(conversationId)
    },
    async append(batch) {
      await passage()
      const appended = await store.append(batch)
      if (batch.entries.some(({ type }) => type === 'run-finished')) ends.push(batch.conversationId)
      return appended
    },
  })
  const second = await first.restart([], { lineTo })
  await second.store.endLeases()
  await second.engine.recover()
  await second.engine.close()
  expect(second.faults).toEqual([])
  return { ends, callerOf: new Map(names.map((name, index) => [name, names[callerAt[index] ?? -1] ?? null])) }
}

async function holds(
  store: EntryStore,
  conversationId: string,
  { type, count }: { readonly type: Entry['type']; readonly count: number },
): Promise<void> {
  for (;;) {
    const { entries } = await store.read({ conversationId, after: 0, limit: 100 })
    if (entries.filter((entry) => entry.type === type).length >= count) return
    await new Promise(setImmediate)
  }
}
