export { useConversation, useObservable } from './use-conversation.ts'
