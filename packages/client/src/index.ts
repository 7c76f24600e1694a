export { type AccountApi, createAccountApi, type Me, type SignInStateAnswer, type UserChange } from './account-api.ts'
export type { AgentActs, AgentFields, NewPriceQuery } from './agent-acts.ts'
export type {
  ArchiveActs,
  DamageAnswer,
  ExportChoices,
  ExportFormat,
  ImportFollower,
  SecretsAnswer,
} from './archive-acts.ts'
export type { AttachmentApi, FormToSend, SendForm, UploadFollower } from './attachment-api.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export type { CanvasAct, ConversationCanvas, PastCanvas } from './conversation-canvas.ts'
export type {
  ContextAnswer,
  ConversationContext,
  NextRequestAnswer,
  PriceQuery,
  ReceiptAnswer,
} from './conversation-context.ts'
export { type ConversationErasure, type ErasureAnswer, NO_REASON, type WordsToErase } from './conversation-erasure.ts'
export type { CallPreview, ConversationFiles, FilesRestoredAnswer } from './conversation-files.ts'
export type { ConversationList } from './conversation-list.ts'
export {
  beginFollow,
  type ConversationCommandFrame,
  type ConversationState,
  initialState,
  type OutboxItem,
  type RefusedCommand,
  reduceFrame,
} from './conversation-state.ts'
export type {
  ConversationStore,
  InputChange,
  PermissionChoice,
  QuestionChoice,
  RewindFields,
  SettingChanges,
} from './conversation-store.ts'
export type {
  ConversationTools,
  McpServersAnswer,
  PromptOrder,
  ServerOffers,
  ToolChoice,
  ValueOrder,
} from './conversation-tools.ts'
export type { InstallationActs, ToolUseAnswer } from './installation-acts.ts'
export type { OutboxKeeper, UnreadCommand } from './kept-outbox.ts'
export type { LinkState, PassedOver } from './link.ts'
export type { ConversationChange, ListActs } from './list-acts.ts'
export type { MemoryApi, MemoryEdit } from './memory-api.ts'
export type { UnsentPart } from './merge-unsent.ts'
export type { Observable } from './observable.ts'
export { PageNotReadError } from './page-not-read-error.ts'
export type { PageReader } from './page-reader.ts'
export type { PermissionRuleApi, SuggestionRow } from './permission-rule-api.ts'
export { type ClientPorts, machinePorts } from './ports.ts'
export type { NewProvider, ProviderActs } from './provider-acts.ts'
export type { Remote, RemoteValue } from './remote-value.ts'
export { RequestFailedError } from './request-failed-error.ts'
export { type Asked, createRouteApi, type FollowedEvent, type RouteApi } from './route-api.ts'
export type { SettingActs } from './setting-acts.ts'
export { type RunEnd, type ThreadWindow, windowItems } from './thread-window.ts'
export type { Line, LineEnd, LineEvents, Transport } from './transport.ts'
export type { UnsentKeeper, UnsentText } from './unsent-text.ts'
export { createWebSocketTransport, type PageKeyKeeper, type ServerAddress } from './web-socket-transport.ts'
