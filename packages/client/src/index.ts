export {
  type AccountApi,
  createAccountApi,
  type Me,
  type SignInStateAnswer,
  type UserChange,
} from './apis/account-api.ts'
export type { AdministrationActs } from './apis/administration-acts.ts'
export type { AgentActs, AgentFields, NewPriceQuery } from './apis/agent-acts.ts'
export type {
  ArchiveActs,
  DamageAnswer,
  ExportChoices,
  ExportFormat,
  ImportFollower,
  SecretsAnswer,
} from './apis/archive-acts.ts'
export type { AttachmentApi, FormToSend, SendForm, UploadFollower } from './apis/attachment-api.ts'
export { createExternalAgentApi, type ExternalAgentApi, type NewExternalAgent } from './apis/external-agent-api.ts'
export type { InstallationActs, ToolUseAnswer } from './apis/installation-acts.ts'
export type { ConversationChange, ListActs } from './apis/list-acts.ts'
export type { MemoryApi, MemoryEdit } from './apis/memory-api.ts'
export type { PermissionRuleApi, SuggestionRow } from './apis/permission-rule-api.ts'
export type { FilesOf, PlaceFiles, ReadFile, SaveFile, SeenFile } from './apis/place-files.ts'
export type { PresetActs, PresetChange, PresetFields } from './apis/preset-acts.ts'
export type { FoundSource, HeardOfPreview, PreviewActs, WantedPicture, WantedPreview } from './apis/preview-acts.ts'
export type { NewProvider, ProviderActs } from './apis/provider-acts.ts'
export type { PushActs } from './apis/push-acts.ts'
export type { Inbox, NewSchedule, ScheduleActs, ScheduleChange } from './apis/schedule-acts.ts'
export type { SettingActs } from './apis/setting-acts.ts'
export type {
  OpenedTerminal,
  TerminalApi,
  TerminalQuery,
  TerminalScreen,
  TerminalSize,
  TerminalsHere,
} from './apis/terminal-api.ts'
export { createVoiceApi, type Recording, type VoiceApi } from './apis/voice-api.ts'
export type {
  FinishedAnswer,
  FinishWish,
  FolderListing,
  WorkspaceActs,
  WorkspaceChange,
} from './apis/workspace-acts.ts'
export { type Client, type ClientOptions, createClient, type FilesQuery, type FirstChoices } from './client.ts'
export type { CanvasAct, ConversationCanvas, PastCanvas } from './conversation/conversation-canvas.ts'
export type {
  ContextAnswer,
  ConversationContext,
  NextRequestAnswer,
  PriceQuery,
  ReceiptAnswer,
} from './conversation/conversation-context.ts'
export {
  type ConversationErasure,
  type ErasureAnswer,
  NO_REASON,
  type WordsToErase,
} from './conversation/conversation-erasure.ts'
export type {
  CallPreview,
  ChangesAnswer,
  ChangesDecidedAnswer,
  ChangesOf,
  ConversationFiles,
  SentDecision,
} from './conversation/conversation-files.ts'
export type { ConversationList } from './conversation/conversation-list.ts'
export {
  beginFollow,
  type ConversationCommandFrame,
  type ConversationState,
  initialState,
  type OutboxItem,
  type RefusedCommand,
  reduceFrame,
} from './conversation/conversation-state.ts'
export type {
  ConversationStore,
  InputChange,
  PermissionChoice,
  QuestionChoice,
  RewindFields,
  SettingChanges,
} from './conversation/conversation-store.ts'
export type {
  ConversationTools,
  McpServersAnswer,
  PromptOrder,
  ServerOffers,
  ToolChoice,
  ValueOrder,
} from './conversation/conversation-tools.ts'
export type { OutboxKeeper, UnreadCommand } from './conversation/kept-outbox.ts'
export type { UnsentPart } from './conversation/merge-unsent.ts'
export { type RunEnd, type ThreadWindow, windowItems } from './conversation/thread-window.ts'
export type { UnsentKeeper, UnsentText } from './conversation/unsent-text.ts'
export type { LinkState, PassedOver } from './link/link.ts'
export { PageNotReadError } from './link/page-not-read-error.ts'
export type { PageReader } from './link/page-reader.ts'
export { RequestFailedError } from './link/request-failed-error.ts'
export { type Asked, createRouteApi, type FollowedEvent, type RouteApi } from './link/route-api.ts'
export type { Line, LineEnd, LineEvents, Transport } from './link/transport.ts'
export { createWebSocketTransport, type PageKeyKeeper, type ServerAddress } from './link/web-socket-transport.ts'
export { type ClientPorts, machinePorts } from './ports.ts'
export { createSource, type Observable, type Source, tellAtOnce } from './values/observable.ts'
export type { Remote, RemoteValue } from './values/remote-value.ts'
