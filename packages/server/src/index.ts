export type { Accounts, AccountsDeps } from './accounts/open-accounts.ts'
export { createSeal, type Seal } from './accounts/seal.ts'
export {
  type AgentDirectory,
  type AgentDirectoryDeps,
  createAgentDirectory,
  type FileAgent,
} from './agents/agent-directory.ts'
export type {
  AddedExternalAgent,
  ExternalAgentChanges,
  ExternalAgentDirectory,
} from './agents/external-agent-directory.ts'
export type { ApiDeps } from './api.ts'
export { createServer } from './create-server.ts'
export { PublicAddressError, urlOf } from './door/addresses.ts'
export { type Answer, bindRoute, TAKEN_OVER } from './door/bind-route.ts'
export { LOCAL_USER_ID } from './door/gate.ts'
export type { Network } from './door/network.ts'
export { createStartUpToken, passOf, proofOf, type StartUpToken } from './door/start-up-token.ts'
export type { FoundLogsPort, OpenedLogs } from './imports/found-logs.ts'
export { type AwaitedEntries, awaitEntries } from './live/await-entries.ts'
export { type FrameEncoder, startEventStream } from './live/event-stream.ts'
export { LINE_LIMITS, type LineLimits } from './live/outlet.ts'
export type { Carrier, CarrierListener } from './live/replicas/carrier.ts'
export { createReplicaBus, type ReplicaBus, type ReplicaBusDeps } from './live/replicas/replica-bus.ts'
export type { Diagnostics } from './parts/diagnostics.ts'
export type { McpDirectory } from './parts/mcp-directory.ts'
export { createMetrics, type Metrics, type ServedRequest } from './parts/metrics.ts'
export type { Principal } from './parts/principal.ts'
export type { AddedProvider, ProviderChanges, ProviderDirectory } from './parts/provider-directory.ts'
export { STORAGE_LIMITS, type StorageLimits } from './parts/storage-limits.ts'
export { RefusedError, toProblem } from './parts/to-problem.ts'
export { createPresetDirectory, type PresetDirectory } from './presets/preset-directory.ts'
export type { WatchedSources } from './previews/preview-watch.ts'
export { USUAL_PUSH_SERVICES } from './push/push-services.ts'
export type { PushMessage, PushPort } from './push/pushes.ts'
export type { StoreFacts } from './routes/administration-routes.ts'
export type { PreviewDirectory, PreviewWish } from './routes/preview-routes.ts'
export { createPointedAt } from './routes/reading/read-pointed-at.ts'
export { sumUsage, type UsageSum } from './routes/reading/sum-usage.ts'
export type { WorkspaceFiles } from './routes/workspace-file-routes.ts'
export type { WorkspaceReader } from './routes/workspace-routes.ts'
export type { WorktreeDirectory } from './routes/worktree-routes.ts'
export type { FolderPlace, Folders } from './schedules/folder-looks.ts'
export {
  createScheduleDirectory,
  type ScheduleDirectory,
  type ScheduleDirectoryDeps,
} from './schedules/schedule-directory.ts'
export { createScheduler, type Scheduler } from './schedules/scheduler.ts'
export type { Server, ServerDeps } from './server-deps.ts'
export { createSettingDirectory, type FixedSettings, type SettingDirectory } from './settings/setting-directory.ts'
export { openVoice, type Voice, type VoiceDeps } from './voice/open-voice.ts'
export {
  createWorkspaceDirectory,
  type FolderChooser,
  type WorkspaceDirectory,
  type WorkspaceDirectoryDeps,
} from './workspaces/workspace-directory.ts'
