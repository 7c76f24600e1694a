import { type EntryStore, MAX_PAGE_ENTRIES } from '@holdfast/conversation'
import {
  type Memories,
  type Memory,
  type MemoryOutcome,
  memoriesFor,
  memoryAgentOf,
  rankMemories,
  type ToolsQuery,
  usesMemories,
} from '@holdfast/engine'
import type { MemoryLogChange } from '@holdfast/tool'
import type { MemoryShelf, ShelfAnswer } from '@holdfast/toolbox'

/** What the way to memories is made of. */
export interface MemoryShelfDeps {
  readonly memories: Memories
  readonly store: Pick<EntryStore, 'read'>
}

/** The memories that the agent of a conversation may use: of its owner, for every agent or for this one. [SEC1, AGENT4] */
export function memoryShelfOf({ memories, store }: MemoryShelfDeps, query: ToolsQuery): MemoryShelf {
  const { conversationId, ownerId, settings } = query
  const agentId = memoryAgentOf(settings.agentId)

  async function whileOn<Value>(work: () => Promise<ShelfAnswer<Value>>): Promise<ShelfAnswer<Value>> {
    if (!usesMemories(query)) return refused('Memories are turned off for this conversation. Go on without them.')
    if (!(await memories.isOn(ownerId))) return refused('The user has turned memories off. Go on without them.')
    return work()
  }

  async function own(): Promise<readonly Memory[]> {
    return memoriesFor(await memories.list(ownerId), agentId)
  }

  async function ownOne(memoryId: string): Promise<Memory | undefined> {
    return (await own()).find((memory) => memory.memoryId === memoryId)
  }

  return {
    save: ({ text, replaces }, { report }) =>
      whileOn(async () => {
        const place = replaces === null ? undefined : await ownOne(replaces)
        if (replaces !== null && place === undefined) return unknown(replaces)
        const from = { conversationId, seq: await newestMessage(store, conversationId) }
        // What is corrected stays whose it was: a memory for every agent does not become this one's.
        const wish = { text, agentId: place ? place.agentId : agentId, isPinned: false, from, replaces }
        const outcome = await memories.save(ownerId, wish)
        for (const change of changesBy(outcome, place)) report({ type: 'memory-changed', ...change })
        return savedAnswer(outcome)
      }),
    search: (words) =>
      whileOn(async () => done(rankMemories(await own(), words, { onlyRare: false }).map(({ memory }) => memory))),
    list: () => whileOn(async () => done(await own())),
    delete: (memoryId, { report }) =>
      whileOn(async () => {
        const memory = await ownOne(memoryId)
        if (memory === undefined || !(await memories.remove(ownerId, memoryId))) return unknown(memoryId)
        report({ type: 'memory-changed', ...forgotten(memory) })
        return done(memory)
      }),
  }
}

/** What a wish has changed: nothing that was known already, but the memory whose place that took is gone. */
function changesBy(outcome: MemoryOutcome, replaced: Memory | undefined): readonly MemoryLogChange[] {
  switch (outcome.type) {
    case 'saved': {
      const { memoryId, agentId, text } = outcome.memory
      return [{ memoryId, agentId, text }]
    }
    case 'known':
      return replaced === undefined || replaced.memoryId === outcome.memory.memoryId ? [] : [forgotten(replaced)]
    case 'unknown':
    case 'refused':
      return []
  }
}

function forgotten({ memoryId, agentId }: Memory): MemoryLogChange {
  return { memoryId, agentId, text: null }
}

function savedAnswer(outcome: MemoryOutcome): ShelfAnswer<{ readonly memory: Memory; readonly isNew: boolean }> {
  switch (outcome.type) {
    case 'saved':
      return done({ memory: outcome.memory, isNew: true })
    case 'known':
      return done({ memory: outcome.memory, isNew: false })
    case 'unknown':
      return unknown(outcome.memoryId)
    case 'refused':
      return refused(`${outcome.text}.`)
  }
}

function unknown(memoryId: string): ShelfAnswer<never> {
  return refused(`There is no memory ${JSON.stringify(memoryId)}; memory_list shows the ids.`)
}

function refused(text: string): ShelfAnswer<never> {
  return { type: 'refused', text }
}

function done<Value>(value: Value): ShelfAnswer<Value> {
  return { type: 'done', value }
}

/** The message that the running turn answers; 0 where none is near the end of the log. */
async function newestMessage(store: Pick<EntryStore, 'read'>, conversationId: string): Promise<number> {
  const page = await store.read({ conversationId, before: Number.MAX_SAFE_INTEGER, limit: MAX_PAGE_ENTRIES })
  return page.entries.findLast(({ type }) => type === 'user-message-sent')?.seq ?? 0
}
