export {
  Account,
  ApiKeyRow,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  NewPassword,
  PersonBudget,
  SessionRow,
  SignedInAccount,
} from './account-routes.ts'
export { AGENT_LIMITS, AgentPreferences, AgentRow, AgentSharing, agentFields } from './agent-routes.ts'
export { API_PAGE_STYLE, apiPageOf } from './api-page.ts'
export { CanvasAction, CanvasChanges, CanvasSnapshot } from './canvas-routes.ts'
export { ClientFrame, MAX_CLIENT_FRAME_LENGTH } from './client-frames.ts'
export { CLOSE, type CloseReason } from './close-codes.ts'
export type { AskedSettings, Command, CommandPlace, CommandRoute, CommandRoutes } from './command.ts'
export { CommandFrame, commandRoutes, commands, SendLane, scopeOfCommand } from './commands.ts'
export { scopeOfSettings } from './conversation-commands.ts'
export { ConversationRow, toConversationRow } from './conversation-row.ts'
export { FileToRestoreRow } from './file-routes.ts'
export { ImportAnswer, ImportSkip } from './import-answer.ts'
export { AiSdkChatRequest, UiMessage } from './interop-routes.ts'
export { LedgerAnswer, LedgerRecord, UsageAnswer, UsageGroup } from './ledger-answer.ts'
export { McpServerRow, McpServerRowState } from './mcp-routes.ts'
export { MemoriesAnswer, MemoryRow } from './memory-routes.ts'
export { ModelRow, ModelsAnswer, ProviderRow } from './models-answer.ts'
export { openApiOf } from './open-api.ts'
export { OpenAiChatRequest, OpenAiMessage, OpenAiUsage } from './openai-routes.ts'
export {
  MCP_SIGN_IN_FRAGMENT,
  PAGE_KEY_FRAGMENT,
  PAGE_KEY_HEADER,
  PAGE_KEY_PROTOCOL,
  SOCKET_PROTOCOL,
  TICKET_PARAMETER,
} from './page-key.ts'
export { ProtocolError, parseFrame } from './parse-frame.ts'
export {
  ConversationPermissionRule,
  PermissionRequest,
  toPermissionRequest,
  toPermissionRule,
} from './permission-request.ts'
export { AlwaysRule } from './permission-rule-routes.ts'
export { CacheOutlookRow, PriceAnswer, RequestPriceRow } from './price-answer.ts'
export { PROBLEM_MEDIA_TYPE, Problem, type ProblemCode, type ProblemStatus, problem } from './problem.ts'
export { ChatServer, ProviderSetting, ProviderTest, ProviderType } from './provider-routes.ts'
export { toOpenQuestion } from './question-routes.ts'
export { Attachment, Composer } from './record-routes.ts'
export { type Access, type BodyOf, type Route, type StatusOf, scopeOf } from './route.ts'
export { API_PATH, routes, SOCKET_PATH } from './routes.ts'
export {
  HistoryExtentAnswer,
  PastCallRow,
  RuleTrialAnswer,
  SuggestionsAnswer,
  WrittenPermissionRule,
} from './rule-trial-answer.ts'
export { ComposerContent, MAX_TEXT_LENGTH, SentContent, SentPart } from './sent-content.ts'
export { MAX_SERVER_FRAME_LENGTH, ServerFrame, type ServerFrameOf, WireEntry } from './server-frames.ts'
export { ToolMetricsRow, ToolMode, ToolRow, ToolsAnswer, toToolMetricsRow } from './tools-answer.ts'
export { TranscriptAnswerItem, toTranscriptAnswer } from './transcript-answer.ts'
export { PROTOCOL_VERSION } from './version.ts'
export { type NeededScope, Role, Scope } from './who-may.ts'
