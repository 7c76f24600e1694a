import type { Records } from '@holdfast/conversation'
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
}

/** As many times that the same was asked are remembered. */
const MOST_PLACES = 20

const THREAD = {
  kind: 'openai-thread',
  schema: z.object({ places: z.array(z.object({ conversationId: z.string(), inputId: z.string() })) }),
}

/** The threads of an installation, each of one user. */
export function createThreads(records: Records, now: () => number): Threads {
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
  }
}
