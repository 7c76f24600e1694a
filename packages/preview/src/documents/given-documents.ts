import { randomBytes } from 'node:crypto'
import type { Clock } from '@holdfast/conversation'

/** A document that our script was added to. */
export interface GivenDocument {
  readonly documentId: string
  /** The nonce of its script. */
  readonly nonce: string
}

/**
 * The documents of one preview whose script has not said yet that it is there. What a script is given to prove itself
 * is in its own text, which is given out once; nothing else in the page can have it. [WS3, PREV3]
 */
export interface GivenDocuments {
  /** A document is on its way to a browser. */
  give(path: string): GivenDocument
  /** What its script is told, once; null for the second who asks. */
  secretOf(documentId: string): string | null
  /** The path of the document that has a secret, once; null for a secret that nobody was given. */
  claim(secret: string): { readonly path: string } | null
}

/** How many wait at most, and how long: a page may be loaded and never run its script. */
const MOST = 500
const WAIT_MS = 60_000

interface Waiting {
  readonly path: string
  readonly until: number
}

/** No document yet. */
export function createGivenDocuments(clock: Pick<Clock, 'monotonicMs'>): GivenDocuments {
  const unread = new Map<string, Waiting>()
  const unclaimed = new Map<string, Waiting>()

  function forget(waiting: Map<string, Waiting>): void {
    const now = clock.monotonicMs()
    for (const [id, { until }] of waiting) {
      if (until > now && waiting.size <= MOST) break
      waiting.delete(id)
    }
  }

  return {
    give(path) {
      const documentId = randomBytes(12).toString('base64url')
      unread.set(documentId, { path, until: clock.monotonicMs() + WAIT_MS })
      forget(unread)
      return { documentId, nonce: randomBytes(16).toString('base64') }
    },
    secretOf(documentId) {
      forget(unread)
      const found = unread.get(documentId)
      if (found === undefined) return null
      unread.delete(documentId)
      const secret = randomBytes(16).toString('base64url')
      unclaimed.set(secret, { ...found, until: clock.monotonicMs() + WAIT_MS })
      forget(unclaimed)
      return secret
    },
    claim(secret) {
      forget(unclaimed)
      const found = unclaimed.get(secret)
      if (found === undefined) return null
      unclaimed.delete(secret)
      return { path: found.path }
    },
  }
}
