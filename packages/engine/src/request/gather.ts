import {
  type ContextLimits,
  findingFor,
  headOfPath,
  type LearntWindow,
  ratioOf,
  startSeqOf,
  windowThatCounts,
} from '@holdfast/context'
import {
  type EntryOf,
  isInRanges,
  type NewEntry,
  type Overview,
  overview,
  pathRanges,
  placeEntry,
  type Settings,
  settingsNow,
  settingsOfConversation,
} from '@holdfast/conversation'
import type { EnginePorts, ModelChoice } from '../api/ports.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { entryAt, type SentPath } from '../log/path-reader.ts'
import { type RequestState, requestState } from '../log/request-state.ts'
import { type AnswerLimits, answerLimits, windowLimits } from './model-settings.ts'
import { billedTo } from './usage.ts'

/** What a request is composed from: a log at a moment, live or past. */
export interface ComposeFrom extends Pick<RunAtWork, 'path'> {
  /** The run that asks; absent for one that is to be made, and for the turn of a past moment. */
  readonly runId?: string
  readonly log: Pick<RunAtWork['log'], 'conversationId' | 'overview' | 'requestState' | 'read'>
}

/** The model of a request, and what is set for all conversations. */
export interface ModelToAsk {
  readonly ports: Pick<EnginePorts, 'settings' | 'estimator'>
  readonly model: ModelChoice
  /** What a request asked for that was made; absent for one that is to be made. */
  readonly asked?: Partial<Pick<AnswerLimits, 'maxOutputTokens' | 'thinkingBudgetTokens'>>
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
  /** Whether all that a request holds was read: its start, or the beginning of the path. No other is sent. [WIN13] */
  readonly isWhole: boolean
  readonly tools: EntryOf<'tools-changed'> | null
  /** What is set for the conversation, over its agent's and the installation's. */
  readonly settings: Settings
  readonly answer: AnswerLimits
  readonly limits: ContextLimits | null
  readonly ratio: number
  readonly pinned: readonly EntryOf<'user-message-sent'>[]
}

/** How much is read at first, in windows, so that a move of the start is planned from what is there. */
export const READ_WINDOWS = 2

/** So many times as much is read where that was less than the window holds. */
export const READ_ON = 4

/**
 * Reads what a request is composed from, as the log is now, back to where it starts or over so many windows.
 *
 * What stands in the log may be far more than what is sent of it. Whoever composes a request that would fit reads on
 * until it is whole, or else says what is left out. [WIN13]
 */
export async function gather({ log, path, runId }: ComposeFrom, toAsk: ModelToAsk, windows: number): Promise<Gathered> {
  const { ports, model: chosen } = toAsk
  const state = log.overview()
  const requests = log.requestState()
  const finding = findingFor(requests.findings, billedTo(chosen))
  const model = withWindow(chosen, windowThatCounts(finding, chosen.facts.contextWindowTokens))
  const { exclusive, side } = state.runState
  const asking = runId === undefined ? exclusive : [exclusive, ...side].find((run) => run?.runId === runId)
  const thinkingOff = finding.thinkingRefused || asking?.thinkingOff === true
  const { conversationId } = log
  const place = state.toolDefinitions
  const named = { providerId: model.port.providerId, modelId: model.modelId }
  const ratio = ratioOf(requests.ratios, named, ports.estimator)
  const installation = settingsNow(ports.settings)
  const settings = settingsOfConversation(installation, state.settings)
  const answer = { ...answerLimits(installation, { own: state.settings, facts: model.facts }), ...toAsk.asked }
  const limits = windowLimits(settings, model.facts, answer)
  const most = limits === null ? Number.POSITIVE_INFINITY : limits.windowTokens * ratio * windows
  const [tools, sent] = await Promise.all([
    place && entryAt(log, { conversationId, seq: place.seq, type: 'tools-changed' }),
    path.read(state, most),
  ])
  const pinned = await pinnedBefore(log, sent)
  return {
    conversationId,
    model,
    told: chosen,
    learnt: finding.learnt,
    thinkingOff,
    state,
    requests,
    path: sent,
    isWhole: sent.reachesBeginning || (sent.entries[0]?.seq ?? 0) <= startSeqOf(headOfPath(sent.entries, sent.carried)),
    tools,
    settings,
    answer,
    limits,
    ratio,
    pinned,
  }
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
