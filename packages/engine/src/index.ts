export { createEngine, type EngineOptions } from './create-engine.ts'
export {
  type Admitted,
  type ChangeInput,
  type CommandBase,
  type ConversationCommand,
  type CreateConversation,
  type Engine,
  type InputCommand,
  InputNotWaitingError,
  type SendMessage,
  type StopAnswer,
  type StopRun,
  UnknownConversationError,
} from './engine.ts'
export { createInProcessBus } from './in-process-bus.ts'
export type { LiveBus, LiveMessage } from './live-bus.ts'
export { readOverview } from './live-log.ts'
export type { EnginePorts, ModelChoice } from './ports.ts'
