export type { AgentSource, OfferedAgent } from './agent-source.ts'
export { UnknownAgentError } from './agents.ts'
export type { Answered } from './answered.ts'
export { type CanvasAnswer, type CanvasEngine, CanvasRefusedError, type ChangeCanvas } from './canvas-engine.ts'
export {
  type CheckpointCommand,
  type ContextEngine,
  type ContextReport,
  type EditCheckpoint,
  type ExcludeResult,
  type MakeCheckpoint,
  type NextRequest,
  type PinMessage,
  type RequestReceipt,
  UnknownCheckpointError,
  UnknownMessageError,
  UnknownResultError,
} from './context-engine.ts'
export {
  type ChangeConversation,
  type ConversationEngine,
  type ConversationTool,
  type EraseEntries,
  type ForkConversation,
  type LedTo,
  type NamedWords,
  PathRefusedError,
  type RewindPath,
  type Rewound,
  RunActiveError,
  type SelectPath,
} from './conversation-engine.ts'
export { conversationsOf } from './conversations-of.ts'
export { createEngineOn, type FaultOptions } from './create-engine.ts'
export type { ContextUse } from './embed/context-use.ts'
export type { EmbeddedConversation, RunOptions, RunResult } from './embed/conversation.ts'
export { createEngine, type EmbeddedEngine, type EmbeddedModel, type EngineOptions } from './embed/create-engine.ts'
export type { UsageFigures } from './embed/usage-figures.ts'
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
  type RevokeRule,
  ScopeNotOfferedError,
  type SendMessage,
  type StopAnswer,
  type StopRun,
  UnknownConversationError,
  UnknownModelError,
  UnknownPermissionRequestError,
  WorkspaceNotPermittedError,
} from './engine.ts'
export { createCanvasFact } from './facts/canvas-fact.ts'
export type { FactMoment, FactSource } from './facts/fact-source.ts'
export { createMemoriesFact, usesMemories } from './facts/memories-fact.ts'
export { createTimeFact } from './facts/time-fact.ts'
export { createWorkspaceFact } from './facts/workspace-fact.ts'
export type {
  ChangesQuestion,
  FileConflict,
  FilesEngine,
  FilesRestored,
  FileToRestore,
  RestoreFiles,
} from './files-engine.ts'
export { type FollowedTurn, followTurn, type TurnEnd } from './follow-turn.ts'
export { createInProcessBus } from './in-process-bus.ts'
export { ALWAYS_RULE } from './judge-call.ts'
export {
  createKnownFiles,
  type FileReader,
  type FilesSeen,
  type KnownFiles,
  type KnownFilesDeps,
} from './known-files.ts'
export type { LiveBus, LiveMessage } from './live-bus.ts'
export { readOverview } from './log-states.ts'
export {
  createMemories,
  type Memories,
  type MemoryChange,
  type MemoryOutcome,
  type MemoryWish,
  savedIn,
} from './memories/memories.ts'
export { MEMORY_LIMITS, type Memory, memoriesFor, memoryAgentOf } from './memories/memory.ts'
export { type RankedMemory, rankMemories } from './memories/rank-memories.ts'
export type { NewConversation } from './new-conversation.ts'
export {
  type AddAlwaysRule,
  type AddRule,
  type AlwaysRuleAdded,
  type HistoryExtent,
  type HistoryQuestion,
  type PermissionEngine,
  RuleRefusedError,
  type RuleReport,
  type Suggestions,
} from './permission-engine.ts'
export type {
  EnginePorts,
  FileChange,
  FileChangeSource,
  FileRestorer,
  LoggedChange,
  MemoryChangeSource,
  MemoryLogChange,
  ModelChoice,
  ObservedCall,
  RestoreQuery,
  SourceInstructions,
  StrangersFiles,
  ToolsQuery,
  WrittenFiles,
} from './ports.ts'
export type { NewPriceQuestion, PriceAnswer, PriceOfChange, PriceQuestion } from './price-question.ts'
export {
  type AnswerQuestion,
  AnswerRefusedError,
  UnknownQuestionError,
} from './question-answer.ts'
export { storeBlobSink } from './store-blob-sink.ts'
export { createSubAgentTool, MOST_SUB_AGENT_DEPTH, type SubAgentDeps } from './sub-agent.ts'
export type { BudgetPeriod, UserBudget, UserBudgets } from './user-budgets.ts'
