import {
  type Entry,
  type EntryLog,
  type NewEntry,
  type Overview,
  overview,
  type PageQuery,
  placeEntry,
} from '@holdfast/conversation'
import type { LiveLog } from '../log/live-log.ts'
import { createPathReader } from '../log/path-reader.ts'
import { requestState } from '../log/request-state.ts'
import type { ComposeFrom } from './gather.ts'

/** A log as it would be with entries that nobody has written. */
export interface HypotheticalLog extends ComposeFrom {
  readonly state: Overview
}

/** Adds entries to a log for as long as one asks what would follow from them; nothing is written. */
export function hypotheticalLog(
  { store, now }: { readonly store: Pick<EntryLog, 'read'>; readonly now: number },
  log: Pick<LiveLog, 'conversationId' | 'overview' | 'requestState'>,
  added: readonly NewEntry[],
): HypotheticalLog {
  const { conversationId } = log
  const known = log.overview()
  const entries = added.map((entry, index) =>
    placeEntry(entry, { conversationId, seq: known.head + 1 + index, at: now }),
  )
  const state = overview.reduce(known, entries)
  const requests = requestState.reduce(log.requestState(), entries)
  const overlay = { read: readerOver(store, { head: known.head, entries }) }
  return {
    state,
    log: { conversationId, overview: () => state, requestState: () => requests, ...overlay },
    path: createPathReader(overlay, conversationId),
  }
}

/** Pages of the log up to a head, and of the entries that follow it. What others have written since is not seen. */
function readerOver(
  store: Pick<EntryLog, 'read'>,
  { head, entries: added }: { readonly head: number; readonly entries: readonly Entry[] },
): EntryLog['read'] {
  return async ({ conversationId, limit, after, before }: PageQuery) => {
    const newHead = head + added.length
    if (before !== undefined) {
      const last = added.filter(({ seq }) => seq < before).slice(-limit)
      const room = limit - last.length
      const page =
        room === 0
          ? []
          : (await store.read({ conversationId, before: Math.min(before, head + 1), limit: room })).entries
      return { entries: [...page, ...last], head: newHead }
    }
    const page = after < head ? (await store.read({ conversationId, after, limit })).entries : []
    const first = page.filter(({ seq }) => seq <= head)
    const isAtHead = after >= head || first.at(-1)?.seq === head
    const rest = isAtHead ? added.filter(({ seq }) => seq > after).slice(0, limit - first.length) : []
    return { entries: [...first, ...rest], head: newHead }
  }
}
