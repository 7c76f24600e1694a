import type { Append, Appended, EntryStore } from '@holdfast/conversation'
import type { PlantedBug } from './planted-bug.ts'
import { type Plant, withAppend } from './planted-store.ts'

/** Bugs of what makes a turn cheap that the simulation must find: what is kept open, shared, remembered and gathered. */
export const PLANTED_SHORTCUT_BUGS: readonly PlantedBug[] = [
  { name: 'keeps a log open that another has written into', store: keptOpen },
  { name: 'changes a text that it shares with readers', store: withAppend(changedAfterwards) },
  { name: 'remembers an epoch for ever that was right once', store: rememberedEpochs },
  { name: 'loses one of the drafts that were gathered', store: losingGatheredDrafts },
  { name: 'loses a message that came while another was written', store: losingGatheredAppends },
]

/** What others wrote into a log that is open is not read: it is taken to end where this process left it. */
function keptOpen(store: EntryStore): EntryStore {
  const heads = new Map<string, number>()
  return {
    ...store,
    async append(append) {
      const appended = await store.append(append)
      const last = appended.entries.at(-1)
      if (last !== undefined && !appended.repeated) heads.set(append.conversationId, last.seq)
      return appended
    },
    // Those of others would tell of what they wrote.
    readSnapshots: async (conversationId) => (heads.has(conversationId) ? [] : store.readSnapshots(conversationId)),
    async read(query) {
      const page = await store.read(query)
      const head = heads.get(query.conversationId)
      if (head === undefined) heads.set(query.conversationId, page.head)
      if (!head || head >= page.head) return page
      return { ...page, entries: page.entries.filter(({ seq }) => seq <= head), head }
    },
  }
}

/** The words of an answer are other ones for who hears of it than for the log. */
async function changedAfterwards(append: Append, store: EntryStore): Promise<Appended> {
  const appended = await store.append(append)
  const entries = appended.entries.map((entry) =>
    entry.type === 'step-finished'
      ? {
          ...entry,
          blocks: entry.blocks.map((block) => (block.type === 'text' ? { ...block, text: `${block.text} ` } : block)),
        }
      : entry,
  )
  return { ...appended, entries }
}

/** An epoch under which something was written once is not compared again. */
function rememberedEpochs(store: EntryStore): EntryStore {
  const right = new Set<string>()
  return {
    ...store,
    async append(append) {
      const { epoch, ...unchecked } = append
      const key = `${append.conversationId} ${epoch}`
      if (right.has(key) && append.release === undefined) return store.append(unchecked)
      const appended = await store.append(append)
      if (epoch !== undefined) right.add(key)
      return appended
    },
  }
}

/** Of the chunks of several conversations that go together the last one stays behind. */
function losingGatheredDrafts(store: EntryStore): EntryStore {
  return {
    ...store,
    appendDrafts: (chunks) => store.appendDrafts(chunks.length > 1 ? chunks.slice(0, -1) : chunks),
  }
}

/** What comes while another append is under way is never sent, and nobody is answered. */
function losingGatheredAppends(store: EntryStore, { chance }: Parameters<Plant>[1]): EntryStore {
  let underWay = 0
  return {
    ...store,
    async append(append) {
      if (underWay > 0 && append.after > 0 && chance.happens(0.2)) return new Promise(() => {})
      underWay += 1
      try {
        return await store.append(append)
      } finally {
        underWay -= 1
      }
    },
  }
}
