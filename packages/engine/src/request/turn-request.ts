import {
  type CacheMode,
  type CheckpointSource,
  type ComposedRequest,
  type ContextLimits,
  type ContextTokens,
  cacheMarksOf,
  composeRequest,
  contextTokens,
  DEFAULT_SHARES,
  dueNote,
  findingFor,
  headOfPath,
  isCheckpointDue,
  itemLimitChars,
  type LearntWindow,
  nextAnchors,
  notedFacts,
  noteTokens,
  type PricedRequest,
  type PriceSource,
  type PromptCache,
  priceRequest,
  type RequestFacts,
  ratioOf,
  standingAnchors,
  startSeqOf,
  summaryExcess,
  systemText,
  validateRequest,
  windowBudget,
  windowThatCounts,
} from '@holdfast/context'
import {
  type ConversationSettings,
  DEFAULT_AGENT_ID,
  type Entry,
  type EntryOf,
  isInRanges,
  type NewEntry,
  type Overview,
  overview,
  pathRanges,
  placeEntry,
} from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import type { EnginePorts, ModelChoice } from '../api/ports.ts'
import { entryAt, type SentPath } from '../log/path-reader.ts'
import { type RequestState, requestState } from '../log/request-state.ts'
import { ENGINE, type Turn } from '../log/turn.ts'
import { billedTo } from './usage.ts'

/** The request of a run's next step with all that decisions about its size need. */
export interface TurnRequest {
  readonly conversationId: string
  /** The model with the window that counts here. */
  readonly model: ModelChoice
  /** The model as everyone knows it. */
  readonly told: ModelChoice
  /** What was learnt of its window here, whether or not it counts. [WIN8] */
  readonly learnt: LearntWindow | null
  /** The state of the log that it was composed from. */
  readonly composedFrom: Overview
  readonly request: ModelRequest
  readonly composed: ComposedRequest
  readonly path: SentPath
  /** Where each tool comes from, for those that do not come from us. */
  readonly toolSources: ReadonlyMap<string, string>
  /** Entries at which cache marks stand. [CACHE2] */
  readonly anchors: readonly number[]
  /** The request with the marks of the one before: what a title or a summary goes on from. [CACHE3] */
  readonly frozen: Pick<TurnRequest, 'request' | 'anchors'>
  readonly windowStartSeq: number
  /** Null where the window is not known: then nothing is left out before the provider says so. */
  readonly limits: ContextLimits | null
  readonly tokens: ContextTokens
  readonly ratio: number
  readonly itemLimitChars: number
  readonly facts: RequestFacts
  /** What the provider's cache held before this request. [CACHE4] */
  readonly cacheBefore: PromptCache
  /** Pinned messages of the path that stand before what was read of it. [CHK4] */
  readonly pinned: readonly EntryOf<'user-message-sent'>[]
  /** The estimate of the whole request, anchored at the last measured one, for the ledger where nothing is measured. [STOP8, COST5] */
  readonly estimatedInputTokens: number
}

/** What a request is composed from: a log at a moment, live or past. */
export interface ComposeFrom extends Pick<Turn, 'path'> {
  readonly log: Pick<Turn['log'], 'conversationId' | 'overview' | 'requestState' | 'read'>
}

/** What there is to ask, or why there is nothing. */
export type Chosen =
  | { readonly type: 'found'; readonly choice: ModelChoice }
  | { readonly type: 'missing'; readonly reason: string }

/** The model that is set for the conversation, else the first there is. It is never replaced by itself. [RUN13] */
export function modelOf(models: readonly ModelChoice[], { settings }: Overview): Chosen {
  const chosen = settings.modelId
  const choice = chosen === undefined ? models[0] : models.find(({ modelId }) => modelId === chosen)
  if (choice) return { type: 'found', choice }
  if (chosen === undefined) return { type: 'missing', reason: 'There is no model; connect one.' }
  return { type: 'missing', reason: `There is no model ${chosen}; choose another.` }
}

/** How much more than the window is read, so that a move of its start is planned from what is there. */
const READ_BEYOND = 2

/** What was read of a log for a request, before it is composed. */
export interface Gathered {
  readonly conversationId: string
  readonly model: ModelChoice
  readonly told: ModelChoice
  readonly learnt: LearntWindow | null
  readonly thinkingOff: boolean
  readonly state: Overview
  readonly requests: RequestState
  readonly path: SentPath
  readonly tools: EntryOf<'tools-changed'> | null
  readonly limits: ContextLimits | null
  readonly ratio: number
  readonly pinned: TurnRequest['pinned']
}

/** The request of a run's next step, from the log and from nothing else. [REQ1] */
export async function composeTurn(from: ComposeFrom, model: ModelChoice): Promise<TurnRequest> {
  return compose(await gather(from, model))
}

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

/** Composes a request from what was read. Pure: the same has the same bytes. [REQ1] */
export function compose(gathered: Gathered): TurnRequest {
  const { conversationId, model, told, learnt, thinkingOff, state, requests, path, tools, limits, ratio, pinned } =
    gathered
  const { facts, cache } = requests
  const named = { providerId: model.port.providerId, modelId: model.modelId }
  const { thinkingBudgetTokens, maxOutputTokens, parameters } = parametersOf(state.settings, model)
  const limitChars = itemLimitChars(limits?.windowTokens ?? null)
  const composed = composeRequest({
    ...named,
    providerModelId: model.providerModelId,
    ...(state.settings.agentId === undefined ? {} : { agentId: state.settings.agentId }),
    settings: {
      system: systemText(state.settings.instructions ?? '', tools?.instructions ?? []),
      parameters,
      thinkingBudgetTokens: thinkingOff ? null : thinkingBudgetTokens,
      maxOutputTokens,
      toolChoice: state.settings.toolMode === 'all-off' ? 'none' : 'auto',
      itemLimitChars: limitChars,
    },
    tools: tools?.definitions ?? [],
    facts,
    entries: path.entries,
    carried: path.carried,
    bindsThinking: model.port.bindsThinking?.(model.providerModelId) ?? true,
  })
  const mode: CacheMode = state.settings.cacheMode ?? 'cached'
  const before = mode === 'cached' ? standingAnchors(composed.messages, lastAnchors(path.entries)) : []
  const anchors = mode === 'cached' ? nextAnchors(composed.messages, before) : []
  const marked = { mode, ttl: '5m' as const }
  const request = { ...composed.request, cacheMarks: cacheMarksOf(composed.messages, { ...marked, anchors }) }
  const frozenMarks = cacheMarksOf(composed.messages, { ...marked, anchors: before })
  const tokens = contextTokens({ composed, entries: path.entries, model: named, ratio, erasedAt: facts.unboundUntil })
  return {
    conversationId,
    model,
    told,
    learnt,
    composedFrom: state,
    request,
    composed,
    path,
    toolSources: new Map((tools?.definitions ?? []).map(({ name, source }) => [name, source ?? ''])),
    anchors,
    frozen: { request: { ...request, cacheMarks: frozenMarks }, anchors: before },
    windowStartSeq: startSeqOf(composed.head),
    limits,
    tokens,
    ratio,
    itemLimitChars: limitChars,
    facts,
    cacheBefore: cache,
    pinned,
    estimatedInputTokens: tokens.usedTokens,
  }
}

/**
 * The notes that a request lacks: the facts that are not what the model was told. They are written before it, so that it
 * tells them at its end and all before it stays as it was sent. [REQ5, REQ6]
 */
export async function dueFacts(asked: {
  readonly ports: Pick<EnginePorts, 'facts' | 'clock'>
  readonly at: Gathered
  readonly stepCount: number
  readonly signal: AbortSignal
}): Promise<readonly NewEntry[]> {
  const { ports, at, stepCount, signal } = asked
  const { conversationId, state, path } = at
  const agentId = state.settings.agentId ?? null
  const told = notedFacts(path.entries, { head: headOfPath(path.entries, path.carried), agentId })
  const question = newestWords(path.entries)
  const tokensOf = (text: string): number => noteTokens(text, at.ratio)
  const due: NewEntry[] = []
  for (const { section, budgetTokens, isPerAgent, textNow } of ports.facts ?? []) {
    const noted = told.get(section) ?? null
    const now = ports.clock.now()
    const text = await textNow({ conversationId, state, now, stepCount, noted, question, tokensOf, signal })
    const note = dueNote({ section, text, budgetTokens }, { noted, ratio: at.ratio })
    if (note === null) continue
    const only = isPerAgent ? { agentId: agentId ?? DEFAULT_AGENT_ID } : {}
    due.push({ type: 'context-noted', actor: ENGINE, section, text: note, ...only })
  }
  return due
}

function newestWords(entries: readonly Entry[]): string {
  const last = entries.findLast((entry) => entry.type === 'user-message-sent')
  return (last?.content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
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

/** An answer may take this share of the window where nothing else is set. */
const OUTPUT_SHARE = 0.25

/** What is set for the model; two names are ours, the others are the provider's. */
function parametersOf({ parameters }: ConversationSettings, { facts }: ModelChoice) {
  const { thinkingBudgetTokens, maxOutputTokens, ...others } = parameters ?? {}
  const { contextWindowTokens } = facts
  const share = contextWindowTokens === null ? null : Math.floor(contextWindowTokens * OUTPUT_SHARE)
  const usual = facts.maxOutputTokens === null ? null : Math.min(facts.maxOutputTokens, share ?? facts.maxOutputTokens)
  return {
    thinkingBudgetTokens: typeof thinkingBudgetTokens === 'number' ? thinkingBudgetTokens : null,
    maxOutputTokens: typeof maxOutputTokens === 'number' ? maxOutputTokens : usual,
    parameters: others,
  }
}

/** The limits of a model; null where its window is not known. */
function limitsOf({ facts }: ModelChoice, maxOutputTokens: number | null): ContextLimits | null {
  const windowTokens = facts.contextWindowTokens
  if (windowTokens === null) return null
  const reservedOutputTokens = maxOutputTokens ?? Math.floor(windowTokens * OUTPUT_SHARE)
  const summaryTokens = Math.min(DEFAULT_SHARES.summaryTokens, Math.floor(windowTokens / 10))
  return { windowTokens, reservedOutputTokens, ...DEFAULT_SHARES, summaryTokens }
}

/** The anchors of the last request of a turn. */
function lastAnchors(entries: readonly Entry[]): readonly number[] {
  const last = entries.findLast((entry): entry is EntryOf<'step-started'> => {
    return entry.type === 'step-started' && entry.purpose === 'turn'
  })
  return last?.anchors ?? []
}

/** What the request will cost, by the same figures that made it. */
export function priceOf(at: TurnRequest, now: number): PricedRequest {
  return priceRequest(priceSource(at, now))
}

/** What the price of a request is computed from. */
export function priceSource(at: TurnRequest, now: number): PriceSource {
  const { model, request, composed, path, facts, tokens, ratio } = at
  const named = { providerId: model.port.providerId, modelId: model.modelId, price: model.facts.price }
  return { request, composed, entries: path.entries, facts, model: named, tokens, ratio, answerTokens: null, now }
}

/** Why a request must not be sent, or null. [REQ1] */
export function requestProblem(request: ModelRequest): string | null {
  const violations = validateRequest(request)
  return violations.length === 0 ? null : violations.map(({ text }) => text).join('; ')
}

/** A window that is assumed where none is known, for a checkpoint that a person asks for. */
const ASSUMED_WINDOW_TOKENS = 32_000

/** What room is planned from. */
export function roomSource(at: TurnRequest): CheckpointSource {
  const { composed, path, model, ratio, tokens, pinned, composedFrom } = at
  const limits = at.limits ?? {
    windowTokens: ASSUMED_WINDOW_TOKENS,
    reservedOutputTokens: ASSUMED_WINDOW_TOKENS / 4,
    ...DEFAULT_SHARES,
  }
  return {
    composed,
    limits,
    ratio,
    entries: path.entries,
    carried: [...pinned, ...path.carried],
    modelId: model.modelId,
    margin: tokens.decisionTokens > tokens.usedTokens ? 1.15 : 1,
    itemLimitChars: at.itemLimitChars,
    pinnedSeqs: pinsOnPath(composedFrom),
  }
}

function pinsOnPath({ pins, path }: Overview): readonly number[] {
  const ranges = pathRanges(path)
  return pins.filter((seq) => isInRanges(ranges, seq))
}

/** Whether a checkpoint is made before this request. [CHK5] */
export function isSummaryDue(at: TurnRequest): boolean {
  return at.limits !== null && isDue(at, roomSource(at))
}

/** Whether a checkpoint is due, from what room is planned from. */
export function isDue({ tokens, path }: TurnRequest, source: CheckpointSource): boolean {
  return isCheckpointDue({
    limits: source.limits,
    decisionTokens: tokens.decisionTokens,
    excessTokens: summaryExcess(source),
    budgetTokens: windowBudget(source).budgetTokens,
    afterLastTokens: afterLastCheckpoint(path.entries, tokens.decisionTokens),
  })
}

/** What the first request after the last checkpoint held, measured or else estimated; null where there is none. */
function afterLastCheckpoint(entries: readonly Entry[], nowTokens: number): number | null {
  const last = entries.findLastIndex(({ type }) => type === 'checkpoint-made')
  if (last < 0) return null
  let estimated: number | null = null
  for (const entry of entries.slice(last)) {
    if (entry.type === 'step-started' && entry.purpose === 'turn') estimated ??= entry.estimatedInputTokens ?? null
    if (entry.type !== 'usage-recorded' || entry.purpose !== 'turn' || !entry.measured) continue
    const { inputTokens, cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens } = entry
    return inputTokens + cacheReadTokens + cacheCreation5mTokens + cacheCreation1hTokens
  }
  return estimated ?? nowTokens
}
