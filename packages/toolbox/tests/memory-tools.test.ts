import { DEFAULT_LIMITS, decidePermission, type PermissionCase, runCall, type Tool } from '@holdfast/tool'
import { createMemoryTools, type MemoryShelf, type ShelfMemory } from '@holdfast/toolbox'
import { describe, expect, it } from 'vitest'

const clock = { now: () => 1_000, monotonicMs: () => 0, after: () => () => {} }

/** The tools on a shelf in a list; null: memories are off. */
function open(texts: readonly string[] | null) {
  const kept: ShelfMemory[] = (texts ?? []).map((text, at) => ({ memoryId: `memory_${at}`, text }))
  const off =
    texts === null ? ({ type: 'refused', text: 'Memories are turned off. Go on without them.' } as const) : null
  const shelf: MemoryShelf = {
    async save({ text, replaces }) {
      if (off) return off
      if (replaces !== null) return { type: 'refused', text: `There is no memory ${replaces}.` }
      const known = kept.find((memory) => memory.text === text)
      if (known) return { type: 'done', value: { memory: known, isNew: false } }
      const memory = { memoryId: `memory_${kept.length}`, text }
      kept.push(memory)
      return { type: 'done', value: { memory, isNew: true } }
    },
    search: async (query) => off ?? { type: 'done', value: kept.filter(({ text }) => text.includes(query)) },
    list: async () => off ?? { type: 'done', value: kept },
    delete: async (memoryId) =>
      off ?? { type: 'done', value: { memoryId, text: kept.find((one) => one.memoryId === memoryId)?.text ?? '' } },
  }
  const tools = createMemoryTools(shelf)
  async function call(name: string, input: object) {
    const { outcome, content } = await runCall({
      tool: tools.find(({ definition }) => definition.name === name),
      call: { callId: 'call_1', name, input: JSON.parse(JSON.stringify(input)) },
      limits: DEFAULT_LIMITS,
      clock,
      signal: new AbortController().signal,
      onLate: () => {},
      onLateEffect: () => {},
    })
    return { outcome, text: content.map((part) => (part.type === 'text' ? part.text : '')).join('') }
  }
  return { tools, call, kept }
}

function decide(tool: Tool | undefined, more: Partial<PermissionCase>) {
  if (!tool) throw new Error('There is no such tool')
  const { name } = tool.definition
  return decidePermission({
    call: { name, input: { text: 'a fact', id: 'm', query: 'q' } },
    definition: tool.definition,
    mode: 'ask',
    hardDenials: [],
    defaultPolicy: 'ask',
    workspaceRoot: '/folder',
    rules: [{ id: 'built-in', effect: 'allow', tool: name }],
    recentCalls: [],
    identicalCallLimit: 3,
    untrustedContent: false,
    ...more,
  }).effect
}

describe('the tools of memories', () => {
  it('[TOOL1] say what they did, with the ids that the others take', async () => {
    const { call, kept } = open(['Likes tea'])
    expect(await call('memory_save', { text: 'Lives in Bern' })).toEqual({
      outcome: 'ok',
      text: 'Saved as memory_1: Lives in Bern',
    })
    expect((await call('memory_save', { text: 'Likes tea' })).text).toBe('Already known as memory_0: Likes tea')
    expect((await call('memory_search', { query: 'Bern' })).text).toBe('1 found.\nmemory_1: Lives in Bern')
    expect((await call('memory_list', {})).text).toContain('Memories 1 to 2 of 2.\nmemory_0: Likes tea\nmemory_1')
    expect((await call('memory_delete', { id: 'memory_0' })).text).toBe('Forgotten: memory_0: Likes tea')
    expect(kept).toHaveLength(2)
  })

  it('[TOOL1] answer what cannot be done with an error that says what to do', async () => {
    const { call } = open(['Likes tea'])
    expect(await call('memory_save', { text: 'x', replaces: 'none' })).toMatchObject({ outcome: 'error' })
    expect((await call('memory_search', { query: 'none' })).text).toContain('memory_list shows')
    expect((await call('memory_list', { from: 7 })).text).toBe('There are 1 memories; none from 7 on.')
    for (const [name, input] of [
      ['memory_save', { text: '' }],
      ['memory_save', { text: 'x'.repeat(20_001) }],
      ['memory_search', {}],
      ['memory_list', { from: -1 }],
      ['memory_delete', { id: 5 }],
    ] as const)
      expect((await call(name, input)).outcome).toBe('error')
    const off = open(null)
    for (const [name, input] of [
      ['memory_save', { text: 'x' }],
      ['memory_search', { query: 'x' }],
      ['memory_list', {}],
      ['memory_delete', { id: 'm' }],
    ] as const)
      expect(await off.call(name, input)).toEqual({
        outcome: 'error',
        text: 'Memories are turned off. Go on without them.',
      })
  })

  it('[TOOL5] show a long list page by page', async () => {
    const { call } = open(Array.from({ length: 150 }, (_, at) => `Fact ${at}`))
    const first = await call('memory_list', {})
    expect(first.text).toContain('Memories 1 to 100 of 150. Go on with from 100.')
    expect(first.text).not.toContain('Fact 100')
    expect((await call('memory_list', { from: 100 })).text).toContain(
      'Memories 101 to 150 of 150.\nmemory_100: Fact 100',
    )
    expect((await call('memory_search', { query: 'Fact' })).text.split('\n')).toHaveLength(21)
  })

  it('[PERM7] ask before a memory is kept once words of strangers came in, and before one is forgotten', () => {
    const { tools } = open([])
    const named = (name: string) => tools.find(({ definition }) => definition.name === name)
    expect(decide(named('memory_save'), {})).toBe('allow')
    expect(decide(named('memory_save'), { untrustedContent: true })).toBe('ask')
    expect(decide(named('memory_save'), { mode: 'plan' })).toBe('deny')
    expect(decide(named('memory_search'), { untrustedContent: true })).toBe('allow')
    expect(decide(named('memory_list'), { untrustedContent: true })).toBe('allow')
    expect(decide(named('memory_delete'), { rules: [] })).toBe('ask')
    expect(decide(named('memory_delete'), { untrustedContent: true })).toBe('ask')
  })
})
