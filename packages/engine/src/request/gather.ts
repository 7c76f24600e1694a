import { type ContextLimits, findingFor, type LearntWindow, ratioOf, windowThatCounts } from '@holdfast/context'
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
import { billedTo } from './usage.ts'

/** What a request is composed from: a log at a moment, live or past. */
export interface ComposeFrom extends Pick<RunAtWork, 'path'> {
  readonly log: Pick<RunAtWork['log'], 'conversationId' | 'overview' | 'requestState' | 'read'>
}

/** What was read of a log for a request, before it is composed. */
export interface Gathered {
  readonly conversationId: string
  /** The model with the window that counts here. */
  readonly model: ModelChoice
  /** The model as everyone knows it. */
  readonly told: ModelChoice
  /** What was learnt of its window here, whether or not it counts. [WIN8] */
  readonly learnt: LearntWindow | null
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
export async function gather({ log, path }: ComposeFrom, chosen: ModelChoice): Promise<Gathered> {
  const state = log.overview()
  const requests = log.requestState()
  const finding = findingFor(requests.findings, billedTo(chosen))
  const model = withWindow(chosen, windowThatCounts(finding, chosen.facts.contextWindowTokens))
  const { exclusive, side } = state.runState
  const thinkingOff = finding.thinkingRefused || [exclusive, ...side].some((run) => run?.thinkingOff)
  const { conversationId } = log
  const place = state.toolDefinitions
  const tools = place && (await entryAt(log, { conversationId, seq: place.seq, type: 'tools-changed' }))
  const ratio = ratioOf(requests.ratios, { providerId: model.port.providerId, modelId: model.modelId })
  const limits = limitsOf(model, parametersOf(state.settings, model).maxOutputTokens)
  const most = limits === null ? Number.POSITIVE_INFINITY : limits.windowTokens * ratio * READ_BEYOND
  const sent = await path.read(state, most)
  const pinned = await pinnedBefore(log, sent)
  const { learnt } = finding
  const known = { model, told: chosen, learnt, thinkingOff }
  return { conversationId, ...known, state, requests, path: sent, tools, limits, ratio, pinned }
}

/** A model as it counts for the requests of a conversation: with the window that it has learnt. [WIN8] */
function withWindow(model: ModelChoice, contextWindowTokens: number | null): ModelChoice {
  return contextWindowTokens === model.facts.contextWindowTokens
    ? model
    : { ...model, facts: { ...model.facts, contextWindowTokens } }
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
