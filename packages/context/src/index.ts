export { type CacheMode, cacheMarksOf, nextAnchors, standingAnchors } from './anchors.ts'
export {
  type Boundary,
  type BoundaryReason,
  type BrokenFrom,
  boundariesBetween,
  boundariesOf,
} from './boundaries.ts'
export { type Breakdown, breakdownOf } from './breakdown.ts'
export {
  BUILDER_VERSION,
  buildRequest,
  type ComposedRequest,
  composeRequest,
  headOfPath,
  type RequestSettings,
  type RequestSource,
} from './build-request.ts'
export { canonicalText, receiptText } from './canonical-text.ts'
export type { ComposedMessage, PartCategory, PartOrigin } from './compose-messages.ts'
export { type ContextTokens, type ContextUse, type ContextUseSource, contextTokens, contextUse } from './context-use.ts'
export { dueNote, type Fact, NOTE_LIMIT_TOKENS, noteTokens } from './due-note.ts'
export { type Exchange, exchangesOf } from './exchanges.ts'
export {
  type ContextLimits,
  checkpointDueTokens,
  DEFAULT_SHARES,
  itemLimitChars,
  limitProblems,
  WINDOW_LEARNT,
} from './limits.ts'
export { modelFamily } from './model-family.ts'
export {
  findingFor,
  hasOtherWindow,
  type LearntWindow,
  type ModelFinding,
  type ModelFindings,
  modelFindings,
  type NamedModel,
  windowThatCounts,
} from './model-findings.ts'
export { type NotesOf, notedFacts } from './noted-facts.ts'
export { untilOpenCalls } from './open-calls.ts'
export { type CheckpointPlan, type CheckpointSource, isCheckpointDue, planCheckpoint } from './plan-checkpoint.ts'
export {
  irreducibleParts,
  irreducibleTokens,
  planWindow,
  type RequestPart,
  type SizedExchange,
  sizedExchanges,
  summaryExcess,
  type WindowBudget,
  type WindowPlan,
  type WindowSource,
  windowBudget,
} from './plan-window.ts'
export {
  type CacheOutlook,
  type EstimateRange,
  type PricedRequest,
  type PriceSource,
  priceRequest,
  type RequestPrice,
} from './price-request.ts'
export {
  type AnsweredRequest,
  CACHE_LIFETIME_MS,
  type CachedRequest,
  cacheBreakOf,
  differenceUsd,
  type PromptCache,
  promptCache,
} from './prompt-cache.ts'
export { type RequestFacts, requestFacts, THINKING_DROPPED } from './request-facts.ts'
export { type RequestHead, startSeqOf } from './request-head.ts'
export { type InReason, type LeftOut, type RequestItem, requestItems, thinkingLeftOut } from './request-items.ts'
export type { Estimating } from './sized-messages.ts'
export { EXCERPTS_SMALLER, weightOfExcess } from './smaller-excerpts.ts'
export {
  chunkRequest,
  extendedRequest,
  readSummary,
  type SummaryAnswer,
  type SummaryEnd,
  type SummaryOrder,
  summaryChunks,
  summaryInstruction,
} from './summary-request.ts'
export { systemText } from './system-text.ts'
export { ratioOf, type TokenRatios, tokenRatios } from './token-ratios.ts'
export { EXCLUDED_RESULT } from './tool-results.ts'
export { type Violation, type ViolationCode, validateRequest } from './validate-request.ts'
export {
  definitionTokens,
  requestSize,
  type Size,
  textWeight,
  toTokens,
} from './weight.ts'
export { carriedByCheckpoint, NOTHING_READ, readBack, type WindowRead } from './window-reader.ts'
