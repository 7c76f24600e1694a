export type { AgentNote } from './api/agent-note.ts'
export type { AgentSource, OfferedAgent } from './api/agent-source.ts'
export type { Answered } from './api/answered.ts'
export type { AutoFixEngine, Mended, MendPreview, SwitchAutoFix } from './api/auto-fix-engine.ts'
export type { Beats, HeldEpochs } from './api/beats.ts'
export { type CanvasAnswer, type CanvasEngine, CanvasRefusedError, type ChangeCanvas } from './api/canvas-engine.ts'
export type { AnswerCalls, ClientResult } from './api/client-result.ts'
export type {
  CheckpointCommand,
  ContextEngine,
  ContextReport,
  EditCheckpoint,
  ExcludeResult,
  MakeCheckpoint,
  NextRequest,
  PinMessage,
  RequestReceipt,
} from './api/context-engine.ts'
export {
  type ChangeConversation,
  type ConversationEngine,
  type ConversationTool,
  type EraseEntries,
  type ForkConversation,
  type LedTo,
  type NamedWords,
  type RewindPath,
  type Rewound,
  RunActiveError,
  type SelectPath,
} from './api/conversation-engine.ts'
export type {
  AdmitOccurrence,
  Admitted,
  AnswerPermission,
  ChangeInput,
  ChangeSettings,
  CommandBase,
  ConversationCommand,
  CreateConversation,
  Engine,
  InputCommand,
  RevokeRule,
  SendMessage,
  StopAnswer,
  StopRun,
} from './api/engine.ts'
export type { FactMoment, FactSource } from './api/fact-source.ts'
export type {
  ChangesDecided,
  ChangesQuestion,
  DecideChanges,
  FileConflict,
  FilesEngine,
  ReviewedChanges,
} from './api/files-engine.ts'
export type { GatewayEngine, OpenPass, PassedOutcome, PassRefused, RequestToPass } from './api/gateway-engine.ts'
export type { GivenContent, NamedPart, RefusedContent } from './api/given-content.ts'
export type { LiveBus, LiveMessage } from './api/live-bus.ts'
export type { NewConversation } from './api/new-conversation.ts'
export type {
  AddAlwaysRule,
  AddRule,
  AlwaysRuleAdded,
  HistoryExtent,
  HistoryRange,
  PermissionEngine,
  RuleReport,
  Suggestions,
} from './api/permission-engine.ts'
export type {
  AskedCall,
  CallsLeft,
  ChangeReviewer,
  EnginePorts,
  LearntModelWindow,
  LoggedChange,
  ModelChoice,
  PlaceQuery,
  ReviewQuery,
  SourceInstructions,
  StrangersFiles,
  ToolsQuery,
  WorkbenchPorts,
  WrittenFiles,
} from './api/ports.ts'
export type { OfferedPreset, PresetSource } from './api/preset-source.ts'
export type { NewPriceInquiry, NextPrice, PriceInquiry, PriceOfChange } from './api/price-inquiry.ts'
export type { AnswerQuestion } from './api/question-answer.ts'
export {
  type RefusalCode,
  type RefusalIds,
  RefusedCommandError,
  SettingsContradictError,
} from './api/refused-command-error.ts'
export { UnknownConversationError } from './api/unknown-conversation.ts'
export type { BudgetPeriod, People, UserBudget, UserBudgets } from './api/user-budgets.ts'
export { ALWAYS_RULE } from './chosen/always-rules.ts'
export { conversationsOf } from './chosen/conversations-of.ts'
export { storeBlobSink } from './chosen/store-blob-sink.ts'
export { type SubAgentCost, subAgentCosts, sumOfCosts } from './chosen/sub-agents.ts'
export { takenAgent } from './commands/agents.ts'
export type { WindowUse } from './embed/context-use.ts'
export type { EmbeddedConversation, RunOptions, RunResult } from './embed/conversation.ts'
export { createEngine, type EmbeddedEngine, type EmbeddedModel, type EngineOptions } from './embed/embedded-engine.ts'
export { type FollowedTurn, followTurn, type TurnEnd } from './embed/follow-turn.ts'
export type { UsageSums } from './embed/usage-figures.ts'
export { createInProcessBus } from './live/in-process-bus.ts'
export { readOverview } from './log/log-states.ts'
export {
  createMemories,
  type Memories,
  type MemoryChange,
  type MemoryOutcome,
  type MemoryToSave,
  savedIn,
} from './memories/memories.ts'
export { type Memory, memoriesFor, memoryAgentOf } from './memories/memory.ts'
export { type RankedMemory, rankMemories } from './memories/rank-memories.ts'
export { createEngineOn, type FaultOptions } from './process/create-engine.ts'
export { createOwnReplica, type OwnReplica, type OwnReplicaDeps } from './process/own-replica.ts'
export { createCanvasFact } from './request/facts/canvas-fact.ts'
export { createMemoriesFact, usesMemories } from './request/facts/memories-fact.ts'
export { createTimeFact } from './request/facts/time-fact.ts'
export { createWorkspaceFact } from './request/facts/workspace-fact.ts'
export { contradictionOf } from './request/model-settings.ts'
