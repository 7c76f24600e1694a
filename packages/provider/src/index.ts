export {
  type ModelFinish,
  type ModelPart,
  type ModelPort,
  type ModelRequest,
  ProviderError,
  type RequestMessage,
  type RequestUsage,
} from './model-port.ts'
