import { definitionTokens } from '@holdfast/context'
import { systemClock } from '@holdfast/engine/system'
import { createMcpServer, type McpServer, type McpServerStatus } from '@holdfast/mcp'
import { CliError } from '../../cli-error.ts'
import { readConfig } from '../../config.ts'
import { isOnPublicInternet } from '../../public-internet.ts'
import { VERSION } from '../../version.ts'
import { untilInterrupt } from '../reach/explained.ts'
import { reachOf } from './mcp-list.ts'
import type { FolderOptions } from './store-commands.ts'

/** How long a server may take, in milliseconds; longer than the limits of a connection. */
const TEST_MS = 90_000
/** Characters that one token is worth where no model has been asked yet. */
const USUAL_RATIO = 4

/** Connects to a server of the configuration and says what it offers. @returns the exit code: 1 when it cannot. */
export async function testMcpServer(
  name: string,
  { dataDir, json }: FolderOptions & { readonly json: boolean },
): Promise<number> {
  const asked = { port: '0', host: '127.0.0.1', open: false, json: false, detect: false }
  const config = readConfig({ ...asked, ...(dataDir === undefined ? {} : { dataDir }) })
  const settings = config.mcpServers.find((server) => server.name === name)
  if (!settings) {
    const known = config.mcpServers.map((server) => server.name).join(', ') || 'none'
    throw new CliError(
      'E_NO_MCP_SERVER',
      3,
      `There is no MCP server ${name} in ${config.configPath}; there are: ${known}.`,
    )
  }
  process.stderr.write(`Connecting: ${reachOf(settings)}\n`)
  const changed = { listener: (): void => {} }
  const server = createMcpServer(
    { ...settings, on: true },
    {
      clock: systemClock,
      environment: config.environment,
      register: null,
      fetch,
      isPublicHost: isOnPublicInternet,
      version: VERSION,
      // Nothing is accepted and nobody signed in by a test.
      pins: { read: async () => null, write: async () => {} },
      signIns: { read: async () => null, write: async () => {} },
      redirectUrl: () => 'http://127.0.0.1/',
      onChange: () => changed.listener(),
    },
  )
  try {
    const status = await untilDecided(server, changed)
    process.stdout.write(json ? `${JSON.stringify(findings(server, status))}\n` : inWords(server, status))
    return status.state.type === 'connected' ? 0 : 1
  } finally {
    await server.close()
  }
}

/** Waits until it is connected, or failed for the second time: the first may be the protocol's age. */
async function untilDecided(server: McpServer, changed: { listener: () => void }): Promise<McpServerStatus> {
  const decided = Promise.withResolvers<void>()
  const cancel = systemClock.after(TEST_MS, decided.resolve)
  untilInterrupt().addEventListener('abort', () => decided.resolve(), { once: true })
  changed.listener = () => {
    const { state, failures } = server.status()
    const hasEnded = state.type === 'connected' || state.type === 'needs-sign-in' || failures > 1
    if (hasEnded) decided.resolve()
  }
  changed.listener()
  await decided.promise
  cancel()
  return server.status()
}

function findings(server: McpServer, { name, state, title, refused, instructions, lastError }: McpServerStatus) {
  const tools = server.definitions().map((definition) => ({
    name: definition.name,
    description: definition.description,
    schemaTokens: definitionTokens(definition, USUAL_RATIO),
  }))
  const schemaTokens = tools.reduce((sum, tool) => sum + tool.schemaTokens, 0)
  return {
    name,
    state: state.type,
    title,
    tools,
    schemaTokens,
    refused,
    instructions,
    lastError: lastError?.text ?? null,
  }
}

function inWords(server: McpServer, status: McpServerStatus): string {
  const { state, title, tools, schemaTokens, refused, lastError } = findings(server, status)
  const said = server
    .logs()
    .map(({ text }) => text)
    .filter((text) => text !== lastError)
    .slice(-10)
  if (state === 'needs-sign-in')
    return `${status.name} answers, and wants a sign-in: start Holdfast and sign in from its tools.\n`
  if (state !== 'connected')
    return [
      `${status.name} is not connected: ${lastError ?? 'it did not answer'}`,
      ...(said.length === 0 ? [] : ['What it said last:', ...said.map((text) => `  ${text}`)]),
      '',
    ].join('\n')
  const head = `${status.name} is connected (${title ?? 'without a name'}): ${tools.length} tools, about ${schemaTokens} tokens`
  const lines = tools.map((tool) => `  ${tool.name}  ${tool.schemaTokens}`)
  return [head, ...lines, ...refused.map(({ name, reason }) => `  refused ${name}: ${reason}`), ''].join('\n')
}
