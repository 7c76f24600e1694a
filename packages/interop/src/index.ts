export { bindAiSdk } from './ai-sdk/chat-routes.ts'
export { bindOpenAi } from './openai/completion-routes.ts'
