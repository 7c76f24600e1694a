import type { Clock, Draft, DraftDelta, DraftStore } from '@holdfast/conversation'
import type { LiveMessage } from '@holdfast/engine'
import { createRemoteDraft, type KeptMark } from './remote-draft.ts'

/** What another replica says of the open step. */
export type RemoteNews =
  | { readonly type: 'delta'; readonly delta: DraftDelta }
  | ({ readonly type: 'draft-kept'; readonly stepId: string } & KeptMark)

/** The open step of a run at another replica: what comes of it is told here without a hole, and holes are filled from the store. */
export interface RemoteStep {
  take(news: RemoteNews): void
  /** Whether it is of the step that is open here, which has no hole. */
  goesOnWith(news: RemoteNews): boolean
  /** There may be more of it in the store: it is read with the next look, which is asked for as soon as it may be. */
  want(): void
  /** Reads it, if it is wanted. @returns whether something was found. */
  read(): Promise<boolean>
  /** The step ended. */
  end(stepId: string): void
  /** The run ended, or is not at another replica. */
  forget(): void
  now(): Draft | null
  close(): void
}

/** What it works with. */
export interface RemoteStepDeps {
  readonly conversationId: string
  readonly store: Pick<DraftStore, 'readDrafts'>
  readonly clock: Pick<Clock, 'after' | 'monotonicMs'>
  readonly tell: (message: LiveMessage) => void
  /** Looks at the conversation now. */
  readonly look: () => void
}

/** Between two readings, in milliseconds: the owner writes so often. */
const LEAST_PAUSE_MS = 100

/** The step is read whole: so many times as long as a reading took passes before the next. */
const READING_SHARE = 4

/** Makes one of which nothing is known, and which is read with the first look. */
export function createRemoteStep({ conversationId, store, clock, tell, look }: RemoteStepDeps): RemoteStep {
  const draft = createRemoteDraft({
    onDelta: (delta) => tell({ type: 'delta', conversationId, delta }),
    onKept: (deltas) => tell({ type: 'kept-deltas', conversationId, deltas }),
  })
  let isWanted = true
  let readableAt = 0
  let cancel: (() => void) | null = null
  let isOpen = true

  function want(): void {
    isWanted = true
    if (!isOpen || cancel !== null) return
    const waitMs = readableAt - clock.monotonicMs()
    if (waitMs <= 0) {
      look()
      return
    }
    cancel = clock.after(waitMs, () => {
      cancel = null
      if (isWanted) look()
    })
  }

  return {
    take(news) {
      if (news.type === 'draft-kept') draft.keep(news)
      else draft.take(news.delta)
      if (draft.hasHole()) want()
    },
    goesOnWith(news) {
      const stepId = news.type === 'delta' ? news.delta.stepId : news.stepId
      return draft.now()?.stepId === stepId && !draft.hasHole()
    },
    want,
    async read() {
      if (!isWanted) return false
      const begun = clock.monotonicMs()
      isWanted = false
      const stored = (await store.readDrafts(conversationId)).at(-1)
      const now = clock.monotonicMs()
      readableAt = now + Math.max(LEAST_PAUSE_MS, (now - begun) * READING_SHARE)
      if (!isOpen) return false
      const isNew = stored ? draft.takeStored(stored.stepId, stored.deltas) : false
      if (draft.hasHole()) want()
      return isNew
    },
    end: draft.end,
    forget: draft.forget,
    now: draft.now,
    close() {
      isOpen = false
      cancel?.()
    },
  }
}
