import type { Socket } from 'node:net'
import type { Clock, Ids, Records, ReplicaStore } from '@holdfast/conversation'
import type { Engine, LiveBus, Memories } from '@holdfast/engine'
import type { ModelsAnswer } from '@holdfast/protocol'
import type { Accounts } from './accounts/open-accounts.ts'
import type { AgentDirectory } from './agents/agent-directory.ts'
import type { ExternalAgentDirectory } from './agents/external-agent-directory.ts'
import type { ApiDeps } from './api.ts'
import type { HeadLimits } from './door/arrival-limit.ts'
import type { Network } from './door/network.ts'
import type { RateLimits } from './door/rate-limits.ts'
import type { StartUpToken } from './door/start-up-token.ts'
import type { FoundLogsPort } from './imports/found-logs.ts'
import type { ImportPorts } from './imports/run-import.ts'
import type { LineLimits } from './live/outlet.ts'
import type { Diagnostics } from './parts/diagnostics.ts'
import type { McpDirectory } from './parts/mcp-directory.ts'
import type { Metrics } from './parts/metrics.ts'
import type { OpenMedia } from './parts/open-media.ts'
import type { ProviderDirectory } from './parts/provider-directory.ts'
import type { StorageLimits } from './parts/storage-limits.ts'
import type { TerminalParts } from './parts/terminals.ts'
import type { PresetDirectory } from './presets/preset-directory.ts'
import type { OpenPushesDeps } from './push/open-pushes.ts'
import type { StoreFacts } from './routes/administration-routes.ts'
import type { SettingRoutesDeps } from './routes/setting-routes.ts'
import type { WorkspaceParts } from './routes/workspace-routes.ts'
import type { ScheduleDirectory } from './schedules/schedule-directory.ts'
import type { Voice } from './voice/open-voice.ts'

/** What a server is made of. */
export interface ServerDeps extends WorkspaceParts, Omit<TerminalParts, 'workspaces'> {
  readonly engine: Engine
  readonly bus: LiveBus
  readonly store: ApiDeps['store'] & ImportPorts['store']
  readonly records: Records
  /** Those that the tools of agents change: what the page does to a user's memories follows what they do. */
  readonly memories: Memories
  readonly ids: Ids
  readonly clock: Clock
  readonly log: Diagnostics
  /** The providers and models as they are now, without anything secret. */
  readonly models: () => ModelsAnswer
  /** Says how large the store is; without it, nothing is said of it. [SCALE20] */
  readonly storeFacts?: () => Promise<StoreFacts>
  /** The version of the program. */
  readonly version: string
  /** Names this process; another one after every start. */
  readonly serverId: string
  readonly startupToken: StartUpToken
  /** Makes another start-up token and keeps it in the place of the old one; without it, none can be made. */
  readonly makeStartUpToken?: () => Promise<string>
  /** The servers on the same store; absent where this one has it alone. */
  readonly replicas?: ReplicaStore
  /** Who may come in by an account; without it, whoever has the start-up token. */
  readonly accounts?: Accounts
  /** The MCP servers; absent where there are none. */
  readonly mcp?: McpDirectory
  /** Opens pictures, sound and film of other places for the canvas; absent: none are. */
  readonly openMedia?: OpenMedia
  /** The agents that people may choose; without it, only the one that sets nothing. */
  readonly agents?: AgentDirectory
  /** The programs that are agents; without it, none are kept. [AGENT45] */
  readonly externalAgents?: ExternalAgentDirectory
  /** The presets that conversations begin with; without it, there are none. */
  readonly presets?: PresetDirectory
  /** The providers that admins may change; without it, none can be. */
  readonly providers?: ProviderDirectory
  /** The settings of the installation that admins may change; without it, none can be. */
  readonly settings?: NonNullable<SettingRoutesDeps['settings']>
  /** The schedules of people; without it, none are kept. */
  readonly schedules?: ScheduleDirectory
  /** How browsers are told what happens while no page is open; without it, none are. [SCHED26] */
  readonly push?: NonNullable<OpenPushesDeps['push']>
  /** Reading aloud and dictation by an audio server; without it, by browsers alone. [VOICE2] */
  readonly voice?: Voice
  /** How the server is reached; without it, at its own address only. */
  readonly network?: Network
  /** Limits of requests where there are accounts; the usual ones by default. */
  readonly rateLimits?: RateLimits
  /** Folder of the built page; null when only the API is served. */
  readonly webRoot: string | null
  /** Folder for files until they are imported; absent: nothing is imported. */
  readonly importsFolder?: string
  /** Logs of other programs on the disk of the server; absent: nobody looks for any. */
  readonly foundLogs?: FoundLogsPort
  /** What uploads and imports may take; the usual limits by default. */
  readonly storageLimits?: StorageLimits
  /** Bytes that are free on the disk of the data folder; without it, the disk is not asked. */
  readonly freeBytes?: () => Promise<number>
  /** What the head of a request may be; the usual limits by default. */
  readonly headLimits?: HeadLimits
  /** How much a line may hold back for its reader. */
  readonly limits?: LineLimits
  /** Counts what happens; without it, one of this server alone. */
  readonly metrics?: Metrics
  /** Serves further routes of the table on the same parts. */
  readonly mounts?: readonly ((api: ApiDeps) => void)[]
}

/** Where a server listens. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** A server of the API, the socket and the page. */
export interface Server {
  /**
   * Listens; port 0 takes any that is free.
   *
   * @throws {PublicAddressError} when other computers could reach the address and there are no accounts. [SEC2]
   */
  listen(address: Address): Promise<{ readonly url: string }>
  /**
   * Listens at a port of its own on this computer, beside others that share an address: what comes there is handed over by
   * who listens at it, and the server answers to the names of both. [SCALE4]
   *
   * @throws {PublicAddressError} as `listen` does, for the shared address.
   */
  listenBehind(shared: Address): Promise<{ readonly url: string }>
  /** Serves a line that came at the shared address. */
  take(line: Socket): void
  /** Refuses every new command from now on, and goes on serving what runs. */
  stopAccepting(): void
  /** Says goodbye to every client and closes. */
  close(): Promise<void>
}
