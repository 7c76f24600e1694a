import { type Records, RevisionConflictError } from '@holdfast/conversation'
import * as z from 'zod'

/** An answer in a conversation here: the input that it answers. */
export interface ThreadPlace {
  readonly conversationId: string
  readonly inputId: string
}

/**
 * Which conversation holds what a client says was said: clients of chat completions send no id, but all of the history.
 * Kept by a hash of what was asked, so that nothing of it is kept twice.
 */
export interface Threads {
  /** Where this was asked, the newest time first. */
  find(userId: string, historyId: string): Promise<readonly ThreadPlace[]>
  /** Keeps where it was asked. */
  keep(userId: string, historyId: string, place: ThreadPlace): Promise<void>
  /** Forgets every place in a conversation: what its client still says is not what stands there. [LOG9] */
  forget(userId: string, conversationId: string): Promise<void>
}

/** As many records are read at once. */
const PAGE_RECORDS = 500

/** As many times that the same was asked are remembered. */
const MOST_PLACES = 20

const THREAD = {
  kind: 'openai-thread',
  schema: z.object({ places: z.array(z.object({ conversationId: z.string(), inputId: z.string() })) }),
}

/** The threads of an installation, each of one user. */
export function createThreads(records: Records, now: () => number): Threads {
  /** Takes a conversation out of a thread; where an answer is kept in it meanwhile, of what that left. */
  async function leaveOut(ownerId: string, id: string, conversationId: string): Promise<void> {
    const known = await records.get(THREAD, { ownerId, id })
    if (!known) return
    const { revision, value } = known
    const places = value.places.filter((place) => place.conversationId !== conversationId)
    try {
      if (places.length === 0) await records.remove(THREAD, { ownerId, id, revision })
      else await records.put(THREAD, { ownerId, id, revision, value: { places }, at: now() })
    } catch (error) {
      if (!(error instanceof RevisionConflictError)) throw error
      await leaveOut(ownerId, id, conversationId)
    }
  }

  return {
    async find(ownerId, id) {
      return (await records.get(THREAD, { ownerId, id }))?.value.places ?? []
    },
    async keep(ownerId, id, place) {
      const known = await records.get(THREAD, { ownerId, id })
      const others = known?.value.places.filter(({ inputId }) => inputId !== place.inputId) ?? []
      const places = [{ ...place }, ...others].slice(0, MOST_PLACES)
      await records.put(THREAD, { ownerId, id, revision: known?.revision ?? 0, value: { places }, at: now() })
    },
    async forget(ownerId, conversationId) {
      for (let afterId: string | undefined; ; ) {
        const from = afterId === undefined ? {} : { afterId }
        const page = await records.list(THREAD, { ownerId, limit: PAGE_RECORDS, ...from })
        for (const { id, value } of page)
          if (value.places.some((place) => place.conversationId === conversationId))
            await leaveOut(ownerId, id, conversationId)
        afterId = page.at(-1)?.id
        if (page.length < PAGE_RECORDS) return
      }
    },
  }
}
