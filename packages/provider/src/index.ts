export { type BlobSource, noBlobs } from './blob-source.ts'
export { costOf, type PaidTokens } from './cost-of.ts'
export { classifyProviderError, type ProviderAnswer } from './errors/classify-provider-error.ts'
export type { Vendor } from './errors/error-rules.ts'
export { isNetworkFailure, networkError } from './errors/network-error.ts'
export { hideSecrets, withoutSecrets } from './hide-secrets.ts'
export type { ListedModel } from './listed-model.ts'
export {
  freePrice,
  type ModelCapabilities,
  type ModelFacts,
  type ModelFactsOverride,
  type ModelPrice,
  type TokenPrice,
  UNKNOWN_MODEL,
  withOverride,
} from './model-facts.ts'
export {
  type AskingTurn,
  type CacheMarks,
  type ModelFinish,
  type ModelPart,
  type ModelPort,
  type ModelRequest,
  type ModelTool,
  ProviderError,
  type ProviderErrorDetail,
  type RequestMessage,
  type RequestUsage,
  type StreamPorts,
  type WirePort,
} from './model-port.ts'
export { type FailedAttempt, nextRetry } from './next-retry.ts'
export { bodyOf, type RequestBlobs, readBlobs } from './request-blobs.ts'
export { oncePerTools, sharedTools, toolsText } from './shared-tools.ts'
export { endpointUrl, isLoopback } from './wire/base-url.ts'
export { type CallIds, createCallIds } from './wire/call-ids.ts'
export { claudeBindsThinking } from './wire/claude-thinking.ts'
export { HTTP_LIMITS, type HttpLimits } from './wire/http-limits.ts'
export { fileAsText, inputAsText } from './wire/input-text.ts'
