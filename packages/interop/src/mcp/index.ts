export type { AskedRoute, RouteCalls } from './call-route.ts'
export { type ConversationServerDeps, createConversationServer } from './conversation-server.ts'
export { type OverStdio, serveOverStdio } from './serve-over-stdio.ts'
