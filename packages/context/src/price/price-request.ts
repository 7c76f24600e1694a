import type { Entry } from '@holdfast/conversation'
import { costOf, type ModelPrice, type ModelRequest } from '@holdfast/provider'
import type { ComposedRequest } from '../request/build-request.ts'
import type { RequestFacts } from '../sent/request-facts.ts'
import { isAnswering } from '../sent/sent-steps.ts'
import { modelFamily } from '../size/model-family.ts'
import { headSize, messageSize, NO_SIZE, plus, toTokens } from '../size/weight.ts'
import type { ContextTokens } from '../use/context-use.ts'
import { CACHE_LIFETIME_MS, type KeptPrefix, keptPrefix } from './prompt-cache.ts'

/** What the price of a request is computed from: the request itself, and nothing that it is not made from. */
export interface PriceSource {
  /** As it would be sent, with its cache marks. */
  readonly request: ModelRequest
  readonly composed: ComposedRequest
  /** The entries that it was composed from. */
  readonly entries: readonly Entry[]
  readonly facts: RequestFacts
  readonly model: { readonly providerId: string; readonly modelId: string; readonly price: ModelPrice | null }
  /** `contextTokens` of the same request. */
  readonly tokens: ContextTokens
  /** `ratioOf` the model. */
  readonly ratio: number
  /** How long the answer may be, where that is set; null: as long as answers have been here. */
  readonly answerTokens: EstimateRange | null
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

/** From the least to the most that is to be expected. */
export interface EstimateRange {
  readonly low: number
  readonly high: number
}

/** What a request costs before it is made. All of it is estimated. */
export interface RequestPrice {
  /** The whole prompt; the four that follow add up to it. */
  readonly promptTokens: number
  /** Read anew. */
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreation5mTokens: number
  readonly cacheCreation1hTokens: number
  /** By what answers here have had so far; null before the first. */
  readonly outputTokens: EstimateRange | null
  /** Without the answer, in US dollars; null where a price is not known. */
  readonly promptUsd: number | null
  /** With the answer; null where a price is not known, or the answer's length. */
  readonly usd: EstimateRange | null
}

/** What the prompt cache is expected to give. */
export interface CacheOutlook {
  /**
   * `warm`: the prefix is there; `cold`: it was, and has expired; `empty`: nothing of this request is kept;
   * `off`: the conversation asks for no cache.
   */
  readonly state: 'warm' | 'cold' | 'empty' | 'off'
  /** Tokens of the request that the cache has, or had while it was warm. */
  readonly keptTokens: number
  /** Until when it is warm, by each time to live; milliseconds since the Unix epoch, null where nothing lives so long. */
  readonly warmUntil: { readonly '5m': number | null; readonly '1h': number | null }
  /** The last entry whose bytes the cache has; null where only tools and instructions, or nothing. */
  readonly keptToSeq: number | null
}

/** The price of a request now, and when the cache has gone cold. */
export interface PricedRequest {
  readonly now: RequestPrice
  readonly cold: RequestPrice
  readonly cache: CacheOutlook
}

/** No provider keeps a prefix that is shorter. https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching */
const LEAST_CACHED_TOKENS = 1_024

/** Caches that work without marks count in steps of so many tokens. https://platform.openai.com/docs/guides/prompt-caching */
const STEP_TOKENS = 128

/** So many of the newest answers say how long the next one may be. */
const LATEST_ANSWERS = 20

/**
 * What a request will cost: how much of it the cache has, what it writes there and what is read anew, and the answer
 * by the length of earlier ones. What nobody knows stays null. [COST3, CACHE4]
 */
export function priceRequest(source: PriceSource): PricedRequest {
  const { entries, model, facts, now, request } = source
  const kept = keptPrefix(entries, { model, toolChoice: request.toolChoice, changed: facts })
  const promptTokens = source.tokens.usedTokens
  const keptTokens = Math.min(promptTokens, kept === null ? 0 : tokensOfKept(source, kept))
  const lifetime = kept === null ? null : kept.request.usedAt + CACHE_LIFETIME_MS[kept.request.ttl]
  const isWarm = lifetime !== null && now <= lifetime
  const isOff = request.cacheMarks === null && !worksWithoutMarks(model.price)
  const state = isOff ? 'off' : keptTokens === 0 ? 'empty' : isWarm ? 'warm' : 'cold'
  const outputTokens = source.answerTokens ?? outputRange(entries, model)
  const priced = (readTokens: number): RequestPrice => split(source, { promptTokens, readTokens, outputTokens })
  return {
    now: priced(state === 'warm' ? keptTokens : 0),
    cold: priced(0),
    cache: {
      state,
      keptTokens: isOff ? 0 : keptTokens,
      warmUntil: keptTokens === 0 || isOff || kept === null ? NEVER : warmUntil(kept),
      keptToSeq: kept?.part === 'whole' && keptTokens > 0 ? kept.request.seq : null,
    },
  }
}

const NEVER = { '5m': null, '1h': null } as const

/** An hour's prefix was written with marks of an hour: those of five minutes end earlier and are not told of. */
function warmUntil({ request: { usedAt, ttl } }: KeptPrefix): CacheOutlook['warmUntil'] {
  const until = usedAt + CACHE_LIFETIME_MS[ttl]
  return ttl === '1h' ? { '5m': null, '1h': until } : { '5m': until, '1h': null }
}

function tokensOfKept(source: PriceSource, { part, request }: KeptPrefix): number {
  const { model, composed, ratio, request: next } = source
  const inSteps = Math.floor(request.promptTokens / STEP_TOKENS) * STEP_TOKENS
  const cached = worksWithoutMarks(model.price) ? Math.max(request.cachedTokens, inSteps) : request.cachedTokens
  const head = headSize(composed.request)
  const isHeadMarked = worksWithoutMarks(model.price) || next.cacheMarks?.system === true
  const headTokens = isHeadMarked ? toTokens(plus(head.system, head.tools), ratio) : 0
  const kept = part === 'whole' ? cached : Math.min(cached, headTokens)
  return kept < LEAST_CACHED_TOKENS ? 0 : kept
}

/** A price for reading and none for writing: the cache of a provider that keeps prefixes by itself. */
function worksWithoutMarks(price: ModelPrice | null): boolean {
  return price !== null && price.cacheRead !== null && price.cacheCreation5m === null && isPaid(price)
}

function isPaid({ reference }: ModelPrice): boolean {
  return reference !== 'local' && reference !== 'demo'
}

interface Split {
  readonly promptTokens: number
  readonly readTokens: number
  readonly outputTokens: EstimateRange | null
}

function split(source: PriceSource, { promptTokens, readTokens, outputTokens }: Split): RequestPrice {
  const { model, request } = source
  const marked = writesWithMarks(source) ? markedTokens(source, promptTokens) : 0
  const written = marked < LEAST_CACHED_TOKENS ? 0 : Math.max(0, marked - readTokens)
  const is1h = request.cacheMarks?.ttl === '1h'
  const prompt = {
    inputTokens: promptTokens - readTokens - written,
    cacheReadTokens: readTokens,
    cacheCreation5mTokens: is1h ? 0 : written,
    cacheCreation1hTokens: is1h ? written : 0,
  }
  const usdOf = (answerTokens: number): number | null => costOf({ ...prompt, outputTokens: answerTokens }, model.price)
  const low = outputTokens === null ? null : usdOf(outputTokens.low)
  const high = outputTokens === null ? null : usdOf(outputTokens.high)
  return {
    promptTokens,
    ...prompt,
    outputTokens,
    promptUsd: usdOf(0),
    usd: low === null || high === null ? null : { low, high },
  }
}

/** Whether what stands before marks is written at a price of its own, or was seen to be written. */
function writesWithMarks({ request, model, entries }: PriceSource): boolean {
  if (request.cacheMarks === null) return false
  if (model.price !== null && model.price.cacheCreation5m !== null && isPaid(model.price)) return true
  return entries.some(
    (entry) =>
      entry.type === 'usage-recorded' &&
      entry.modelId === model.modelId &&
      entry.cacheCreation5mTokens + entry.cacheCreation1hTokens > 0,
  )
}

/** Tokens up to the last mark. */
function markedTokens({ request, composed, model, ratio }: PriceSource, promptTokens: number): number {
  const last = request.cacheMarks?.messages.at(-1)
  const family = modelFamily(model.modelId)
  if (last === undefined) {
    const head = headSize(composed.request)
    return Math.min(promptTokens, toTokens(plus(head.system, head.tools), ratio))
  }
  const rest = request.messages
    .slice(last + 1)
    .reduce((sum, message) => plus(sum, messageSize(message, family)), NO_SIZE)
  return Math.max(0, promptTokens - toTokens(rest, ratio))
}

/** How long the answers of this model have been here: all but the shortest and the longest tenth. */
function outputRange(entries: readonly Entry[], { providerId, modelId }: PriceSource['model']): EstimateRange | null {
  const lengths: number[] = []
  for (const entry of entries) {
    if (entry.type !== 'usage-recorded' || !entry.measured || !isAnswering(entry.purpose)) continue
    if (entry.outcome !== 'completed' || entry.outputTokens === 0) continue
    if (entry.providerId === providerId && entry.modelId === modelId) lengths.push(entry.outputTokens)
  }
  const sorted = lengths.slice(-LATEST_ANSWERS).sort((one, other) => one - other)
  const tenth = Math.floor(sorted.length / 10)
  const low = sorted[tenth]
  const high = sorted.at(-1 - tenth)
  return low === undefined || high === undefined ? null : { low, high }
}
