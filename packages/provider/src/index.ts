export {
  type CacheMarks,
  type ModelFinish,
  type ModelPart,
  type ModelPort,
  type ModelRequest,
  ProviderError,
  type RequestMessage,
  type RequestUsage,
  type ToolDefinition,
} from './model-port.ts'
