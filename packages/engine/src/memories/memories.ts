import {
  type Clock,
  createKeyedTurns,
  type Ids,
  type Records,
  RevisionConflictError,
  SETTINGS,
  type Settings,
  type StoredRecord,
  settingsNow,
} from '@holdfast/conversation'
import * as z from 'zod'
import { createKeptReads } from './kept-reads.ts'
import { MEMORY, type Memory, memoryText } from './memory.ts'
import { areSameWords } from './rank-memories.ts'

/** What is to be remembered. */
export interface MemoryToSave {
  readonly text: string
  readonly agentId: string | null
  readonly isPinned: boolean
  readonly from: Memory['from']
  /** A memory that this one takes the place of; null for none. */
  readonly replaces: string | null
}

/** What changes of a memory; what is absent stays. */
export interface MemoryChange {
  readonly text?: string
  readonly agentId?: string | null
  readonly isPinned?: boolean
}

/** What became of a wish. A refusal says why and what to do. */
export type MemoryOutcome =
  | { readonly type: 'saved'; readonly memory: Memory }
  /** It was there already, in the same words. */
  | { readonly type: 'known'; readonly memory: Memory }
  | { readonly type: 'unknown'; readonly memoryId: string }
  | { readonly type: 'refused'; readonly code: 'empty' | 'too-long' | 'full'; readonly text: string }

/** What is remembered of users. Each call is about one user alone; nothing of another is read or touched. [SEC1] */
export interface Memories {
  /** What is set about memories for all users. */
  settings(): MemorySettings
  /** Whether the user wants agents to remember at all. */
  isOn(userId: string): Promise<boolean>
  setOn(userId: string, isOn: boolean): Promise<void>
  /** All of a user in the order in which they were saved, oldest first: at most `mostMemories`, unless there were more when that was set. */
  list(userId: string): Promise<readonly Memory[]>
  /** Remembers something once: the same words for the same agent are one memory. */
  save(userId: string, wish: MemoryToSave): Promise<MemoryOutcome>
  change(userId: string, memoryId: string, change: MemoryChange): Promise<MemoryOutcome>
  /** @returns whether there was one. */
  remove(userId: string, memoryId: string): Promise<boolean>
  /** Forgets all of a user, or all that was saved in one conversation. @returns how many. */
  removeAll(userId: string, from: { readonly conversationId: string | null }): Promise<number>
}

/** How much is remembered of one user, and told of it. */
export type MemorySettings = Pick<Settings, 'mostMemories' | 'memoryChars' | 'memoryNoteTokens'>

/** Whether a user wants memories; without a record they do. */
const SWITCH = { kind: 'memory-switch', schema: z.object({ isOn: z.boolean() }) } as const
const SWITCH_ID = 'all'

/** Memories of all users that are kept at hand, with one more for each user. */
const MOST_KEPT = 10_000

/**
 * Keeps memories in the records. Changes of one user follow each other, so that two wishes cannot both be the first:
 * a process makes one and gives it to all who change memories. Where no other process writes the records, what was read
 * of a user is at hand until one of these functions writes it. [REQ10]
 */
export function createMemories({
  records,
  clock,
  ids,
  isShared,
  settings: source,
}: {
  readonly records: Records
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Ids
  /** Whether other processes, or others in this one, write memories to the same records: then each question reads them anew. */
  readonly isShared: boolean
  /** The settings of the installation; absent for the usual ones. */
  readonly settings?: () => Settings
}): Memories {
  const settings = (): MemorySettings => settingsNow(source)
  const turns = createKeyedTurns()
  const inTurn = <Result>(userId: string, work: () => Promise<Result>): Promise<Result> =>
    turns(userId, () => untilWritten(work).finally(() => kept.forget(userId)))

  const kept = createKeptReads({ read: readAll, sizeOf: ({ memories }) => 1 + memories.length, most: MOST_KEPT })
  const known = isShared ? readAll : kept.read

  async function readAll(userId: string): Promise<{ readonly isOn: boolean; readonly memories: readonly Memory[] }> {
    const [turned, memories] = await Promise.all([
      records.get(SWITCH, { ownerId: userId, id: SWITCH_ID }),
      list(userId),
    ])
    return { isOn: turned?.value.isOn ?? true, memories }
  }

  /** The records of a user in the order in which they were saved. */
  async function stored(userId: string): Promise<readonly StoredMemory[]> {
    // Two servers on one database may each add one at the limit: those are read as well.
    const found = await records.list(MEMORY, { ownerId: userId, limit: 2 * SETTINGS.mostMemories.most })
    return found.toSorted(bySaving)
  }

  async function list(userId: string): Promise<readonly Memory[]> {
    return (await stored(userId)).map(toMemory)
  }

  async function read(userId: string, memoryId: string) {
    return records.get(MEMORY, { ownerId: userId, id: memoryId })
  }

  async function removeOne(userId: string, memoryId: string): Promise<boolean> {
    const found = await read(userId, memoryId)
    if (found === null) return false
    await records.remove(MEMORY, { ownerId: userId, id: memoryId, revision: found.revision })
    return true
  }

  async function save(userId: string, wish: MemoryToSave): Promise<MemoryOutcome> {
    const text = memoryText(wish.text)
    const refused = refusalOf(text, settings())
    if (refused) return refused
    const { agentId, isPinned, from, replaces } = wish
    const known = await stored(userId)
    const all = known.map(toMemory)
    const place = replaces === null ? null : await read(userId, replaces)
    if (replaces !== null && place === null) return { type: 'unknown', memoryId: replaces }
    const same = sameAs(all, { text, agentId })
    if (same && same.memoryId !== replaces) {
      if (replaces !== null) await removeOne(userId, replaces)
      return { type: 'known', memory: same }
    }
    if (place === null && all.length >= settings().mostMemories) return full(settings())
    const at = clock.now()
    const ordinal = (known.at(-1)?.value.ordinal ?? 0) + 1
    const put = await records.put(MEMORY, {
      ownerId: userId,
      id: place?.id ?? ids.next('memory'),
      revision: place?.revision ?? 0,
      at,
      value: { text, agentId, isPinned: isPinned || (place?.value.isPinned ?? false), createdAt: at, ordinal, from },
    })
    return { type: 'saved', memory: toMemory(put) }
  }

  async function change(userId: string, memoryId: string, changes: MemoryChange): Promise<MemoryOutcome> {
    const found = await read(userId, memoryId)
    if (found === null) return { type: 'unknown', memoryId }
    const text = changes.text === undefined ? found.value.text : memoryText(changes.text)
    const refused = refusalOf(text, settings())
    if (refused) return refused
    const value = { ...found.value, ...changes, text }
    const same = sameAs(await list(userId), value)
    if (same && same.memoryId !== memoryId) {
      await removeOne(userId, memoryId)
      return { type: 'known', memory: same }
    }
    const { revision } = found
    const put = await records.put(MEMORY, { ownerId: userId, id: memoryId, revision, value, at: clock.now() })
    return { type: 'saved', memory: toMemory(put) }
  }

  return {
    settings,
    isOn: async (userId) => (await known(userId)).isOn,
    setOn: (userId, isOn) =>
      inTurn(userId, async () => {
        const found = await records.get(SWITCH, { ownerId: userId, id: SWITCH_ID })
        const revision = found?.revision ?? 0
        await records.put(SWITCH, { ownerId: userId, id: SWITCH_ID, revision, value: { isOn }, at: clock.now() })
      }),
    list: async (userId) => (await known(userId)).memories,
    save: (userId, wish) => inTurn(userId, () => save(userId, wish)),
    change: (userId, memoryId, changes) => inTurn(userId, () => change(userId, memoryId, changes)),
    remove: (userId, memoryId) => inTurn(userId, () => removeOne(userId, memoryId)),
    removeAll: (userId, { conversationId }) =>
      inTurn(userId, async () => {
        const all = await list(userId)
        const gone = conversationId === null ? all : savedIn(all, conversationId)
        for (const { memoryId } of gone) await removeOne(userId, memoryId)
        return gone.length
      }),
  }
}

/** What was saved in one conversation. */
export function savedIn(memories: readonly Memory[], conversationId: string): readonly Memory[] {
  return memories.filter(({ from }) => from?.conversationId === conversationId)
}

function full({ mostMemories }: MemorySettings): MemoryOutcome {
  const text = `There are ${mostMemories} memories, which is the most; delete one that no longer matters first`
  return { type: 'refused', code: 'full', text }
}

function refusalOf(text: string, { memoryChars }: MemorySettings): Extract<MemoryOutcome, { type: 'refused' }> | null {
  if (text === '') return { type: 'refused', code: 'empty', text: 'A memory needs words; this one has none' }
  if (text.length <= memoryChars) return null
  const words = `A memory has at most ${memoryChars} characters and this one ${text.length}; save the fact in one sentence`
  return { type: 'refused', code: 'too-long', text: words }
}

function sameAs(memories: readonly Memory[], wish: Pick<Memory, 'text' | 'agentId'>): Memory | undefined {
  return memories.find(({ text, agentId }) => agentId === wish.agentId && areSameWords(text, wish.text))
}

type StoredMemory = StoredRecord<z.infer<typeof MEMORY.schema>>

function toMemory({ id, updatedAt, value }: StoredMemory): Memory {
  const { text, agentId, isPinned, createdAt, from } = value
  return { memoryId: id, changedAt: updatedAt, text, agentId, isPinned, createdAt, from }
}

/** Oldest first. Two that other servers saved at once have one ordinal: then time decides, and then the id. */
function bySaving(one: StoredMemory, other: StoredMemory): number {
  const { ordinal, createdAt } = one.value
  return ordinal - other.value.ordinal || createdAt - other.value.createdAt || (one.id < other.id ? -1 : 1)
}

/** Decides again while another process is faster: each of those has written. */
async function untilWritten<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof RevisionConflictError)) throw error
    }
  }
}
