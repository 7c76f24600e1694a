export { ConversationRow, toConversationRow } from './answers/conversation-row.ts'
export { ImportAnswer, ImportSkip, nothingImported } from './answers/import-answer.ts'
export { LedgerAnswer, LedgerRecord, UsageAnswer, UsageGroup } from './answers/ledger-answer.ts'
export { ModelRow, ModelsAnswer, ProviderRow } from './answers/models-answer.ts'
export {
  ConversationPermissionRule,
  PermissionRequest,
  toPermissionRequest,
  toPermissionRule,
} from './answers/permission-request.ts'
export { CacheOutlookRow, PriceAnswer, RequestPriceRow } from './answers/price-answer.ts'
export {
  HistoryExtentAnswer,
  PastCallRow,
  RuleTrialAnswer,
  SuggestedPermissionRule,
  SuggestionsAnswer,
} from './answers/rule-trial-answer.ts'
export { ToolMetricsRow, ToolMode, ToolRow, ToolsAnswer, toToolMetricsRow } from './answers/tools-answer.ts'
export { TranscriptAnswerItem, toTranscriptAnswer } from './answers/transcript-answer.ts'
export { CanvasAction } from './commands/canvas-action.ts'
export type { AskedSettings, Command, CommandPlace, CommandRoute, CommandRoutes } from './commands/command.ts'
export {
  type AskedCommand,
  CommandFrame,
  type CommandReply,
  commandRoutes,
  commands,
  SendLane,
  scopeOfCommand,
} from './commands/command-table.ts'
export {
  EXTERNAL_AGENT_LIMITS,
  ExternalAgentChoices,
  ExternalAgentId,
  ExternalAgentPayer,
  ExternalAgentRow,
  ExternalAgentTest,
  externalAgentFields,
} from './external/external-agent-routes.ts'
export { ClientFrame, MAX_CLIENT_FRAME_LENGTH } from './frames/client-frames.ts'
export { CLOSE, type CloseReason } from './frames/close-codes.ts'
export {
  commandProblem,
  frameProblem,
  meantCommandId,
  ProtocolError,
  parseFrame,
  type WordsOfInput,
} from './frames/parse-frame.ts'
export { parseServerFrame, type UnknownFrame } from './frames/parse-server-frame.ts'
export { MAX_SERVER_FRAME_LENGTH, ServerFrame, type ServerFrameOf, WireEntry } from './frames/server-frames.ts'
export { TERMINAL_BOUNDS } from './frames/terminal-frames.ts'
export { PROTOCOL_VERSION } from './frames/version.ts'
export { GENERATED_PAGE_PATH } from './parts/generated-page.ts'
export { inputWords } from './parts/input-words.ts'
export { namedFields } from './parts/named-fields.ts'
export {
  MCP_SIGN_IN_FRAGMENT,
  PAGE_KEY_FRAGMENT,
  PAGE_KEY_HEADER,
  PAGE_KEY_PROTOCOL,
  SOCKET_PROTOCOL,
  TICKET_PARAMETER,
} from './parts/page-key.ts'
export { PROBLEM_MEDIA_TYPE, Problem, type ProblemCode, type ProblemStatus, problem } from './parts/problem.ts'
export { type Access, type BodyOf, type Route, type StatusOf, scopeOf } from './parts/route.ts'
export { ComposerContent, MAX_TEXT_LENGTH, MentionKind, SentContent, SentPart } from './parts/sent-content.ts'
export { scopeOfSettings } from './parts/settings-changes.ts'
export { type NeededScope, Role, Scope } from './parts/who-may.ts'
export {
  type ConsoleLine,
  type OutlineElement,
  PickedElement,
  PreviewHello,
  type PreviewOrder,
  PreviewTold,
} from './preview/preview-told.ts'
export { SourceHint } from './preview/source-hint.ts'
export { ToldError } from './preview/told-error.ts'
export { API_PAGE_STYLE, apiPageOf } from './reference/api-page.ts'
export { openApiOf } from './reference/open-api.ts'
export {
  Account,
  ApiKeyRow,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  NewPassword,
  PersonBudget,
  SessionRow,
  SignedInAccount,
} from './routes/account-routes.ts'
export { AuditAnswer, AuditRow, PersonRow, ServerHealth } from './routes/administration-routes.ts'
export { AGENT_LIMITS, AgentPreferences, AgentRow, AgentSharing, agentFields } from './routes/agent-routes.ts'
export { FoundLogsRow } from './routes/archive-routes.ts'
export { CanvasChanges, CanvasSnapshot } from './routes/canvas-routes.ts'
export { ChangedFileRow } from './routes/file-routes.ts'
export { AgUiRun, AgUiUserMessage } from './routes/interop/ag-ui-routes.ts'
export { AiSdkChatRequest, UiMessage } from './routes/interop/interop-routes.ts'
export {
  OpenAiChatRequest,
  OpenAiMessage,
  OpenAiUsage,
  ResponseInput,
  ResponseObject,
  ResponsePart,
  ResponseRequest,
  ResponseTool,
} from './routes/interop/openai-routes.ts'
export { McpServerRow, McpServerRowState } from './routes/mcp-routes.ts'
export { MemoriesAnswer, MemoryRow } from './routes/memory-routes.ts'
export { API_PATH, ownRoutes, SOCKET_PATH } from './routes/own-routes.ts'
export { AlwaysRule } from './routes/permission-rule-routes.ts'
export { PRESET_LIMITS, PresetRow } from './routes/preset-routes.ts'
export {
  PREVIEW_LIMITS,
  PreviewErrorRow,
  PreviewRow,
  PreviewSource,
  previewErrorText,
} from './routes/preview-routes.ts'
export { ChatServer, ProviderSetting, ProviderTest, ProviderType } from './routes/provider-routes.ts'
export { PushSubscription } from './routes/push-routes.ts'
export { toOpenQuestion } from './routes/question-routes.ts'
export { Attachment, Composer } from './routes/record-routes.ts'
export { ReplicaRow } from './routes/replica-routes.ts'
export { routes } from './routes/routes.ts'
export {
  HOOK_HEADERS,
  HOOK_LIMITS,
  HOOK_PATH,
  InboxItem,
  OccurrenceRow,
  SCHEDULE_LIMITS,
  ScheduleRow,
  ScheduleRule,
  ScheduleWhy,
} from './routes/schedule-routes.ts'
export { SettingRow } from './routes/setting-routes.ts'
export { ProcessRow, TerminalRow } from './routes/terminal-routes.ts'
export { FileMark, WORKSPACE_FILE_LIMITS } from './routes/workspace-file-routes.ts'
export { START_WORKSPACE, WORKSPACE_LIMITS, WorkspaceAccess, WorkspaceRow } from './routes/workspace-routes.ts'
export { FinishHow, WorktreeRow } from './routes/worktree-routes.ts'
export { AgentVoice, NO_VOICE, VOICE_LIMITS, VoiceAnswer, VoiceEngine } from './voice/voice-routes.ts'
