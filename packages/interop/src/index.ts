export { bindAgUi } from './ag-ui/run-routes.ts'
export { bindAiSdk } from './ai-sdk/chat-routes.ts'
export { bindOpenAi } from './openai/completion-routes.ts'
export { bindStreams } from './streams/stream-routes.ts'
