import { join } from 'node:path'
import type { Clock, Records } from '@holdfast/conversation'
import type { McpServers } from '@holdfast/mcp'
import { API_PATH, routes } from '@holdfast/protocol'
import type { Seal } from '@holdfast/server'
import { createProcessRegister } from '@holdfast/tool/process'
import type { Config } from '../config.ts'
import { isOnPublicInternet } from '../public-internet.ts'
import { VERSION } from '../version.ts'
import { createPinStore, switchedOn } from './kept-servers.ts'
import { createSignInStore } from './kept-sign-ins.ts'

/** What the MCP servers of an installation work with. */
export interface OpenServersDeps {
  readonly records: Records
  readonly clock: Clock
  /** Seals the sign-ins with servers. */
  readonly seal: Seal
  /** Where this Holdfast is reached, once it is. */
  readonly url: () => string
}

const GRACE_MS = 1_000

/** What an installation has whose file names no server: the client of the protocol is not even loaded. */
const NO_SERVERS: McpServers = { all: [], find: () => undefined, sources: () => [], close: async () => {} }

/** Starts to connect the servers of the operator's file, as they were switched last. */
export async function openServers(
  { mcpServers, dataDir, ownDir, environment }: Config,
  { records, clock, seal, url }: OpenServersDeps,
): Promise<McpServers> {
  if (mcpServers.length === 0) return NO_SERVERS
  const { createMcpServers } = await import('@holdfast/mcp')
  const settings = await Promise.all(
    mcpServers.map(async (server) => ({ ...server, on: (await switchedOn(records, server.name)) ?? server.on })),
  )
  return createMcpServers(settings, {
    clock,
    environment,
    register: createProcessRegister({ folder: registerFolder(ownDir), clock, graceMs: GRACE_MS }),
    fetch,
    isPublicHost: isOnPublicInternet,
    version: VERSION,
    pins: createPinStore(records, clock),
    signIns: createSignInStore({ dataDir, seal }),
    redirectUrl: () => `${url()}${API_PATH}${routes.endMcpSignIn.path}`,
    onChange() {},
  })
}

/** Ends servers that outlived a Holdfast of this data folder which was killed. [RUN14] */
export async function endLeftServers({ ownDir }: Pick<Config, 'ownDir'>, clock: Clock): Promise<void> {
  await createProcessRegister({ folder: registerFolder(ownDir), clock, graceMs: GRACE_MS }).endLeftOver()
}

function registerFolder(ownDir: string): string {
  return join(ownDir, 'mcp-processes')
}
