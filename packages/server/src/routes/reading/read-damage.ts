import { DamagedLogError, type EntryStore } from '@holdfast/conversation'
import type { BodyOf, routes } from '@holdfast/protocol'

/** What is needed to look at a log that may be damaged. */
export type DamagedStore = Pick<EntryStore, 'read' | 'readListing' | 'readableEntries'>

/** So many places that cannot be read are named. */
const MOST_NAMED = 100

/** Reads a whole log past any damage, and says what of it is there. [LOG7] */
export async function readDamage(
  store: DamagedStore,
  conversationId: string,
): Promise<BodyOf<typeof routes.readDamage, 200>> {
  const { watchMissing } = await import('@holdfast/archive')
  const head = (await listingUnlessDamaged(store, conversationId))?.head ?? null
  const watch = watchMissing()
  let readableCount = 0
  for await (const { seq } of store.readableEntries(conversationId)) {
    watch.see(seq)
    readableCount += 1
  }
  const missing = watch.missing(head)
  const what = await whatIsWrong(store, { conversationId, seq: missing[0]?.from ?? 1 })
  return {
    isDamaged: missing.length > 0 || what !== null,
    readableCount,
    entryCount: head,
    missing: missing.slice(0, MOST_NAMED).map((places) => ({ ...places })),
    what,
  }
}

/** The row of a conversation; null where it is damaged or there is none. */
export async function listingUnlessDamaged(store: Pick<EntryStore, 'readListing'>, conversationId: string) {
  try {
    return await store.readListing(conversationId)
  } catch (error) {
    if (error instanceof DamagedLogError) return null
    throw error
  }
}

async function whatIsWrong(
  store: DamagedStore,
  { conversationId, seq }: { readonly conversationId: string; readonly seq: number },
): Promise<string | null> {
  try {
    await store.read({ conversationId, after: seq - 1, limit: 1 })
    return null
  } catch (error) {
    if (error instanceof DamagedLogError) return error.message
    throw error
  }
}
