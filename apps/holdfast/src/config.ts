import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { EnginePorts } from '@holdfast/engine'
import type { ExternalAgent } from '@holdfast/external-agent'
import type { McpServerSettings } from '@holdfast/mcp'
import type { HttpLimits } from '@holdfast/provider'
import { type FileAgent, type FixedSettings, type Network, USUAL_PUSH_SERVICES } from '@holdfast/server'
import type { BucketOptions } from '@holdfast/store/bucket'
import { type CommandBounds, usualBounds } from '@holdfast/toolbox'
import { CliError } from './cli-error.ts'
import { readConfigFile } from './config-file.ts'
import type { ConfigFile } from './config-file-schema.ts'
import { requireFolderName } from './data-folder.ts'
import { readFixedSettings } from './fixed-settings.ts'
import { type LogPlace, usualLogPlaces } from './found-logs/log-places.ts'
import { readServers } from './mcp/read-servers.ts'
import { type NetworkOptions, readNetwork } from './network-config.ts'
import { isLocalProvider } from './providers/detect-local.ts'
import type { ProviderSetup } from './providers/provider-setup.ts'
import { limitsOf, readSetups } from './providers/read-setups.ts'
import { type ReplicaConfig, readReplicaConfig } from './replicas/replica-config.ts'
import { REPLICA_TIMES, type ReplicaTimes } from './replicas/replica-times.ts'
import type { LogLevel } from './stderr-log.ts'
import { readBucket, readConnections } from './store/store-config.ts'

/** What `holdfast start` was asked for on the command line. */
export interface StartOptions extends NetworkOptions {
  readonly port: string
  readonly host: string
  readonly dataDir?: string
  readonly workspace?: string
  readonly open: boolean
  readonly json: boolean
  readonly detect: boolean
  readonly logLevel?: LogLevel
  /** Without it, the start-up token. */
  readonly auth?: string
  /** Whether the database's secret key is lost, and this server's takes its place. */
  readonly newSecretKey?: boolean
  /** How many processes serve the port; without it, this one. */
  readonly workers?: string
}

/** What the program runs with. Flags win over the environment, the environment over what is usual. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** What this process alone has: the data folder, or a folder in it for each of several that share one. [SCALE4] */
  readonly ownDir: string
  /** The operator's file: that of HOLDFAST_CONFIG, else `holdfast.json` in the data folder, which may be missing. */
  readonly configPath: string
  /** Where PostgreSQL is; null for the database in the data folder. */
  readonly databaseUrl: string | null
  /** The most connections to PostgreSQL that this process has at a time. [SCALE15] */
  readonly databaseConnections: number
  /** Where the content of files and pictures goes; null for the database. [LOG32] */
  readonly bucket: BucketOptions | null
  /** How this server beats and drains, where others may work on its database. [SCALE1] */
  readonly replicaTimes: ReplicaTimes
  /** How it hears of those others. [SCALE2] */
  readonly replica: ReplicaConfig
  /** The key that seals secrets of the database; null for the one in the data folder. */
  readonly secretKey: string | null
  /** Who may come in: whoever has the start-up token, or an account. */
  readonly auth: 'token' | 'accounts'
  /** Whether the key of this server takes the place of one that is lost. [SCALE35] */
  readonly newSecretKey: boolean
  readonly network: Network
  /** The folder that every conversation may have as its workspace; null for none. [WS1] */
  readonly workspace: string | null
  /** What lies in one of these folders may be opened as a workspace. [WS6] */
  readonly workspaceRoots: readonly string[]
  /** Where worktrees of conversations lie: beside the data folder, for agents work in them. [WS8] */
  readonly worktreesDir: string
  /** What commands of agents may take; what they reach is a setting. [SEC9] */
  readonly commandBounds: CommandBounds
  /** The server's own environment: commands of the shell get the harmless part of it. [WS2] */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where previews are shown. [PREV1] */
  readonly previews: PreviewConfig
  /** Services of browsers that messages may go to. [SCHED26] */
  readonly pushServices: readonly string[]
  readonly openBrowser: boolean
  readonly json: boolean
  /** The providers that are set up, without those that are only found. */
  readonly providers: readonly ProviderSetup[]
  /** Those of them that the configuration file has. */
  readonly providerIdsOfFile: ReadonlySet<string>
  /** Agents that everyone may choose. */
  readonly agents: readonly FileAgent[]
  /** External agents of the file. [AGENT45] */
  readonly externalAgents: readonly ExternalAgent[]
  /** How long any provider may take. */
  readonly providerLimits: HttpLimits
  /** Where other programs keep conversations in the home of who starts it. */
  readonly logPlaces: readonly LogPlace[]
  /** Whether servers of models on this machine are looked for. */
  readonly detect: boolean
  /** Where Ollama's own variable says that it listens; null where that is not set. */
  readonly ollamaHost: string | null
  /** How long the start waits for local servers and lists of models, in milliseconds. */
  readonly detectMs: number
  /** Null where the operator names none. */
  readonly defaultModelId: string | null
  readonly logLevel: LogLevel
  /** Base address of a collector that takes spans over HTTP; null for none. */
  readonly tracesTo: string | null
  /** The MCP servers of the operator's file. Nothing else names one. */
  readonly mcpServers: readonly McpServerSettings[]
  /** Settings that are said in the file and in the environment: the latter stand above. */
  readonly fixedSettings: readonly FixedSettings[]
  readonly permissions: Pick<EnginePorts['permissions'], 'defaultPolicy' | 'rules' | 'hardDenials'>
}

/** Where the listener of previews is, and how browsers find it. */
export interface PreviewConfig {
  readonly host: string
  /** Null for the one of the last time. */
  readonly port: number | null
  /** An origin with a star for its first label; null for names of this computer. */
  readonly url: string | null
}

/** How long the start waits where nothing else is said. */
const DETECT_MS = 300

/** The operator's file in the data folder. */
const CONFIG_NAME = 'holdfast.json'

/** The only place that reads the environment. */
export function readConfig(options: StartOptions): Config {
  const dataDir = resolve(options.dataDir ?? process.env['HOLDFAST_DATA_DIR'] ?? usualDataDir())
  requireFolderName(dataDir)
  const named = variable('HOLDFAST_CONFIG')
  const configPath = resolve(named ?? join(dataDir, CONFIG_NAME))
  const path = named !== undefined || existsSync(configPath) ? configPath : undefined
  const file = path === undefined ? {} : readConfigFile(path)
  const providers = readSetups(file, variable)
  return {
    host: options.host,
    port: toPort(options.port),
    dataDir,
    ownDir: dataDir,
    configPath,
    databaseUrl: databaseUrl(),
    databaseConnections: readConnections(file),
    bucket: readBucket(file, variable),
    replicaTimes: replicaTimesOf(file),
    replica: readReplicaConfig(variable),
    secretKey: variable('HOLDFAST_SECRET_KEY') ?? null,
    auth: toAuth(options.auth ?? 'token'),
    newSecretKey: options.newSecretKey ?? false,
    network: readNetwork(options),
    workspace: workspaceOf(options, { file, path }),
    workspaceRoots: workspaceRootsOf(options, { file, path }),
    worktreesDir: worktreesDirOf(dataDir, { file, path }),
    commandBounds: boundsOf(file),
    previews: previewsOf(file),
    pushServices: file.pushServices ?? USUAL_PUSH_SERVICES,
    environment: process.env,
    logLevel: options.logLevel ?? 'info',
    tracesTo: variable('OTEL_EXPORTER_OTLP_ENDPOINT') ?? null,
    openBrowser: options.open,
    json: options.json,
    providers,
    providerIdsOfFile: new Set((file.providers ?? []).map(({ id }) => id)),
    agents: file.agents ?? [],
    externalAgents: externalsOf(file),
    providerLimits: limitsOf(file),
    logPlaces: ownLogPlaces(),
    detect: options.detect,
    ollamaHost: variable('OLLAMA_HOST') ?? null,
    detectMs: file.limits?.detectMs ?? DETECT_MS,
    defaultModelId: defaultModel(file, providers, options.detect),
    mcpServers: readServers(file, path ?? null),
    fixedSettings: readFixedSettings({ file, path: path ?? null, variable }),
    permissions: permissionsOf(file),
  }
}

/** Where the bridge to house tools asks, and with which key; whoever starts it sets both. [AGENT41] */
export function readHouseDoor(): { readonly url: string; readonly key: string } {
  const [url, key] = [variable('HOLDFAST_HOUSE_URL'), variable('HOLDFAST_HOUSE_KEY')]
  if (url === undefined || key === undefined)
    throw new CliError('E_USAGE', 2, 'This command is started by Holdfast itself, for an agent.')
  return { url, key }
}

/** A variable of the environment; one that is empty is not set. */
function variable(name: string): string | undefined {
  const value = process.env[name]?.trim()
  return value === '' ? undefined : value
}

function databaseUrl(): string | null {
  const url = variable('HOLDFAST_DATABASE_URL') ?? null
  if (url === null || /^postgres(ql)?:\/\/./.test(url)) return url
  throw new CliError(
    'E_CONFIG',
    2,
    'HOLDFAST_DATABASE_URL is an address that begins with postgres://. Leave it out to keep everything in the data folder.',
  )
}

function toAuth(text: string): Config['auth'] {
  if (text === 'token' || text === 'accounts') return text
  throw new CliError('E_USAGE', 2, `--auth is token or accounts, not "${text}".`)
}

function replicaTimesOf({ replicas }: ConfigFile): ReplicaTimes {
  return {
    beatMs: replicas?.beatMs ?? REPLICA_TIMES.beatMs,
    expiryMs: replicas?.expiryMs ?? REPLICA_TIMES.expiryMs,
    drainMs: replicas?.drainMs ?? REPLICA_TIMES.drainMs,
  }
}

/** Where other programs keep conversations in the home of who runs this. */
export function ownLogPlaces(): readonly LogPlace[] {
  return usualLogPlaces({ home: homedir(), variable })
}

/** The model that the file wants; its provider must be there, or may be found. */
function defaultModel(file: ConfigFile, providers: readonly ProviderSetup[], detect: boolean): string | null {
  const wanted = file.defaultModelId
  if (wanted === undefined || wanted === 'demo') return wanted ?? null
  const [providerId = ''] = wanted.split('/', 1)
  const isThere = providers.some((provider) => provider.providerId === providerId)
  if (isThere || (detect && isLocalProvider(providerId))) return wanted
  throw new CliError(
    'E_CONFIG',
    2,
    `defaultModelId: there is no provider "${providerId}" for "${wanted}". Add it to providers, or set its key.`,
  )
}

/** A folder of the file is named from where the file is. */
function workspaceOf(
  options: StartOptions,
  { file, path }: { readonly file: ConfigFile; readonly path: string | undefined },
): string | null {
  if (options.workspace !== undefined) return resolve(options.workspace)
  if (file.workspace === undefined) return null
  return resolve(dirname(resolve(path ?? '')), file.workspace)
}

/** Where the operator says nothing: the home folder, and the folder that the start names. */
function workspaceRootsOf(
  options: StartOptions,
  at: { readonly file: ConfigFile; readonly path: string | undefined },
): readonly string[] {
  const named = at.file.workspaceRoots
  if (named !== undefined) return named.map((root) => resolve(dirname(resolve(at.path ?? '')), root))
  const workspace = workspaceOf(options, at)
  return [homedir(), ...(workspace === null ? [] : [workspace])]
}

function worktreesDirOf(
  dataDir: string,
  { file, path }: { readonly file: ConfigFile; readonly path: string | undefined },
): string {
  const named = file.worktreesFolder
  return named === undefined ? `${dataDir}-worktrees` : resolve(dirname(resolve(path ?? '')), named)
}

function previewsOf({ previews }: ConfigFile): PreviewConfig {
  return { host: previews?.host ?? '127.0.0.1', port: previews?.port ?? null, url: previews?.url ?? null }
}

function boundsOf({ commands }: ConfigFile): CommandBounds {
  const usual = usualBounds()
  const { processes = usual.processes, memoryMiB, fileSizeMiB } = commands ?? {}
  return {
    processes,
    memoryBytes: memoryMiB === undefined ? usual.memoryBytes : memoryMiB * MIB,
    fileSizeBytes: fileSizeMiB === undefined ? usual.fileSizeBytes : fileSizeMiB * MIB,
  }
}

const MIB = 1_048_576

function permissionsOf({ permissions }: ConfigFile): Config['permissions'] {
  return {
    defaultPolicy: permissions?.defaultPolicy ?? 'ask',
    rules: permissions?.rules ?? [],
    hardDenials: permissions?.hardDenials ?? [],
  }
}

function externalsOf({ externalAgents }: ConfigFile): Config['externalAgents'] {
  return (externalAgents ?? []).map(({ id, name, command, args, env }) => {
    return { id, name: name ?? id, command, args: args ?? [], env: env ?? {} }
  })
}

function toPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (port >= 0 && port <= 65_535) return port
  throw new CliError('E_USAGE', 2, `--port is a number from 0 to 65535, not "${text}"; 0 takes any that is free.`)
}

function usualDataDir(): string {
  switch (process.platform) {
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'holdfast')
    case 'win32':
      return join(process.env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'holdfast')
    default:
      return join(process.env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'holdfast')
  }
}
