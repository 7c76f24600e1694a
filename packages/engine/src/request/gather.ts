import { type ContextLimits, ratioOf } from '@holdfast/context'
import {
  type EntryOf,
  isInRanges,
  type NewEntry,
  type Overview,
  overview,
  pathRanges,
  placeEntry,
} from '@holdfast/conversation'
import type { ModelChoice } from '../api/ports.ts'
import { entryAt, type SentPath } from '../log/path-reader.ts'
import { type RequestState, requestState } from '../log/request-state.ts'
import type { RunAtWork } from '../log/run-at-work.ts'
import { limitsOf, parametersOf } from './model-limits.ts'

/** What a request is composed from: a log at a moment, live or past. */
export interface ComposeFrom extends Pick<RunAtWork, 'path'> {
  readonly log: Pick<RunAtWork['log'], 'conversationId' | 'overview' | 'requestState' | 'read'>
}

/** The model of a request, and whether it was found to refuse thinking. */
export interface ModelToAsk {
  readonly model: ModelChoice
  readonly thinkingOff: boolean
}

/** What was read of a log for a request, before it is composed. */
export interface Gathered {
  readonly conversationId: string
  readonly model: ModelChoice
  readonly thinkingOff: boolean
  readonly state: Overview
  readonly requests: RequestState
  readonly path: SentPath
  readonly tools: EntryOf<'tools-changed'> | null
  readonly limits: ContextLimits | null
  readonly ratio: number
  readonly pinned: readonly EntryOf<'user-message-sent'>[]
}

/** How much more than the window is read, so that a move of its start is planned from what is there. */
const READ_BEYOND = 2

/** Reads what a request is composed from, as the log is now. */
export async function gather({ log, path }: ComposeFrom, { model, thinkingOff }: ModelToAsk): Promise<Gathered> {
  const state = log.overview()
  const requests = log.requestState()
  const { conversationId } = log
  const place = state.toolDefinitions
  const tools = place && (await entryAt(log, { conversationId, seq: place.seq, type: 'tools-changed' }))
  const ratio = ratioOf(requests.ratios, { providerId: model.port.providerId, modelId: model.modelId })
  const limits = limitsOf(model, parametersOf(state.settings, model).maxOutputTokens)
  const most = limits === null ? Number.POSITIVE_INFINITY : limits.windowTokens * ratio * READ_BEYOND
  const sent = await path.read(state, most)
  const pinned = await pinnedBefore(log, sent)
  return { conversationId, model, thinkingOff, state, requests, path: sent, tools, limits, ratio, pinned }
}

/** What was gathered, with entries at its end that the log does not hold yet. */
export function withEntries(gathered: Gathered, added: readonly NewEntry[], now: number): Gathered {
  const { conversationId, state, requests, path } = gathered
  const entries = added.map((entry, index) =>
    placeEntry(entry, { conversationId, seq: state.head + 1 + index, at: now }),
  )
  return {
    ...gathered,
    state: overview.reduce(state, entries),
    requests: requestState.reduce(requests, entries),
    path: { ...path, entries: [...path.entries, ...entries] },
  }
}

/** The pinned messages of the path that a checkpoint would not find among what was read. [CHK4] */
async function pinnedBefore(
  log: ComposeFrom['log'],
  { entries, carried }: SentPath,
): Promise<readonly EntryOf<'user-message-sent'>[]> {
  const { conversationId } = log
  const { pins, path } = log.overview()
  const known = new Set([...entries, ...carried].map(({ seq }) => seq))
  const ranges = pathRanges(path)
  const unread = pins.filter((seq) => !known.has(seq) && isInRanges(ranges, seq))
  const found = await Promise.all(unread.map((seq) => entryAt(log, { conversationId, seq, type: 'user-message-sent' })))
  return found.filter((entry) => entry !== null)
}
