import type { Clock } from '@holdfast/conversation'
import type { Tool } from '@holdfast/tool'
import type { CanvasDesk } from './canvas/canvas-desk.ts'
import { createCanvasTools } from './canvas/canvas-tools.ts'
import { createEditTool } from './files/edit-tool.ts'
import { createGlobTool } from './files/glob-tool.ts'
import { createListTool } from './files/list-tool.ts'
import { createReadTool } from './files/read-tool.ts'
import { createSearchTool } from './files/search-tool.ts'
import { createSeenFiles } from './files/seen-files.ts'
import { createDeleteTool, createMoveTool } from './files/tree-tools.ts'
import { createWriteTool } from './files/write-tool.ts'
import { createReadResultTool, type FindResult } from './result/read-result-tool.ts'
import { createBackgroundProcesses } from './shell/background.ts'
import type { Machine } from './shell/machine.ts'
import { createProcessTools } from './shell/process-tools.ts'
import { describeSandbox } from './shell/sandbox.ts'
import { createShellTool } from './shell/shell-tool.ts'
import { createTodoTool } from './todo/todo-tool.ts'
import { createFetchPageTool } from './web/fetch-page-tool.ts'
import type { ResolveName } from './web/page-address.ts'
import type { FileChangePorts } from './workspace/file-change.ts'
import { describeWorkspace, type Workspace } from './workspace/workspace.ts'

/** What the tools of one conversation are made of. */
export interface ConversationToolsOptions {
  readonly clock: Clock
  /** Null without a folder: then there are no files and no shell. */
  readonly workspace: WorkspaceToolsOptions | null
  /** Null without the network. */
  readonly web: { readonly resolveName: ResolveName; readonly permittedRanges: readonly string[] } | null
  /** Null where results are not kept. */
  readonly findResult: FindResult | null
  /** Absent where there is no canvas. */
  readonly canvas?: CanvasDesk
}

/** What the tools of a workspace are made of. */
export interface WorkspaceToolsOptions {
  readonly workspace: Workspace
  readonly machine: Machine
  readonly changes: FileChangePorts
}

/** The tools of one conversation, and what they own. */
export interface ConversationTools {
  readonly tools: readonly Tool[]
  /** What confines them, for people. */
  describe(): string
  /** Whether nothing of it runs in the background. */
  isIdle(): boolean
  /** Ends what still runs. Nothing that they started outlives it. */
  close(): Promise<void>
}

/** Makes the built-in tools for one conversation: what it has read and what it runs belongs to it alone. */
export function createTools({
  clock,
  workspace,
  web,
  findResult,
  canvas,
}: ConversationToolsOptions): ConversationTools {
  const files = workspace ? createWorkspaceTools(workspace, clock) : null
  const tools = [
    ...(files ? files.tools : []),
    ...(web ? [createFetchPageTool({ ...web, clock })] : []),
    ...(findResult ? [createReadResultTool(findResult)] : []),
    createTodoTool(),
    ...(canvas ? createCanvasTools({ desk: canvas, clock }) : []),
  ]
  return {
    tools,
    describe: () => files?.describe() ?? 'There is no workspace: no files and no shell.',
    isIdle: () => files?.isIdle() ?? true,
    close: async () => files?.close(),
  }
}

/** Makes the tools for files and commands of one conversation in a workspace. */
export function createWorkspaceTools(
  { workspace, machine, changes }: WorkspaceToolsOptions,
  clock: Clock,
): ConversationTools {
  const seen = createSeenFiles()
  const shell = machine.bash === null ? null : { ...machine, bash: machine.bash, workspace, clock }
  const background = shell && createBackgroundProcesses(shell)
  const changing = { workspace, seen, ports: changes }
  const ripgrep = machine.ripgrep === null ? null : { program: machine.ripgrep, clock }
  return {
    tools: [
      createListTool({ workspace }),
      createGlobTool({ workspace }),
      createSearchTool({ workspace, ripgrep }),
      createReadTool({ workspace, seen }),
      createWriteTool(changing),
      createEditTool(changing),
      createMoveTool(changing),
      createDeleteTool(changing),
      ...(shell && background ? [createShellTool(shell, background), ...createProcessTools(background, clock)] : []),
    ],
    describe: () =>
      [
        describeWorkspace(workspace),
        shell ? describeSandbox(machine.sandbox) : 'There is no shell: bash is not installed.',
        ripgrep ? 'Search is by ripgrep.' : 'Search is built in; install ripgrep (rg) for large folders.',
      ].join('\n'),
    isIdle: () => (background?.list() ?? []).every((process) => process.end() !== null),
    close: async () => background?.close(),
  }
}
