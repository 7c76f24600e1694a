import * as z from 'zod'
import { placeKeeper } from '../shared/tab-storage.ts'

/** Where somebody reads a conversation: a message and how far it stands under the upper edge, or what was sent last. */
export const ReadingPlace = z.discriminatedUnion('type', [
  z.object({ type: z.literal('at'), seq: z.int().positive(), topPx: z.number() }),
  z.object({ type: z.literal('under-what-was-sent') }),
])
export type ReadingPlace = z.infer<typeof ReadingPlace>

/** Where this tab stood last in a conversation; null for its end. */
export function keptPlace(conversationId: string): ReadingPlace | null {
  const kept = placeKeeper.load(conversationId)
  const read = ReadingPlace.safeParse(kept === null ? null : JSON.parse(kept))
  return read.success ? read.data : null
}

/** Keeps it for the next time, also over a reload of the tab. */
export function keepPlace(conversationId: string, place: ReadingPlace | null): void {
  placeKeeper.save(conversationId, place === null ? null : JSON.stringify(place))
}
