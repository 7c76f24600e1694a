import type { EntryStore } from '@holdfast/conversation'
import { conversationCreated, inputAdmitted } from '@holdfast/conversation/testing'

/** Appends one entry of 20 kB to a log, and notes its head when that was acknowledged. */
export async function appendTo(store: EntryStore, conversationId: string, heads: Map<string, number>): Promise<void> {
  const { head } = await store.read({ conversationId, after: Number.MAX_SAFE_INTEGER, limit: 1 })
  const entry =
    head === 0 ? conversationCreated('user_1') : inputAdmitted(`input_${head}`, `words ${head} `.repeat(2_000))
  await store.append({ conversationId, after: head, entries: [entry], at: 1_000 + head })
  heads.set(conversationId, head + 1)
}

/** How many acknowledged entries a store does not have. */
export async function countLost(store: EntryStore, heads: ReadonlyMap<string, number>): Promise<number> {
  let lost = 0
  for (const [conversationId, acknowledged] of heads) {
    let found = 0
    while (true) {
      const { entries } = await store.read({ conversationId, after: found, limit: 500 })
      found += entries.length
      if (entries.length === 0) break
    }
    lost += Math.max(0, acknowledged - found)
  }
  return lost
}
