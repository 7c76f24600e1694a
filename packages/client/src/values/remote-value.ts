import { RequestFailedError } from '../link/request-failed-error.ts'
import { createSource, type Observable } from './observable.ts'

/** Something that the server is asked for: what is known of it, and whether it is being asked again. */
export interface Remote<Value> {
  /** `waiting` until somebody asks; `failed` keeps what was known before. */
  readonly state: 'waiting' | 'loading' | 'loaded' | 'failed'
  /** The last answer; undefined before the first. */
  readonly value: Value | undefined
  /** Why the last question had no answer. */
  readonly problem: RequestFailedError | null
}

/** A value at the server, read when somebody asks. */
export interface RemoteValue<Value> extends Observable<Remote<Value>> {
  /** Reads it anew. Asked again on the way, it is read once more when the answer is here, and not more often. */
  load(): void
}

/** Makes such a value. `read` throws {RequestFailedError} when there is no answer. */
export function createRemoteValue<Value>(
  read: () => Promise<Value>,
  tellLater: (tell: () => void) => void,
): RemoteValue<Value> {
  const source = createSource<Remote<Value>>({ state: 'waiting', value: undefined, problem: null }, tellLater)
  let isReading = false
  let isAskedAgain = false

  async function load(): Promise<void> {
    if (isReading) {
      isAskedAgain = true
      return
    }
    isReading = true
    try {
      do {
        isAskedAgain = false
        source.set({ ...source.getSnapshot(), state: 'loading' })
        source.set(await readOnce())
      } while (isAskedAgain)
    } finally {
      isReading = false
    }
  }

  async function readOnce(): Promise<Remote<Value>> {
    try {
      return { state: 'loaded', value: await read(), problem: null }
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error
      return { ...source.getSnapshot(), state: 'failed', problem: error }
    }
  }

  return { getSnapshot: source.getSnapshot, subscribe: source.subscribe, load: () => void load() }
}
