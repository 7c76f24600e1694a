export { bindAiSdk } from './ai-sdk/chat-routes.ts'
