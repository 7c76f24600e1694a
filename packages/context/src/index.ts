export { type CacheMode, cacheMarksOf, nextAnchors, standingAnchors } from './price/anchors.ts'
export {
  type CacheOutlook,
  type EstimateRange,
  type PricedRequest,
  type PriceSource,
  priceRequest,
  type RequestPrice,
} from './price/price-request.ts'
export {
  type AnsweredRequest,
  CACHE_LIFETIME_MS,
  type CachedRequest,
  cacheBreakOf,
  differenceUsd,
  type PromptCache,
  promptCache,
} from './price/prompt-cache.ts'
export {
  BUILDER_VERSION,
  type ComposedRequest,
  composeRequest,
  headOfPath,
  type RequestSettings,
  type RequestSource,
} from './request/build-request.ts'
export { canonicalText, marksText, receiptText } from './request/canonical-text.ts'
export type { ComposedMessage, PartCategory, PartOrigin } from './request/compose-messages.ts'
export { dueNote, type Fact, NOTE_LIMIT_TOKENS, noteLimitTokens, noteTokens } from './request/due-note.ts'
export { type NotesOf, notedFacts } from './request/noted-facts.ts'
export { systemText } from './request/system-text.ts'
export { EXCLUDED_RESULT } from './request/tool-results.ts'
export { type Violation, type ViolationCode, validateRequest } from './request/validate-request.ts'
export {
  type Boundary,
  type BoundaryReason,
  type BrokenFrom,
  boundariesBetween,
  boundariesOf,
} from './sent/boundaries.ts'
export { type Exchange, exchangesOf } from './sent/exchanges.ts'
export {
  findingFor,
  hasOtherWindow,
  type LearntWindow,
  type ModelFinding,
  type ModelFindings,
  modelFindings,
  type NamedModel,
  windowThatCounts,
} from './sent/model-findings.ts'
export { type RequestFacts, requestFacts, THINKING_DROPPED } from './sent/request-facts.ts'
export { type RequestHead, startSeqOf } from './sent/request-head.ts'
export { WINDOW_LEARNT } from './sent/window-learnt.ts'
export { attachmentTokens } from './size/media-tokens.ts'
export { modelFamily } from './size/model-family.ts'
export { EXCERPTS_SMALLER, weightOfExcess } from './size/smaller-excerpts.ts'
export { textWeight } from './size/text-weight.ts'
export {
  definitionTokens,
  requestSize,
  type Size,
  textTokens,
  toTokens,
} from './size/weight.ts'
export { type Breakdown, breakdownOf, messagesOnly } from './use/breakdown.ts'
export {
  type ContextTokens,
  type ContextUse,
  type ContextUseSource,
  contextTokens,
  contextUse,
  DECISION_MARGIN,
  heldTokens,
} from './use/context-use.ts'
export { type InReason, type LeftOut, type RequestItem, requestItems, thinkingLeftOut } from './use/request-items.ts'
export {
  familyEstimator,
  ratioOf,
  type TokenEstimator,
  type TokenRatios,
  tokenRatios,
} from './use/token-ratios.ts'
export {
  type ContextLimits,
  checkpointDueTokens,
  contextLimits,
  itemLimitChars,
  type LimitProblem,
  limitProblems,
} from './window/limits.ts'
export { untilOpenCalls } from './window/open-calls.ts'
export {
  type CheckpointPlan,
  type CheckpointSource,
  isCheckpointDue,
  planCheckpoint,
} from './window/plan-checkpoint.ts'
export {
  irreducibleParts,
  irreducibleTokens,
  planUnreadLeftOut,
  planWindow,
  type RequestPart,
  type SizedExchange,
  sizedExchanges,
  summaryExcess,
  type WindowBudget,
  type WindowMove,
  type WindowPlan,
  type WindowSource,
  windowBudget,
} from './window/plan-window.ts'
export type { Estimating } from './window/sized-messages.ts'
export {
  chunkRequest,
  extendedRequest,
  readSummary,
  type SummaryAnswer,
  type SummaryEnd,
  type SummaryOrder,
  summaryChunks,
  summaryInstruction,
} from './window/summary-request.ts'
export { fittingToolCount, type ToolRoom, toolRoom } from './window/tool-room.ts'
export { carriedByCheckpoint, createWindowReader, type WindowRead, type WindowReader } from './window/window-reader.ts'
