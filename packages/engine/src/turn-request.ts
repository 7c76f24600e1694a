import {
  type CacheMode,
  type ComposedRequest,
  type ContextLimits,
  type ContextTokens,
  cacheMarksOf,
  composeRequest,
  contextTokens,
  DEFAULT_SHARES,
  itemLimitChars,
  nextAnchors,
  type PricedRequest,
  type PriceSource,
  type PromptCache,
  priceRequest,
  type RequestFacts,
  ratioOf,
  startSeqOf,
  systemText,
  validateRequest,
} from '@holdfast/context'
import {
  type ConversationSettings,
  type Entry,
  type EntryOf,
  isInRanges,
  type Overview,
  pathRanges,
} from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import { entryAt, type SentPath } from './path-reader.ts'
import type { ModelChoice } from './ports.ts'
import type { Turn } from './turn.ts'

/** The request of a run's next step with all that decisions about its size need. */
export interface TurnRequest {
  readonly conversationId: string
  readonly model: ModelChoice
  /** The state of the log that it was composed from. */
  readonly composedFrom: Overview
  readonly request: ModelRequest
  readonly composed: ComposedRequest
  readonly path: SentPath
  /** Where each tool comes from, for those that do not come from us. */
  readonly toolSources: ReadonlyMap<string, string>
  /** Entries at which cache marks stand. [CACHE2] */
  readonly anchors: readonly number[]
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

/** How much more than the window is read, so that a move of its start is planned from what is there. */
const READ_BEYOND = 2

/** The request of a run's next step, from the log and from nothing else. [REQ1] */
export async function composeTurn(
  { log, path }: ComposeFrom,
  { model, thinkingOff }: { readonly model: ModelChoice; readonly thinkingOff: boolean },
): Promise<TurnRequest> {
  const state = log.overview()
  const { facts, ratios, cache } = log.requestState()
  const { conversationId } = log
  const place = state.toolDefinitions
  const tools = place && (await entryAt(log, { conversationId, seq: place.seq, type: 'tools-changed' }))
  const named = { providerId: model.port.providerId, modelId: model.modelId }
  const ratio = ratioOf(ratios, named)
  const { thinkingBudgetTokens, maxOutputTokens, parameters } = parametersOf(state.settings, model)
  const limits = limitsOf(model, maxOutputTokens)
  const most = limits === null ? Number.POSITIVE_INFINITY : limits.windowTokens * ratio * READ_BEYOND
  const sent = await path.read(state, most)
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
    entries: sent.entries,
    carried: sent.carried,
    bindsThinking: model.port.bindsThinking?.(model.providerModelId) ?? true,
  })
  const mode: CacheMode = state.settings.cacheMode ?? 'cached'
  const anchors = mode === 'cached' ? nextAnchors(composed.messages, lastAnchors(sent.entries)) : []
  const request = { ...composed.request, cacheMarks: cacheMarksOf(composed.messages, { mode, ttl: '5m', anchors }) }
  const tokens = contextTokens({ composed, entries: sent.entries, model: named, ratio, erasedAt: facts.unboundUntil })
  return {
    conversationId,
    model,
    composedFrom: state,
    request,
    composed,
    path: sent,
    toolSources: new Map((tools?.definitions ?? []).map(({ name, source }) => [name, source ?? ''])),
    anchors,
    windowStartSeq: startSeqOf(composed.head),
    limits,
    tokens,
    ratio,
    itemLimitChars: limitChars,
    facts,
    cacheBefore: cache,
    pinned: await pinnedBefore(log, sent),
    estimatedInputTokens: tokens.usedTokens,
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

/** An answer may take this share of the window where nothing else is set. */
const OUTPUT_SHARE = 0.25

/** What is set for the model; two names are ours, the others are the provider's. */
function parametersOf({ parameters = {} }: ConversationSettings, { facts }: ModelChoice) {
  const { thinkingBudgetTokens, maxOutputTokens, ...others } = parameters
  const { contextWindowTokens } = facts
  const share = contextWindowTokens === null ? null : Math.floor(contextWindowTokens * OUTPUT_SHARE)
  const usual = facts.maxOutputTokens === null ? null : Math.min(facts.maxOutputTokens, share ?? facts.maxOutputTokens)
  return {
    thinkingBudgetTokens: typeof thinkingBudgetTokens === 'number' ? thinkingBudgetTokens : null,
    maxOutputTokens: typeof maxOutputTokens === 'number' ? maxOutputTokens : usual,
    parameters: others,
  }
}

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
