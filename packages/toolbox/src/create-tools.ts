import type { Clock } from '@holdfast/conversation'
import type { BlobSink, FileChange, Tool, ToolContext } from '@holdfast/tool'
import { createCanvasTools } from './canvas/canvas-tools.ts'
import type { CanvasWriter } from './canvas/canvas-writer.ts'
import { createEditTool } from './files/edit-tool.ts'
import { createGlobTool } from './files/glob-tool.ts'
import { createListTool } from './files/list-tool.ts'
import { createReadTool } from './files/read-tool.ts'
import { createSearchTool } from './files/search-tool.ts'
import { createSeenFiles } from './files/seen-files.ts'
import { createDeleteTool, createMoveTool } from './files/tree-tools.ts'
import { createWriteTool } from './files/write-tool.ts'
import { createReadResultTool, type FindResult } from './result/read-result-tool.ts'
import { type BackgroundProcesses, createBackgroundProcesses } from './shell/background.ts'
import { forwardPort, type WantedPort } from './shell/background-ports.ts'
import type { Machine } from './shell/machine.ts'
import { createNetworkRoom, type NetworkRoom } from './shell/network-room.ts'
import { type PortForward, PortForwardError } from './shell/port-forward.ts'
import { createProcessTools } from './shell/process-tools.ts'
import { describeSandbox } from './shell/sandbox.ts'
import { createShellTool } from './shell/shell-tool.ts'
import type { FileOrigins } from './strangers/file-origins.ts'
import { createStrangersReader } from './strangers/strangers-reader.ts'
import type { FolderWatch } from './survey/folder-watch.ts'
import { createTodoTool } from './todo/todo-tool.ts'
import { createFetchPageTool, type WebPorts } from './web/fetch-page-tool.ts'
import type { Changing } from './workspace/file-change.ts'
import { refusingOutside } from './workspace/refusing-outside.ts'
import { describeWorkspace, type Workspace } from './workspace/workspace.ts'

/** What the tools of one conversation are made of. */
export interface ConversationToolsOptions {
  readonly clock: Clock
  /** Null without a folder: then there are no files and no shell. */
  readonly workspace: WorkspaceToolsOptions | null
  /** Null without the network. */
  readonly web: Omit<WebPorts, 'clock'> | null
  /** Null where results are not kept. */
  readonly findResult: FindResult | null
  /** Absent where there is no canvas. */
  readonly canvas?: CanvasWriter
}

/** What the tools of a workspace are made of. */
export interface WorkspaceToolsOptions {
  readonly workspace: Workspace
  readonly machine: Machine
  /** Keeps what was before a change and what comes after. When it cannot, nothing is changed. */
  readonly blobSink: BlobSink
  /** Sees what commands change, which no tool tells; absent where nobody looks. */
  readonly watch?: FolderWatch
  /** Names the conversation where what stood in the folder is kept for the case that this process is killed in a command; absent: it is not. */
  readonly conversationId?: string
  /** Knows which files strangers wrote; absent where nobody asks. [PERM7] */
  readonly origins?: FileOrigins
}

/** The tools of one conversation, and what they own. */
export interface BuiltInTools {
  readonly tools: readonly Tool[]
  /** What confines them, for people. */
  describe(): string
  /** The same tool, with what it changes in the folder seen: for one whose own doings nobody tells, such as a server's. */
  watched(tool: Tool): Tool
  /**
   * Opens a way from this process, and from no other, to a port at which a process in the background listens. It closes
   * when that ends. [SEC13] @throws {PortForwardError} when there is no such process or no network to reach it by.
   */
  forwardPort(wanted: WantedPort): Promise<PortForward>
  /** What runs in the background, for the person; null where nothing can. */
  readonly background: Pick<BackgroundProcesses, 'get' | 'list' | 'stop'> | null
  /** Whether nothing of it runs in the background. */
  isIdle(): boolean
  /** Ends what still runs. Nothing that they started outlives it. */
  close(): Promise<void>
}

/** Makes the built-in tools for one conversation: what it has read and what it runs belongs to it alone. */
export function createTools({ clock, workspace, web, findResult, canvas }: ConversationToolsOptions): BuiltInTools {
  const files = workspace ? createWorkspaceTools(workspace, clock) : null
  const tools = [
    ...(files ? files.tools : []),
    ...(web ? [createFetchPageTool({ ...web, clock })] : []),
    ...(findResult ? [createReadResultTool(findResult)] : []),
    createTodoTool(),
    ...(canvas ? createCanvasTools({ writer: canvas, clock }) : []),
  ]
  return {
    tools,
    watched: (tool) => files?.watched(tool) ?? tool,
    describe: () => files?.describe() ?? 'There is no workspace: no files and no shell.',
    forwardPort: (wanted) => (files === null ? withoutShell(wanted) : files.forwardPort(wanted)),
    background: files?.background ?? null,
    isIdle: () => files?.isIdle() ?? true,
    close: async () => files?.close(),
  }
}

/** Makes the tools for files and commands of one conversation in a workspace. */
export function createWorkspaceTools(
  { workspace, machine, blobSink, watch: folderWatch, conversationId, origins }: WorkspaceToolsOptions,
  clock: Clock,
): BuiltInTools {
  const seen = createSeenFiles()
  const room = roomOf(machine, clock)
  const shell = machine.bash === null ? null : { ...machine, bash: machine.bash, workspace, room, clock }
  const isIdle = () => (background?.list() ?? []).every((process) => process.end() !== null)
  const watch =
    folderWatch?.watch({ workspace, blobSink, isBusy: () => !isIdle(), name: conversationId ?? null }) ?? null
  const background = shell && createBackgroundProcesses(shell, () => void watch?.rest())
  const strangers = origins === undefined ? null : createStrangersReader(workspace, origins)
  const reading = { workspace, strangers }
  const keptByTools = folderWatch?.heard(workspace, blobSink) ?? blobSink
  const changing = {
    workspace,
    seen,
    changing: ({ signal, report }: ToolContext): Changing => ({
      ports: {
        blobSink: keptByTools,
        onChanged(changes: readonly FileChange[]) {
          // Those who watch the folder hear it before anybody looks again.
          folderWatch?.told(workspace, changes)
          report({ type: 'files-changed', changes })
        },
      },
      call: { signal },
    }),
  }
  const ripgrep = machine.ripgrep === null ? null : { program: machine.ripgrep, clock }
  return {
    tools: [
      ...[
        createListTool(reading),
        createGlobTool(reading),
        createSearchTool({ ...reading, ripgrep }),
        createReadTool({ ...reading, seen }),
        createWriteTool(changing),
        createEditTool(changing),
        createMoveTool(changing),
        createDeleteTool(changing),
      ].map((tool) => refusingOutside(tool, workspace)),
      ...(shell && background
        ? [
            createShellTool(shell, { background, watch, strangers }),
            ...createProcessTools({ background, watch, sandbox: shell.sandbox, clock }),
          ]
        : []),
    ],
    watched: (tool) =>
      watch === null
        ? tool
        : { ...tool, run: (input, context) => watch.around(context, async () => tool.run(input, context)) },
    describe: () =>
      [
        describeWorkspace(workspace),
        shell ? describeSandbox(machine.sandbox) : 'There is no shell: bash is not installed.',
        ripgrep ? 'Search is by ripgrep.' : 'Search is built in; install ripgrep (rg) for large folders.',
      ].join('\n'),
    forwardPort: (wanted) =>
      background === null
        ? withoutShell(wanted)
        : forwardPort(wanted, { background, sandbox: machine.sandbox, room, clock }),
    background,
    isIdle,
    async close() {
      await background?.close()
      await watch?.rest()
    },
  }
}

async function withoutShell({ port }: WantedPort): Promise<never> {
  throw new PortForwardError('no-such-process', {
    port,
    message: 'There is no shell, and nothing runs in the background',
  })
}

/** Commands of a conversation reach each other, and those of no other. */
function roomOf({ sandbox }: Machine, clock: Clock): NetworkRoom | null {
  if (sandbox.type === 'none' || sandbox.network.type === 'host') return null
  const { programs } = sandbox.network
  return programs === null ? null : createNetworkRoom(programs, clock)
}
