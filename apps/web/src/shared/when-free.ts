import type { ConversationStore } from '@holdfast/client'
import { say } from './language/say.ts'
import { tell } from './toasts/toasts.ts'

/** Why an act on the path has to wait. */
export function busyWords(): string {
  return say('common.wait-for-reply')
}

/**
 * Acts on the path at once, or says why that has to wait. Whether a run is open is read at this moment: what is drawn may be a
 * frame older.
 */
export function whenFree(store: ConversationStore, act: () => void): void {
  if (store.getSnapshot().overview.runState.exclusive === null) act()
  else tell(busyWords(), null)
}
