export { type ListedEntry, type ListedFolder, type ListWish, listFolder } from './by-hand/list-folder.ts'
export { type OpenedFile, type OpenWish, openFile } from './by-hand/open-file.ts'
export { type SavedFile, type SaveWish, saveFile } from './by-hand/save-file.ts'
export { type FoundFile, type FoundLine, type FoundLines, type LineWish, searchLines } from './by-hand/search-lines.ts'
export { type ChangeWish, type PlaceNews, type SeenPlace, waitForChange } from './by-hand/wait-for-change.ts'
export { CANVAS_TOOL_NAMES, type CanvasToolsDeps, createCanvasTools } from './canvas/canvas-tools.ts'
export type { CanvasWriter, CanvasWriterAnswer } from './canvas/canvas-writer.ts'
export {
  type BuiltInTools,
  type ConversationToolsOptions,
  createTools,
  createWorkspaceTools,
  type WorkspaceToolsOptions,
} from './create-tools.ts'
export { type NetChange, netChanges, type ReadBlob, type Stood } from './files/change-set.ts'
export { findPaths, readWorkspaceText } from './files/look-around.ts'
export type { RestorePorts } from './files/restore-place.ts'
export { namesIn, type OpenedToServe, openToServe } from './files/served-files.ts'
export type { MemoryShelf, ShelfAnswer, ShelfMemory } from './memory/memory-shelf.ts'
export { createMemoryTools } from './memory/memory-tools.ts'
export {
  createReadResultTool,
  type FindResult,
  type ResultReference,
  type StoredResult,
} from './result/read-result-tool.ts'
export { type DecidedChanges, type DecidingPorts, decideChanges } from './review/decide-changes.ts'
export { type FoundPlace, findPlace } from './review/find-place.ts'
export { type ReadingPorts, readChanges } from './review/read-changes.ts'
export type { BackgroundEnd, BackgroundProcess, BackgroundProcesses } from './shell/background.ts'
export type { WantedPort } from './shell/background-ports.ts'
export { type CommandBounds, usualBounds } from './shell/command-bounds.ts'
export { type CommandGroup, type CommandGroups, endLeftGroups } from './shell/command-groups.ts'
export type { CommitPlace, CommitRoom } from './shell/commit-room.ts'
export { findProgram } from './shell/find-program.ts'
export type { GitGuard } from './shell/git-guard.ts'
export { endCommandsOf, endLeftBehind, MARK_VARIABLE, markOf } from './shell/left-behind.ts'
export { findMachine, type Machine } from './shell/machine.ts'
export type { NetworkPrograms, OutsidePrograms } from './shell/network-room.ts'
export { type PortForward, PortForwardError } from './shell/port-forward.ts'
export { howOver } from './shell/process-tools.ts'
export {
  type ReadingOrder,
  type ReadingProgram,
  type ReadingProgramDeps,
  startReadingProgram,
} from './shell/reading-program.ts'
export {
  type Bounding,
  describeSandbox,
  type Sandbox,
  type SandboxNetwork,
  type SandboxOptions,
  sandboxedBy,
  type Visible,
  withoutHidden,
} from './shell/sandbox.ts'
export {
  createServedCommands,
  type ServedCommand,
  type ServedCommands,
  type ServedCommandsDeps,
} from './shell/served-commands.ts'
export type { FileOrigins, FileSought } from './strangers/file-origins.ts'
export { type CallWatch, createFolderWatch, type FolderWatch, type WatchOptions } from './survey/folder-watch.ts'
export type { SeenChange, SeenContent } from './survey/survey.ts'
export type { ToldChange } from './survey/survey-messages.ts'
export {
  createSurveyor,
  type SeenChanges,
  SURVEY_LIMITS,
  type Surveyor,
  type SurveyorOptions,
} from './survey/surveyor.ts'
export { createTodoTool } from './todo/todo-tool.ts'
export { createFetchPageTool, type WebPorts } from './web/fetch-page-tool.ts'
export { type MediaWish, type OpenedMedia, openMedia } from './web/open-media.ts'
export { ownAddresses } from './web/own-addresses.ts'
export { isPublicHost, PageRefusal, type ResolveName } from './web/page-address.ts'
export { isPublicAddress } from './web/public-address.ts'
export { resolveBySystem } from './web/resolve-by-system.ts'
export type { ChangingCall, FileChangePorts } from './workspace/file-change.ts'
export { FileRefusal, type FileRefusalCode } from './workspace/file-refusal.ts'
export type { Holding } from './workspace/held-folder.ts'
export { moveToNewName } from './workspace/new-name.ts'
export {
  describeWorkspace,
  openWorkspace,
  type Workspace,
  type WorkspaceOptions,
} from './workspace/workspace.ts'
