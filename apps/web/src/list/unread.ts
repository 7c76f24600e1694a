import { useSyncExternalStore } from 'react'
import * as z from 'zod'

const KEY = 'holdfast.seen'
const CHANGED = 'holdfast:seen'

/** When what a person has seen of each conversation was written, in milliseconds since the Unix epoch. */
const Seen = z.record(z.string(), z.number()).catch({})
type Seen = Readonly<z.infer<typeof Seen>>

let known: { readonly text: string | null; readonly seen: Seen } = { text: null, seen: {} }

/** What was seen in this browser. Titles and summaries change nothing of it: they are not what is read. */
export function useSeen(): Seen {
  return useSyncExternalStore(subscribe, readSeen)
}

/** A conversation was looked at, with everything up to this time. One that was never looked at here counts as seen. */
export function markSeen(conversationId: string, updatedAt: number): void {
  const seen = readSeen()
  if ((seen[conversationId] ?? 0) >= updatedAt) return
  localStorage.setItem(KEY, JSON.stringify({ ...seen, [conversationId]: updatedAt }))
  dispatchEvent(new Event(CHANGED))
}

/** Whether something was written since. */
export function isUnread(seen: Seen, { id, updatedAt }: { readonly id: string; readonly updatedAt: number }): boolean {
  const at = seen[id]
  return at !== undefined && updatedAt > at
}

function readSeen(): Seen {
  const text = localStorage.getItem(KEY)
  if (text !== known.text) known = { text, seen: parsed(text) }
  return known.seen
}

function parsed(text: string | null): Seen {
  try {
    return Seen.parse(JSON.parse(text ?? '{}'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return {}
  }
}

function subscribe(listener: () => void): () => void {
  addEventListener(CHANGED, listener)
  addEventListener('storage', listener)
  return () => {
    removeEventListener(CHANGED, listener)
    removeEventListener('storage', listener)
  }
}
