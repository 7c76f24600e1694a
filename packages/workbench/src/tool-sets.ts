import { type EntryStore, type Settings, settingsNow, settingsOfConversation } from '@holdfast/conversation'
import { type Engine, type EnginePorts, type Memories, storeBlobSink, type ToolsQuery } from '@holdfast/engine'
import type { LanguageServers } from '@holdfast/language-servers'
import type { McpServers } from '@holdfast/mcp'
import { type Tool, toolsOf } from '@holdfast/tool'
import {
  type BuiltInTools,
  CANVAS_TOOL_NAMES,
  createMemoryTools,
  createTools,
  type FolderWatch,
  type Machine,
  ownAddresses,
  resolveBySystem,
} from '@holdfast/toolbox'
import type { AgentPrograms } from './agent-programs.ts'
import { canvasWriterOf } from './canvas-writer.ts'
import { createDiagnosed, type Diagnosed } from './diagnosed-tools.ts'
import { findResultIn } from './find-result.ts'
import type { FolderMaps } from './folder-maps.ts'
import type { KnownFiles } from './known-files.ts'
import { createMapTool } from './map-tool.ts'
import { memoryShelfOf } from './memory-shelf.ts'
import type { Places } from './places.ts'
import { type AgentsPreviews, createPreviewTools } from './preview-tools.ts'
import { type AgentsSchedules, createScheduleTool } from './schedule-tool.ts'
import { createSubAgentTool, MOST_SUB_AGENT_DEPTH } from './sub-agent.ts'

/** What the tools of all conversations are made of. */
export interface ToolSetsDeps {
  readonly store: EntryStore
  readonly bus: EnginePorts['bus']
  readonly clock: EnginePorts['clock']
  readonly ids: EnginePorts['ids']
  /** The engine that sub-agents run in; asked for when a tool is, for it is made with these tools. */
  readonly engine: () => Engine
  readonly places: Places
  /** Null while there is no workspace: then there is no shell either. */
  readonly machine: () => Machine | null
  /** Sees what commands and servers change in the folder. */
  readonly watch: FolderWatch
  /** Null where there are no servers. */
  readonly mcp: McpServers | null
  /** Whether a sign-in with a server may be used for a person, who may be no admin. [SEC23] */
  readonly mayUseServer: (server: McpServers['all'][number], ownerId: string) => boolean
  readonly memories: Memories
  /** Asked what a change broke. */
  readonly languageServers: Pick<LanguageServers, 'check'>
  /** Those of the installation; undefined for the usual ones. */
  readonly settings: (() => Settings) | undefined
  /** Maps of the folders. */
  readonly maps: Pick<FolderMaps, 'draw'>
  /** Absent where pages are shown to nobody. */
  readonly previews?: AgentsPreviews
  /** Schedules that agents may propose; asked for by calls. Absent where none are kept. */
  readonly schedules?: () => AgentsSchedules
  /** The tools of a conversation that an external agent answers, with those that it is offered; null for one that none does. [AGENT1] */
  readonly externalTools?: (query: ToolsQuery, offered: OfferedTools) => readonly Tool[] | null
  /** Agents that are programs, with the worktrees that they work in as sub-agents. Absent where there are none. [AGENT57] */
  readonly programs?: AgentPrograms
  /** The zone in which the time is told, as IANA names it. */
  readonly timeZone: string
  /** Which files strangers wrote. */
  readonly knownFiles: KnownFiles
  /** The agents that tasks may be handed to, and the mode that narrows what others set. */
  readonly handOver: Pick<EnginePorts, 'agents' | 'permissions'>
  /** Told when a set cannot be closed. */
  readonly onFault: (error: unknown) => void
}

/** What an external agent is given of the tools of its conversation. */
export interface OfferedTools {
  readonly watched: BuiltInTools['watched']
  /** Those that it may call: of the canvas and of memories. [AGENT41] */
  readonly house: readonly Tool[]
}

/** The tools of every conversation, in the form that the engine asks for them. */
export interface ToolSets extends Required<Pick<EnginePorts, 'toolsOf' | 'instructionsOf'>> {
  /** What the agent of a conversation runs in the background; null where it has run nothing here. */
  backgroundOf(conversationId: string): BuiltInTools['background']
  /** Ends what still runs in the background, of all conversations. [RUN14] */
  close(): Promise<void>
}

/** The definitions of one server as they are now. */
type Offered = ReturnType<McpServers['all'][number]['definitions']>

interface ToolSet {
  readonly folder: string | null
  readonly own: BuiltInTools
  /** Has results say what a change broke. */
  readonly diagnosed: Diagnosed | null
  /** What the list was made for: the sub-agent's settings are those of its caller. */
  readonly settings: ToolsQuery['settings']
  readonly tools: readonly Tool[]
  /** The definitions of servers that the list was made of. */
  readonly offered: readonly Offered[]
}

/** Conversations whose tools are kept at hand; of an older one, what it has read has to be read again before an edit. */
const MOST_SETS = 100

/** Makes the tools of conversations as they are asked for: what one has read and what it runs is its own. */
export function createToolSets(deps: ToolSetsDeps): ToolSets {
  const { places, mcp } = deps
  const servers = mcp?.all ?? []
  const sets = new Map<string, ToolSet>()
  const closing = new Set<Promise<void>>()

  function close({ own }: ToolSet): void {
    const done = own
      .close()
      .catch(deps.onFault)
      .finally(() => closing.delete(done))
    closing.add(done)
  }

  function forgetOldest(): void {
    if (sets.size <= MOST_SETS) return
    const idle = [...sets].find(([, { own }]) => own.isIdle())
    if (idle === undefined) return
    sets.delete(idle[0])
    close(idle[1])
  }

  function ownTools(
    { conversationId, ownerId }: ToolsQuery,
    folder: string | null,
    diagnosed: Diagnosed | null,
  ): BuiltInTools {
    const { store, clock } = deps
    const blobSink = storeBlobSink(deps, { conversationId, ownerId })
    const machine = deps.machine()
    return createTools({
      clock,
      workspace:
        folder === null || machine === null
          ? null
          : {
              workspace: places.workspaceAt(folder),
              machine,
              watch: deps.watch,
              conversationId,
              origins: deps.knownFiles.seenBy({ conversationId, ownerId }),
              blobSink: diagnosed?.sink(blobSink) ?? blobSink,
            },
      web: { resolveName: resolveBySystem, permittedRanges: [], ownAddresses },
      findResult: findResultIn(store, conversationId),
      canvas: canvasWriterOf(deps, conversationId),
    })
  }

  function diagnosedIn({ conversationId }: ToolsQuery, folder: string | null): Diagnosed | null {
    if (folder === null) return null
    const workspace = places.workspaceAt(folder)
    const isWanted = () => {
      const own = sets.get(conversationId)?.settings ?? {}
      return settingsOfConversation(settingsNow(deps.settings), own).diagnostics
    }
    return createDiagnosed({ servers: deps.languageServers, workspace, isWanted })
  }

  function setOf(query: ToolsQuery): ToolSet {
    const { conversationId, settings } = query
    const folder = places.folderOf(query)
    const known = sets.get(conversationId)
    const open = servers.filter((server) => deps.mayUseServer(server, query.ownerId))
    const offered = open.map((server) => server.definitions())
    const isSame =
      known?.offered.length === offered.length &&
      known.offered.every((definitions, index) => definitions === offered[index])
    if (known && isSame && known.folder === folder && known.settings === settings) return known
    const isSameFolder = known !== undefined && known.folder === folder
    if (known && !isSameFolder) close(known)
    const diagnosed = isSameFolder ? known.diagnosed : diagnosedIn(query, folder)
    const own = isSameFolder ? known.own : ownTools(query, folder, diagnosed)
    const telling = (tool: Tool): Tool => diagnosed?.tool(tool) ?? tool
    const openNames = new Set(open.map(({ settings: { name } }) => name))
    const openSources = (mcp?.sources() ?? []).filter(({ name }) => openNames.has(name))
    const others = openSources.flatMap((source) => {
      // A program on this machine may use the folder; it tells nobody what it does there.
      const isLocal = mcp?.find(source.name)?.settings.reach.type === 'stdio'
      return toolsOf(source).map((tool) => (isLocal ? own.watched(tool) : tool))
    })
    const house = own.tools.filter(({ definition }) => CANVAS_TOOL_NAMES.includes(definition.name))
    const given = { watched: own.watched, house: [...house, ...memoryTools(deps, query)] }
    const tools = deps.externalTools?.(query, given) ?? [
      ...own.tools.map(telling),
      ...toolsOfFolder(deps, query, folder),
      ...memoryTools(deps, query),
      ...scheduleTools(deps, query),
      ...subAgentTools(deps, query),
      ...others.map(telling),
    ]
    return { folder, own, diagnosed, settings, offered, tools }
  }

  return {
    instructionsOf: ({ ownerId }) =>
      servers.flatMap((server) => {
        if (!deps.mayUseServer(server, ownerId)) return []
        const { name: source, instructions: text } = server.status()
        return text === null ? [] : [{ source, text }]
      }),
    toolsOf(query) {
      const set = setOf(query)
      sets.delete(query.conversationId)
      sets.set(query.conversationId, set)
      forgetOldest()
      return set.tools
    },
    backgroundOf: (conversationId) => sets.get(conversationId)?.own.background ?? null,
    async close() {
      for (const set of sets.values()) close(set)
      sets.clear()
      while (closing.size > 0) await Promise.all(closing)
      await deps.watch.close()
    },
  }
}

/** Only the first agent shows pages. */
function toolsOfFolder(deps: ToolSetsDeps, query: ToolsQuery, folder: string | null): readonly Tool[] {
  if (folder === null) return []
  const mapTool = createMapTool(deps.maps, query)
  if (deps.previews === undefined || query.depth > 0) return [mapTool]
  return [mapTool, ...createPreviewTools(deps.previews, { ...query, root: folder, machine: deps.machine() })]
}

/** A sub-agent works with what its caller told it: it neither sees nor changes what is remembered. */
function memoryTools(deps: ToolSetsDeps, query: ToolsQuery): readonly Tool[] {
  return query.depth > 0 ? [] : createMemoryTools(memoryShelfOf(deps, query))
}

/** A sub-agent has nobody who could confirm. */
function scheduleTools({ schedules, timeZone }: ToolSetsDeps, { ownerId, depth }: ToolsQuery): readonly Tool[] {
  return schedules === undefined || depth > 0 ? [] : [createScheduleTool(schedules, { ownerId, timeZone })]
}

/** An agent hands tasks on, but not without end. */
function subAgentTools(deps: ToolSetsDeps, parent: ToolsQuery): readonly Tool[] {
  const { engine, store, bus, clock, handOver, programs, places } = deps
  if (parent.depth >= MOST_SUB_AGENT_DEPTH) return []
  const handing = programs === undefined ? {} : { handing: { programs, places } }
  return [createSubAgentTool({ engine: engine(), ports: { store, bus, clock, ...handOver }, parent, ...handing })]
}
