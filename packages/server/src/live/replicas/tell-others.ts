import type { Doorbell } from '@holdfast/conversation'
import type { LiveMessage } from '@holdfast/engine'
import type { Peers } from './peers.ts'
import { keptMark } from './remote-draft.ts'

/** What others are told by. */
export interface ToldBy {
  readonly doorbell: Pick<Doorbell, 'ring'>
  /** Null where there is no carrier. */
  readonly peers: Peers | null
}

/** Tells the other replicas of what happens here: of entries all, of what streams those that follow. [SCALE10, SCALE11] */
export function tellOthers({ doorbell, peers }: ToldBy, message: LiveMessage): void {
  const { conversationId } = message
  switch (message.type) {
    case 'entries': {
      const head = message.entries.at(-1)?.seq
      if (head === undefined) return
      doorbell.ring({ type: 'grown', conversationId, head })
      peers?.tellAll({ type: 'grown', conversationId, head })
      return
    }
    case 'kept-deltas': {
      const last = message.deltas.at(-1)
      if (!last) return
      // Without a carrier it is rung, and the others read.
      if (!peers?.areReached()) doorbell.ring({ type: 'draft-kept', conversationId })
      else peers.tellFollowers({ type: 'draft-kept', conversationId, stepId: last.stepId, ...keptMark(last) })
      return
    }
    case 'erased':
      doorbell.ring({ type: 'erased', conversationId })
      peers?.tellFollowers(message)
      return
    case 'delta':
    case 'write-failed':
    case 'progress':
      peers?.tellFollowers(message)
      return
    case 'grown':
      return
  }
}
