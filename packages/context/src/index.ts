export {
  type Boundary,
  type BoundaryReason,
  type BrokenFrom,
  boundariesBetween,
  boundariesOf,
} from './boundaries.ts'
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
export type { ComposedMessage } from './compose-messages.ts'
export { modelFamily } from './model-family.ts'
export { untilOpenCalls } from './open-calls.ts'
export { type RequestFacts, requestFacts, THINKING_DROPPED } from './request-facts.ts'
export { type RequestHead, startSeqOf } from './request-head.ts'
export { type Violation, type ViolationCode, validateRequest } from './validate-request.ts'
