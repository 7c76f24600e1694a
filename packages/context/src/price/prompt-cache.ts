import {
  type CacheBreak,
  type Entry,
  type EntryOf,
  isLent,
  type Projection,
  THINKING_OFF,
} from '@holdfast/conversation'
import { costOf, type ModelPrice, type ModelRequest, type RequestUsage } from '@holdfast/provider'
import { type Boundary, boundariesOf } from '../sent/boundaries.ts'
import type { RequestFacts } from '../sent/request-facts.ts'
import { isAnswering } from '../sent/sent-steps.ts'
import { promptTokens } from '../use/token-ratios.ts'

/** A request of the conversation as the provider's cache has it. */
export interface CachedRequest {
  readonly stepId: string
  /** Its `step-started`. */
  readonly seq: number
  readonly providerId: string
  readonly modelId: string
  readonly toolChoice: ToolChoice
  readonly promptTokens: number
  /** Read from the cache or written to it. */
  readonly cachedTokens: number
  /** How long the cache keeps it after its last use. */
  readonly ttl: '5m' | '1h'
  /** When a request used it last, in milliseconds since the Unix epoch. */
  readonly usedAt: number
}

/** Whether the model could call a tool. [TOOL10] */
type ToolChoice = ModelRequest['toolChoice']

/** The newest request of a conversation, whichever path it was on, and what has changed the bytes since. */
export interface PromptCache {
  readonly last: CachedRequest | null
  /** Boundaries after `last`, oldest first, without those that the next request records: they are seen from `last`. */
  readonly since: readonly Boundary[]
  readonly open: OpenRequest | null
  /** The run whose requests do not think because the provider refused that. [RUN13] */
  readonly unthinkingRunId: string | null
}

/** A request that is not measured yet. */
type OpenRequest = Pick<
  EntryOf<'step-started'>,
  'stepId' | 'seq' | 'at' | 'providerId' | 'modelId' | 'purpose' | 'toolChoice'
>

/** How long a cache keeps what nobody uses, in milliseconds. https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching */
export const CACHE_LIFETIME_MS = { '5m': 300_000, '1h': 3_600_000 } as const

/** Caches that work without marks count in steps of so many tokens: less is no break. */
const LEAST_LOST_TOKENS = 128

/** More boundaries between two requests say nothing more: the strongest of the first ones counts. */
const MOST_BOUNDARIES = 50

/** What the provider's cache holds of the newest request, folded over the whole log. [CACHE4] */
export const promptCache: Projection<PromptCache> = {
  name: 'prompt-cache',
  version: 4,
  initial: { last: null, since: [], open: null, unthinkingRunId: null },
  reduce(state, entries) {
    let { last, open, unthinkingRunId } = state
    let since = state.since.slice()
    for (const entry of entries) {
      switch (entry.type) {
        case 'step-started':
          // What a call is lent, or an external agent asks, begins with nothing of the conversation.
          if (!isLent(entry.purpose)) open = openRequest(entry)
          break
        case 'usage-recorded': {
          if (open === null || entry.stepId !== open.stepId) break
          const { seq } = open
          const cached = isAnswering(open.purpose) ? cachedRequest(open, entry) : null
          if (cached !== null) since = since.filter((boundary) => boundary.seq > seq)
          last = cached ?? usedBeside(last, open, entry)
          open = null
          break
        }
        case 'run-finished':
          if (entry.runId !== unthinkingRunId) break
          // Thinking that is off for a run is on again for the next. [RUN13]
          since.push({ seq: entry.seq, reason: 'parameters', brokenFrom: 'messages', keptToSeq: null })
          unthinkingRunId = null
          break
        default:
          if (entry.type === 'notice-raised' && entry.code === THINKING_OFF && entry.model === undefined)
            unthinkingRunId = entry.runId ?? null
          since.push(...boundariesOf([entry]))
      }
    }
    return { last, open, unthinkingRunId, since: since.slice(0, MOST_BOUNDARIES) }
  },
}

function openRequest(started: OpenRequest): OpenRequest {
  const { stepId, seq, at, providerId, modelId, purpose, toolChoice } = started
  return { stepId, seq, at, providerId, modelId, purpose, ...(toolChoice === undefined ? {} : { toolChoice }) }
}

/** A title or a summary that read the prefix keeps it alive; only the conversation's own requests lengthen it. [CACHE3] */
function usedBeside(
  last: CachedRequest | null,
  { at, modelId, purpose }: OpenRequest,
  { cacheReadTokens }: EntryOf<'usage-recorded'>,
): CachedRequest | null {
  if (last === null || isAnswering(purpose) || cacheReadTokens === 0 || last.modelId !== modelId) return last
  return { ...last, usedAt: Math.max(last.usedAt, at) }
}

/** Null for a request that was turned away unread, or made elsewhere: it left nothing here. */
function cachedRequest(open: OpenRequest, usage: EntryOf<'usage-recorded'>): CachedRequest | null {
  const { stepId, seq, providerId, modelId } = open
  const tokens = promptTokens(usage)
  if (tokens === 0 || usage.carried) return null
  const { cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens } = usage
  return {
    stepId,
    seq,
    providerId,
    modelId,
    toolChoice: open.toolChoice ?? 'auto',
    promptTokens: tokens,
    cachedTokens: cacheReadTokens + cacheCreation5mTokens + cacheCreation1hTokens,
    ttl: cacheCreation1hTokens > 0 ? '1h' : '5m',
    usedAt: open.at,
  }
}

/** The newest request whose bytes the next one begins with. */
export interface KeptPrefix {
  readonly request: CachedRequest
  /** All of it, or only tools and instructions: a boundary changed the messages since. */
  readonly part: 'whole' | 'head'
}

/**
 * What of the path's requests to a model the next one begins with; null for nothing. A step to another model in
 * between changes nothing for this one. [REQ5]
 *
 * @param changed - when tools, instructions or messages changed last, whichever branch that was on.
 */
export function keptPrefix(
  entries: readonly Entry[],
  {
    model,
    toolChoice,
    changed,
  }: {
    readonly model: { readonly providerId: string; readonly modelId: string }
    readonly toolChoice: ToolChoice
    readonly changed: Pick<RequestFacts, 'headChangedSeq' | 'unboundBeforeSeq' | 'unboundUntil'>
  },
): KeptPrefix | null {
  const recordedByRequests = new Set(entries.flatMap(({ type, seq }) => (type === 'step-started' ? [seq] : [])))
  const boundaries = boundariesOf(entries).filter(
    ({ seq, reason, brokenFrom }) => brokenFrom !== 'path' && (reason === 'builder' || !recordedByRequests.has(seq)),
  )
  const starts = new Map<string, EntryOf<'step-started'>>()
  let request: CachedRequest | null = null
  let usedAt = 0
  let is1h = false
  for (const entry of entries) {
    if (entry.type === 'step-started') starts.set(entry.stepId, entry)
    if (entry.type !== 'usage-recorded' || entry.stepId === undefined) continue
    const start = starts.get(entry.stepId)
    if (start?.providerId !== model.providerId || start.modelId !== model.modelId) continue
    const cached = cachedRequest(start, entry)
    if (cached === null) continue
    is1h = is1h || cached.ttl === '1h'
    if (isAnswering(start.purpose)) request = cached
    if (isAnswering(start.purpose) || entry.cacheReadTokens > 0) usedAt = start.at
  }
  if (request === null) return null
  const { seq } = request
  const found = boundaries.filter((boundary) => boundary.seq > seq)
  if (changed.headChangedSeq > seq || found.some(({ brokenFrom }) => brokenFrom !== 'messages')) return null
  const isOther = changed.unboundBeforeSeq > seq || changed.unboundUntil >= usedAt || request.toolChoice !== toolChoice
  const part = found.length > 0 || isOther ? 'head' : 'whole'
  return { part, request: { ...request, usedAt, ttl: is1h ? '1h' : '5m' } }
}

/** A request that has been answered, and what was known of the cache before it. */
export interface AnsweredRequest {
  readonly before: PromptCache
  readonly model: { readonly providerId: string; readonly modelId: string; readonly price: ModelPrice | null }
  readonly toolChoice: ToolChoice
  readonly usage: RequestUsage
  /** When it was made, in milliseconds since the Unix epoch. */
  readonly at: number
}

/**
 * What a request lost of the cache: tokens that the request before it had left there and that it did not read, with
 * the reason. What changed the bytes from the front on comes first, then the time, then the provider itself. [CACHE4]
 */
export function cacheBreakOf({ before, model, toolChoice, usage, at }: AnsweredRequest): CacheBreak | null {
  const { last, since } = before
  if (last === null) return null
  const lostTokens = last.cachedTokens - usage.cacheReadTokens
  if (lostTokens < LEAST_LOST_TOKENS) return null
  const isExpired = at - last.usedAt > CACHE_LIFETIME_MS[last.ttl]
  const reason = breakReason({ last, since, model, toolChoice, isExpired, readTokens: usage.cacheReadTokens })
  return { reason, sinceStepId: last.stepId, lostTokens, lostUsd: lostUsd(usage, lostTokens, model.price) }
}

function breakReason(at: {
  readonly last: CachedRequest
  readonly since: readonly Boundary[]
  readonly model: AnsweredRequest['model']
  readonly toolChoice: ToolChoice
  readonly isExpired: boolean
  readonly readTokens: number
}): CacheBreak['reason'] {
  const { last, since, model, toolChoice, isExpired, readTokens } = at
  if (last.providerId !== model.providerId || last.modelId !== model.modelId) return 'model'
  const fromFront = since.find(({ brokenFrom }) => brokenFrom === 'tools' || brokenFrom === 'system')
  if (fromFront) return fromFront.reason
  if (isExpired && readTokens === 0) return 'expired'
  if (last.toolChoice !== toolChoice) return 'tools'
  return since.find(({ brokenFrom }) => brokenFrom === 'messages')?.reason ?? since[0]?.reason ?? 'provider'
}

/** What the lost tokens cost more than reading them from the cache would have; null when a price is not known. */
function lostUsd(usage: RequestUsage, lostTokens: number, price: ModelPrice | null): number | null {
  const made = {
    inputTokens: usage.inputTokens ?? 0,
    cacheReadTokens: usage.cacheReadTokens,
    outputTokens: 0,
    cacheCreation5mTokens: usage.cacheCreation5mTokens,
    cacheCreation1hTokens: usage.cacheCreation1hTokens,
  }
  return differenceUsd(made, lostTokens, price)
}

/** What so many tokens cost more for not being read from the cache, dearest first. */
export function differenceUsd(
  tokens: Parameters<typeof costOf>[0],
  lostTokens: number,
  price: ModelPrice | null,
): number | null {
  const from5m = Math.min(lostTokens, tokens.cacheCreation5mTokens)
  const from1h = Math.min(lostTokens - from5m, tokens.cacheCreation1hTokens)
  const fromInput = Math.min(lostTokens - from5m - from1h, tokens.inputTokens)
  const asRead = {
    ...tokens,
    inputTokens: tokens.inputTokens - fromInput,
    cacheCreation5mTokens: tokens.cacheCreation5mTokens - from5m,
    cacheCreation1hTokens: tokens.cacheCreation1hTokens - from1h,
    cacheReadTokens: tokens.cacheReadTokens + from5m + from1h + fromInput,
  }
  const paid = costOf(tokens, price)
  const least = costOf(asRead, price)
  return paid === null || least === null ? null : Math.max(0, paid - least)
}
