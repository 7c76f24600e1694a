import { type EntryLog, type NewEntry, type Overview, overview, placeEntry } from '@holdfast/conversation'
import type { LiveLog } from '../log/live-log.ts'
import { createPathReader } from '../log/path-reader.ts'
import { readOver } from '../log/read-over.ts'
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
  const overlay = { read: readOver(store, { head: known.head, entries }) }
  return {
    state,
    log: { conversationId, overview: () => state, requestState: () => requests, ...overlay },
    path: createPathReader(overlay, conversationId),
  }
}
