import {
  type ComposedRequest,
  type ContextLimits,
  type ContextTokens,
  cacheMarksOf,
  composeRequest,
  contextTokens,
  itemLimitChars,
  type LearntWindow,
  nextAnchors,
  type PromptCache,
  type RequestFacts,
  standingAnchors,
  startSeqOf,
  systemText,
} from '@holdfast/context'
import { cacheModeOf, type Entry, type EntryOf, type Overview, type Settings, toolModeOf } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import type { ModelChoice } from '../api/ports.ts'
import type { SentPath } from '../log/path-reader.ts'
import { type ComposeFrom, type Gathered, gather, type ModelToAsk, READ_ON, READ_WINDOWS } from './gather.ts'

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
  /** Whether it holds all that stands from its start on: no other is sent. [WIN13] */
  readonly isWhole: boolean
  /** Where each tool comes from, for those that do not come from us. */
  readonly toolSources: ReadonlyMap<string, string>
  /** Entries at which cache marks stand. [CACHE2] */
  readonly anchors: readonly number[]
  /** The request with the marks of the one before: what a title or a summary goes on from. [CACHE3] */
  readonly frozen: Pick<TurnRequest, 'request' | 'anchors'>
  readonly windowStartSeq: number
  readonly settings: Settings
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

/** The request of a turn that was sent as it was, or would be: whole, however far back that is. [REQ1, WIN13] */
export async function composeTurn(from: ComposeFrom, toAsk: ModelToAsk): Promise<TurnRequest> {
  for (let windows = READ_WINDOWS; ; windows *= READ_ON) {
    const gathered = await gather(from, toAsk, windows)
    if (gathered.isWhole) return compose(gathered)
  }
}

/** Composes a request from what was read. Pure: the same has the same bytes. [REQ1] */
export function compose(gathered: Gathered): TurnRequest {
  const { conversationId, model, told, learnt, thinkingOff, state, requests, path, tools } = gathered
  const { answer, limits, ratio, pinned } = gathered
  const { facts, cache } = requests
  const named = { providerId: model.port.providerId, modelId: model.modelId }
  const { thinkingBudgetTokens, maxOutputTokens, parameters } = answer
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
      toolChoice: toolModeOf(state.settings) === 'all-off' ? 'none' : 'auto',
      itemLimitChars: limitChars,
    },
    tools: tools?.definitions ?? [],
    facts,
    entries: path.entries,
    carried: path.carried,
    bindsThinking: model.port.bindsThinking?.(model.providerModelId) ?? true,
  })
  const mode = cacheModeOf(state.settings)
  const before = mode === 'cached' ? standingAnchors(composed.messages, lastAnchors(path.entries)) : []
  const anchors = mode === 'cached' ? nextAnchors(composed.messages, before) : []
  const marked = { mode, ttl: '5m' as const, marksHead: toolModeOf(state.settings) !== 'all-on' }
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
    isWhole: gathered.isWhole,
    toolSources: new Map((tools?.definitions ?? []).map(({ name, source }) => [name, source ?? ''])),
    anchors,
    frozen: { request: { ...request, cacheMarks: frozenMarks }, anchors: before },
    windowStartSeq: startSeqOf(composed.head),
    settings: gathered.settings,
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

/** The anchors of the last request of a turn. */
function lastAnchors(entries: readonly Entry[]): readonly number[] {
  const last = entries.findLast((entry): entry is EntryOf<'step-started'> => {
    return entry.type === 'step-started' && entry.purpose === 'turn'
  })
  return last?.anchors ?? []
}
