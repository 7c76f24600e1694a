import type { ConversationSettings, EntryStore, Records } from '@holdfast/conversation'
import {
  createCanvasFact,
  createMemoriesFact,
  createTimeFact,
  createWorkspaceFact,
  type Engine,
  type EnginePorts,
  type Memories,
  storeBlobSink,
  type WorkbenchPorts,
} from '@holdfast/engine'
import type { McpServers } from '@holdfast/mcp'
import { isSignInOpenTo } from '@holdfast/mcp/settings'
import { createFolderWatch, createSurveyor, type Machine } from '@holdfast/toolbox'
import type { AgentPrograms, HandedWorktrees } from './agent-programs.ts'
import { type BackgroundReader, createBackgroundReader } from './background-reader.ts'
import { createChangeReviewer, type ReadBase } from './change-reviewer.ts'
import { createFilesByHand, type FilesByHand } from './files-by-hand.ts'
import { createFolderMaps } from './folder-maps.ts'
import { createFolderServers } from './folder-servers.ts'
import { createInstructionsFact } from './instructions-fact.ts'
import { createKnownFiles } from './known-files.ts'
import { createMapFact } from './map-fact.ts'
import type { Places } from './places.ts'
import type { AgentsPreviews } from './preview-tools.ts'
import type { AgentsSchedules } from './schedule-tool.ts'
import { createSchedulesFact } from './schedules-fact.ts'
import { createToolSets, type ToolSetsDeps } from './tool-sets.ts'
import { createWorkspaceReader, type WorkspaceReader } from './workspace-reader.ts'
import type { Git } from './worktrees/git.ts'

/** What a workbench is made of; store, bus and records are those of its engine. */
export interface WorkbenchDeps extends Pick<EnginePorts, 'bus' | 'clock' | 'ids' | 'permissions' | 'settings'> {
  readonly store: EntryStore
  readonly records: Records
  /** The engine that canvases and sub-agents are changed and run in; asked for by calls, for it is made after the workbench. */
  readonly engine: () => Engine
  /** The folders that conversations may use. */
  readonly places: Places
  /** What stands in the worktree of a conversation and not in the base of its branch. [WS9] */
  readonly readBase: ReadBase
  /** What this machine has for their files and commands; null while there is no workspace. */
  readonly machine: () => Machine | null
  /** What is asked how files stand against the last commit; null where git is not there. */
  readonly git: Git | null
  /** Whether the workspace of a conversation may speak for itself. [WS15] */
  readonly readsInstructions: (settings: ConversationSettings) => boolean
  /** A folder for what commands are seen to change, until the store has it, and for what maps are made of. */
  readonly dataDir: string
  readonly memories: Memories
  /** Absent where pages are shown to nobody. */
  readonly previews?: AgentsPreviews
  /** Schedules that agents may propose; asked for by calls, for they are made after the workbench. Absent where none are kept. */
  readonly schedules?: () => AgentsSchedules
  /** Absent where there are no external agents. */
  readonly externalTools?: NonNullable<ToolSetsDeps['externalTools']>
  /** The agents that are programs, for each person. Absent where there are none. */
  readonly programsOf?: AgentPrograms['of']
  /** Where those work; absent where there are none. */
  readonly handedWorktrees?: HandedWorktrees
  /** Null where there are no servers. */
  readonly mcp: McpServers | null
  /** Whether a user is an admin, for whom sign-ins with servers are used. [SEC23] */
  readonly isAdmin: (userId: string) => boolean
  /** The agents that tasks may be handed to by name; null for none but one like the caller. */
  readonly agents: EnginePorts['agents'] | null
  /** Whether several people may use one folder: then what one's agents write is a stranger's to the others. [PERM7] */
  readonly hasAccounts: boolean
  /** Path of the Node.js that language servers are run by. */
  readonly node: string
  /** The zone in which the time is told, as IANA names it. */
  readonly timeZone: string
  /** Told when something that a conversation left running cannot be ended. */
  readonly onFault: (error: unknown) => void
}

/** What the agents of all conversations work with. */
export interface Workbench extends WorkbenchPorts {
  /** Looks into the folders of conversations for a person. */
  readonly workspaceReader: WorkspaceReader
  /** What agents run in the background, for a person. [WS30] */
  readonly background: BackgroundReader
  /** Their files, as a person reads and writes them. */
  readonly filesByHand: FilesByHand
  /** Ends what still runs in the background, of all conversations. [RUN14] */
  close(): Promise<void>
}

/** Makes what the agents of one engine work with: files, commands, pages, a canvas, memories, servers' tools and sub-agents. */
export function createWorkbench(deps: WorkbenchDeps): Workbench {
  const { store, records, clock, ids, places, memories, permissions, hasAccounts, agents } = deps
  const { programsOf, handedWorktrees } = deps
  const surveyor = createSurveyor({ folder: deps.dataDir, clock })
  const watch = createFolderWatch({ surveyor, clock })
  const { folderOf } = places
  const knownFiles = createKnownFiles({ records, clock, folderOf, hasAccounts })
  const mayUseServer: ToolSetsDeps['mayUseServer'] = (server, ownerId) =>
    isSignInOpenTo(server.status(), { isAdmin: deps.isAdmin(ownerId) })
  const handOver = agents ? { permissions, agents } : { permissions }
  const maps = createFolderMaps({ places, knownFiles, dataDir: deps.dataDir, clock })
  const languageServers = createFolderServers(deps)
  const sets = createToolSets({
    ...deps,
    settings: deps.settings,
    maps,
    languageServers,
    watch,
    knownFiles,
    handOver,
    mayUseServer,
    ...(programsOf && handedWorktrees ? { programs: { of: programsOf, worktrees: handedWorktrees } } : {}),
  })
  return {
    toolsOf: sets.toolsOf,
    instructionsOf: sets.instructionsOf,
    workspaceOf: folderOf,
    workspaceReader: createWorkspaceReader(places, maps),
    background: createBackgroundReader(sets, clock),
    filesByHand: createFilesByHand({ ...deps, watch, knownFiles }),
    strangersFiles: knownFiles,
    async changesLeftBy({ conversationId, ownerId, settings, callIds }) {
      const folder = folderOf({ ownerId, settings })
      if (folder === null || deps.machine() === null) return []
      const blobSink = storeBlobSink({ store, ids, clock }, { conversationId, ownerId })
      return watch.left({ workspace: places.workspaceAt(folder), blobSink, name: conversationId, callIds })
    },
    changeReviewer: createChangeReviewer({ store, clock, ids, places, readBase: deps.readBase, watch, knownFiles }),
    facts: [
      createCanvasFact(),
      createMemoriesFact(memories),
      ...(deps.schedules === undefined ? [] : [createSchedulesFact(deps.schedules)]),
      createTimeFact({ timeZone: deps.timeZone }),
      createWorkspaceFact({ workspaceOf: folderOf, permissions }),
      createInstructionsFact({ places, knownFiles, readsInstructions: deps.readsInstructions }),
      createMapFact(maps, deps.settings),
    ],
    async close() {
      await Promise.all([sets.close(), maps.close(), languageServers.close()])
    },
  }
}
