export { createAnswerParser as createAnthropicParser } from './answer-parser.ts'
export {
  type AnthropicEndpoint,
  type AnthropicModelDeps,
  createAnthropicModel,
} from './anthropic-model.ts'
export { type BodyOptions as AnthropicBodyOptions, encodeRequest as encodeAnthropicRequest } from './encode-request.ts'
export { listAnthropicModels } from './list-models.ts'
