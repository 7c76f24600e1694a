import { type BlobStore, type Clock, UPLOAD_KEPT_MS } from '@holdfast/conversation'

/** When uploads are looked through first, and then again and again, in milliseconds. */
const FIRST_MS = 60_000
const PAUSE_MS = 3_600_000

/** What it needs. */
export interface UploadCollection {
  readonly store: Pick<BlobStore, 'collectBlobs'>
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** Deletes every hour what was uploaded a day ago and is named by no entry. [LOG11] @returns the end. */
export function collectUploads({ store, clock, onError }: UploadCollection): () => void {
  let ended = false
  let cancel = clock.after(FIRST_MS, collect)

  function collect(): void {
    store
      .collectBlobs(clock.now() - UPLOAD_KEPT_MS)
      .catch(onError)
      .finally(() => {
        if (!ended) cancel = clock.after(PAUSE_MS, collect)
      })
  }

  return () => {
    ended = true
    cancel()
  }
}
