export { type AnswerText, createAnswerText } from './answer-text.ts'
export {
  AUTO_FIX,
  type AutoFixDecision,
  decideAutoFix,
  type SeenError,
  type SeenPreview,
} from './auto-fix/decide-auto-fix.ts'
export { BEYOND_ALL_LOGS } from './beyond-all-logs.ts'
export { blobsOf, type NamedUpload, uploadsOf } from './blobs-of.ts'
export {
  type Canvas,
  type CanvasElement,
  type Canvases,
  canvasOf,
  DEFAULT_AGENT_ID,
  EMPTY_CANVAS,
  shownElements,
} from './canvas/canvas.ts'
export { type CanvasLimits, canvasLimitsOf } from './canvas/canvas-limits.ts'
export { CanvasLayout, CanvasMode, CanvasOperation, CanvasTheme, NotificationTone } from './canvas/canvas-operation.ts'
export { canvasSummary, elementLine } from './canvas/canvas-summary.ts'
export {
  type CanvasDecision,
  type CanvasRefusalCode,
  type CanvasWish,
  decideWish,
  type WishContext,
} from './canvas/decide-wish.ts'
export {
  CardContent,
  ChartContent,
  ChecklistContent,
  ConfirmationContent,
  type ContentOf,
  ElementContent,
  type ElementType,
  FormContent,
  MediaContent,
  PageContent,
  ProgressContent,
  TableContent,
  TextContent,
  TimerContent,
} from './canvas/element-content.ts'
export { keptFields } from './canvas/kept-fields.ts'
export {
  AnswerBlock,
  BlobReference,
  InputContent,
  InputPart,
  LineRange,
  POINTED_CHARS,
  RESOURCE_CHARS,
  ToolCallBlock,
  ToolResultPart,
} from './content.ts'
export { doInParts, type InParts, othersTurn, PART_MS } from './do-in-parts.ts'
export {
  applyDelta,
  BlockStart,
  type DeltaOutcome,
  Draft,
  DraftBlock,
  DraftDelta,
  draftDeltas,
  emptyDraft,
  sealDraft,
} from './draft.ts'
export { AgentSettings } from './entries/agent-entries.ts'
export { AutoFixOutcome, MOST_PREVIEW_ERRORS } from './entries/auto-fix-entries.ts'
export { ConversationSettings } from './entries/conversation-entries.ts'
export { Lane } from './entries/input-entries.ts'
export { CacheBreak, CacheBreakReason } from './entries/ledger-entries.ts'
export { RewindReason } from './entries/path-entries.ts'
export { FirstPlace, PresetSettings } from './entries/preset-settings.ts'
export { BesideSource, ProviderErrorCode, Purpose } from './entries/run-entries.ts'
export { Scheduled } from './entries/scheduled.ts'
export { ChangeTarget, ErasureReceipt, NotKept } from './entries/state-entries.ts'
export { CallDecision, PermissionGuard, ToolOutcome } from './entries/tool-entries.ts'
export { ENTRY_TYPES, type Entry, type EntryOf, type EntryType, NewEntry } from './entry.ts'
export { MalformedEntryError, NewerEntryError } from './entry-errors.ts'
export { isNewest, parseKnownFields, parseNewEntry, placeEntry, readStoredEntry } from './entry-versions.ts'
export { Actor, Position } from './envelope.ts'
export {
  coversAny,
  type ErasureAct,
  entriesToErase,
  erasedEntries,
  isErasable,
  tombstone,
  tombstones,
} from './erasure.ts'
export { type ErasureCandidates, erasureCandidates } from './erasure-candidates.ts'
export { ErasureRefusedError } from './erasure-refused-error.ts'
export { hiddenCharacter, markHidden } from './hidden-characters.ts'
export { Json } from './json.ts'
export { addTotals, LedgerTotals, noTotals } from './ledger-totals.ts'
export { namedFiles } from './named-files.ts'
export { PICTURE_TYPES, pictureTypeOf, pngSizeOf } from './picture.ts'
export type { Clock, IdPrefix, Ids, Random } from './ports.ts'
export type { Projection } from './projection.ts'
export {
  type ActivePath,
  activePath,
  entriesOnPath,
  isInRanges,
  type PathSegment,
  pathRanges,
  rangesUpTo,
  type SeqRange,
} from './projections/active-path.ts'
export { type Archived, archived } from './projections/archived.ts'
export { type AutoFix, type AutoFixAttempt, autoFix } from './projections/auto-fix.ts'
export { canvases } from './projections/canvases.ts'
export { exclusions } from './projections/exclusions.ts'
export { foundTools } from './projections/found-tools.ts'
export { type CacheLosses, type Ledger, ledger, modelName } from './projections/ledger.ts'
export {
  type ConversationActivity,
  type ConversationListing,
  type ListingState,
  listing,
  toListing,
} from './projections/listing.ts'
export { type Notice, notices } from './projections/notices.ts'
export { type Overview, overview } from './projections/overview.ts'
export { type PendingPermission, pendingPermissions } from './projections/pending-permissions.ts'
export { type PendingQuestion, pendingQuestions } from './projections/pending-questions.ts'
export { type ConversationRule, permissionRules } from './projections/permission-rules.ts'
export { pins } from './projections/pins.ts'
export { type Queue, queue, type WaitingInput } from './projections/queue.ts'
export {
  type AskedPermission,
  isExclusive,
  isLent,
  isParked,
  type OpenCall,
  type OpenRun,
  type OpenStep,
  type RunPhase,
  type RunState,
  runState,
  THINKING_OFF,
  waitsForPerson,
} from './projections/run-state.ts'
export {
  type AgentInUse,
  agentOf,
  DEFAULT_AGENT,
  EXTERNAL_AGENT,
  narrowerMode,
  type SettingLayers,
  settingLayers,
  settingsInForce,
} from './projections/setting-layers.ts'
export { strangersAt, strangersFrom } from './projections/strangers-at.ts'
export { type Title, title } from './projections/title.ts'
export { type ToolDefinitionsPlace, toolDefinitions } from './projections/tool-definitions.ts'
export {
  averageDurationMs,
  type ConversationToolMetrics,
  p95DurationMs,
  toolMetrics,
} from './projections/tool-metrics.ts'
export { type Transcript, transcript, visibleItems } from './projections/transcript.ts'
export { type TranscriptFacts, transcriptItemOf } from './projections/transcript-facts.ts'
export type {
  ErasedItem,
  TranscriptCall,
  TranscriptItem,
  TranscriptItemOf,
  TranscriptPart,
  TranscriptPermission,
  TranscriptQuestion,
  TranscriptRole,
  TranscriptUsage,
} from './projections/transcript-item.ts'
export {
  AnswerContent,
  type AnswerProblem,
  answerProblems,
  asksForSecret,
  QUESTION_LIMITS,
  QuestionField,
  QuestionWish,
} from './question.ts'
export {
  ofFields,
  RuleAnnotations,
  RuleCategory,
  ruleFields,
  ToolCategory,
  WrittenPermissionRule,
} from './rule-fields.ts'
export {
  parseSearchQuery,
  type SearchPhrase,
  type SearchQuery,
  type SearchToken,
  searchableText,
  searchTokens,
} from './search-text.ts'
export { cacheModeOf, permissionModeOf, toolModeOf } from './settings/modes.ts'
export type { Setting, SettingPlace, SettingSection, SettingUnit } from './settings/setting.ts'
export {
  DUE_OF_THE_REST,
  problemsOf,
  problemWords,
  type SettingProblem,
  type SettingProblemCode,
  SUMMARY_SHARE,
  settingProblems,
  THINKING_SHARE,
} from './settings/setting-problems.ts'
export {
  AgentModels,
  CommandNetwork,
  ownSettingFields,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  type Settings,
  SomeSettings,
  Thinking,
  USUAL_SETTINGS,
} from './settings/settings.ts'
export { isSettingKey, setIn, settingsNow, settingsOfConversation, settingsOver } from './settings/settings-over.ts'
export { sizeOf } from './size-of.ts'
export {
  type BlobAddress,
  type BlobStore,
  DamagedBlobError,
  type StoredBlob,
  type StoredBytes,
  UPLOAD_KEPT_MS,
  type Upload,
} from './store/blob-store.ts'
export type { ConversationIndex, ListQuery, SearchHit, SearchRequest } from './store/conversation-index.ts'
export type { Doorbell, DoorbellListener, Ring } from './store/doorbell.ts'
export type { DraftChunk, DraftStore, StoredDraft } from './store/draft-store.ts'
export {
  type Append,
  type Appended,
  type AppendedRecord,
  type CommandKey,
  type EntryLog,
  type EntryPage,
  type LeaseClaim,
  MAX_PAGE_ENTRIES,
  PAGE_BYTES,
  type PageQuery,
} from './store/entry-log.ts'
export { type EntriesAfter, type EntriesBefore, entriesAfter, entriesBefore } from './store/entry-pages.ts'
export type { EntryStore } from './store/entry-store.ts'
export type { Lease, LeaseRequest, LeaseReturn, LeaseStore } from './store/lease-store.ts'
export type { Damage, Erasure, IntegrityReport, StoreMaintenance } from './store/maintenance.ts'
export { allRecords, endOfFeed } from './store/record-pages.ts'
export {
  type KindWrite,
  type RecordChange,
  type RecordKey,
  type RecordKind,
  type Records,
  type RecordWrite,
  RevisionConflictError,
  type StoredRecord,
} from './store/records.ts'
export {
  type BeatAnswer,
  GONE_REPLICA_MS,
  type Replica,
  type ReplicaBeat,
  type ReplicaStore,
} from './store/replica-store.ts'
export type { Snapshot, SnapshotStore } from './store/snapshot-store.ts'
export {
  AppendConflictError,
  CommandReusedError,
  DamagedLogError,
  LeaseHeldError,
  MissingBlobError,
  StaleEpochError,
  StoreOpenError,
  type StoreOpenFailure,
  StoreReadError,
  StoreWriteError,
  type StoreWriteFailure,
} from './store/store-errors.ts'
export type { UsageIndex, UsageQuery } from './store/usage-index.ts'
export { focusIn, focusNotice } from './summary-focus.ts'
export { createKeyedTurns, createTurns, type InTurn } from './turns.ts'
export { newestVersion, UPCASTS, type Upcast } from './upcasts.ts'
export { unlessAborted, untilAborted, waitFor, waitUntil } from './waiting.ts'
