export { createEngine, type EngineOptions } from './create-engine.ts'
export {
  type Admitted,
  type AnswerPermission,
  type ChangeInput,
  type ChangeSettings,
  type CommandBase,
  type ConversationCommand,
  type CreateConversation,
  type Engine,
  type InputCommand,
  InputNotWaitingError,
  type PermissionAnswer,
  type RevokeRule,
  ScopeNotOfferedError,
  type SendMessage,
  type StopAnswer,
  type StopRun,
  UnknownConversationError,
  UnknownModelError,
  UnknownPermissionRequestError,
} from './engine.ts'
export { createInProcessBus } from './in-process-bus.ts'
export type { LiveBus, LiveMessage } from './live-bus.ts'
export { readOverview } from './live-log.ts'
export type { EnginePorts, ModelChoice, PermissionPolicy, ToolsQuery } from './ports.ts'
