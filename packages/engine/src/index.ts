export {
  type Admitted,
  type CommandBase,
  type CreateConversation,
  type Engine,
  type SendMessage,
  type StopAnswer,
  type StopRun,
  UnknownConversationError,
} from './engine.ts'
export type { LiveBus, LiveMessage } from './live-bus.ts'
