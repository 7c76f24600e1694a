import { type Clock, hiddenCharacter } from '@holdfast/conversation'
import type { LentAnswer, ToolAnswer } from '@holdfast/tool'
import type { ProcessRegister } from '@holdfast/tool/process'
import {
  Client,
  type ElicitResult,
  ProtocolError,
  ProtocolErrorCode,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import * as z from 'zod'
import { boundedFetch } from './bounded-fetch.ts'
import { ElicitParameters } from './elicit.ts'
import { readOffer, type ToolOffer } from './offered-tool.ts'
import { SamplingParameters, toSamplingResult } from './sample.ts'
import type { ServerLog } from './server-log.ts'
import { type McpServerSettings, SERVER_LIMITS } from './server-settings.ts'
import type { SignIn } from './sign-in.ts'
import { createStdioTransport } from './stdio-transport.ts'
import { within } from './within.ts'

/** What a connection is made with. */
export interface ConnectionDeps {
  readonly settings: McpServerSettings
  readonly version: string
  readonly clock: Clock
  /** Our own environment; servers get the harmless part of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly register: ProcessRegister | null
  readonly fetch: typeof fetch
  /** Whether all addresses of a host are of the public internet and none is this machine's. [SEC24] */
  readonly isPublicHost: (url: URL) => Promise<boolean>
  readonly log: ServerLog
  /** Null for a server that is not reached over HTTP. */
  readonly signIn: SignIn | null
  /** Told of the way to an address before it is used: a sign-in is ended by it. */
  readonly onHttp: (http: StreamableHTTPClientTransport) => void
  /** Whether to ask a server first which protocol it speaks; one that ends when it is asked is spoken to as an older one. */
  readonly probe: boolean
  /** The server says that its tools are others now. */
  readonly onToolsChanged: () => void
  /** The server asks a person something. */
  readonly elicit: (asked: ElicitParameters, signal: AbortSignal) => Promise<ToolAnswer>
  /** The server wants a model to answer; asked only where its settings allow that. */
  readonly sample: (asked: SamplingParameters, signal: AbortSignal) => Promise<LentAnswer>
}

/** A server that answers. */
export interface Connection {
  readonly client: Client
  readonly instructions: string | null
  /** Resolves when the connection is over, for whatever reason. */
  readonly closed: Promise<void>
  listTools(signal: AbortSignal): Promise<ToolOffer>
  /** Asks a server at an address whether it is still there, and ends the connection if not. */
  check(): Promise<void>
  /**
   * Waits until a server has read that a call is cancelled: what it is asked after that it answers after that. One that
   * answers nothing within 5 s hangs in the call, and the connection ends. [STOP3]
   */
  drain(): Promise<void>
  /** Ends it, and the process with it. */
  close(): Promise<void>
}

/**
 * Connects to a server.
 *
 * @throws whatever kept it from answering within its limit; what was started is ended by then.
 */
export async function connectTo(deps: ConnectionDeps, signal: AbortSignal): Promise<Connection> {
  const { settings, log, version } = deps
  const closed = Promise.withResolvers<void>()
  let isOpen = false
  let isChecking = false
  const http = httpTransport(deps)
  const transport = http ?? stdioTransport(deps)
  if (http) deps.onHttp(http)
  const client = new Client(
    { name: 'holdfast', version },
    {
      capabilities: {
        elicitation: { form: {}, url: {} },
        ...(settings.sampling ? { sampling: {} } : {}),
      },
      versionNegotiation: deps.probe ? { mode: 'auto', probe: { timeoutMs: PROBE_MS } } : { mode: 'legacy' },
      listChanged: { tools: { autoRefresh: false, debounceMs: DEBOUNCE_MS, onChanged: () => deps.onToolsChanged() } },
    },
  )
  client.onerror = (error) => {
    log.add('connection', error.message)
    if (http && isOpen) void ask('It does not answer any more')
  }
  client.onclose = () => {
    isOpen = false
    closed.resolve()
  }
  client.setNotificationHandler('notifications/message', { params: LogMessage }, ({ level, logger, data }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    log.add('server', `${level}${logger === undefined ? '' : ` ${logger}`}: ${text ?? ''}`)
  })
  client.setRequestHandler('elicitation/create', { params: ElicitParameters }, async (asked, context) => {
    return toElicitResult(asked, await deps.elicit(asked, context.mcpReq.signal))
  })
  if (settings.sampling) {
    client.setRequestHandler('sampling/createMessage', { params: SamplingParameters }, async (asked, context) => {
      const answer = await deps.sample(asked, context.mcpReq.signal)
      if (answer.type === 'refused') throw new ProtocolError(SAMPLING_REFUSED, answer.reason)
      return toSamplingResult(answer)
    })
  }
  client.fallbackRequestHandler = async ({ method }) => {
    log.add('connection', `It asked for ${method.slice(0, 100)}, which is refused`)
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, refusalOf(method))
  }
  try {
    const limit = { clock: deps.clock, limitMs: SERVER_LIMITS.connectMs, signal, reason: 'It did not answer in time' }
    await within(limit, (inTime) => client.connect(transport, { timeout: FOREVER_MS, signal: inTime }))
  } catch (error) {
    await transport.close()
    throw error
  }
  isOpen = true
  return {
    client,
    instructions: instructionsOf(client, log),
    closed: closed.promise,
    check: () => (http ? ask('It does not answer any more') : Promise.resolve()),
    drain: () => ask('It does not answer after a call was cancelled, and is replaced'),
    listTools(listSignal) {
      const limit = { clock: deps.clock, limitMs: SERVER_LIMITS.listMs, signal: listSignal }
      return within({ ...limit, reason: 'It did not list its tools in time' }, (inTime) =>
        listTools(client, { signal: inTime, isAtAddress: http !== null }),
      )
    },
    async close() {
      // A session at an address ends when it is told to; whoever does not hear it has a limit for its own.
      if (http?.sessionId !== undefined)
        await http.terminateSession().catch((error: Error) => log.add('connection', error.message))
      await client.close()
      closed.resolve()
    },
  }

  /**
   * Ends the connection of a server that does not answer. A request to an address may break without anybody hearing of
   * it: calls would wait for an answer that never comes.
   */
  async function ask(reason: string): Promise<void> {
    if (!isOpen || isChecking) return
    isChecking = true
    const limit = { clock: deps.clock, limitMs: CHECK_MS, signal: new AbortController().signal, reason }
    try {
      await within(limit, (inTime) => {
        const options = { signal: inTime, timeout: FOREVER_MS }
        return client.getProtocolEra() === 'modern' ? client.discover(options) : client.ping(options)
      })
    } catch (error) {
      // An error of the protocol is an answer.
      if (error instanceof ProtocolError) return
      log.add('connection', reason)
      await client.close()
    } finally {
      isChecking = false
    }
  }

  function stdioTransport({ clock, environment, register }: ConnectionDeps): Transport {
    if (settings.reach.type !== 'stdio') throw new Error(`Server ${settings.name} has no command`)
    return createStdioTransport({ reach: settings.reach, environment, clock, register, log })
  }
}

/** Our clock has the limits. */
const FOREVER_MS = 2_147_483_647
/** How long a server may take to say that it is still there. */
const CHECK_MS = 5_000
/** How long a server may take to say which protocol it speaks. */
const PROBE_MS = 5_000
/** Changes of a list within so long are one. */
const DEBOUNCE_MS = 500

/** What the protocol says to a wish that a person refuses. https://modelcontextprotocol.io/specification/2025-11-25/client/sampling#error-handling */
const SAMPLING_REFUSED = -1

function toElicitResult({ mode }: ElicitParameters, answer: ToolAnswer): ElicitResult {
  switch (answer.type) {
    case 'accepted':
      return mode === 'url' ? { action: 'accept' } : { action: 'accept', content: answer.content }
    case 'declined':
      return { action: 'decline' }
    case 'cancelled':
      return { action: 'cancel' }
  }
}

/** Why something is not done for a server. Our model and our folders are nobody's but their owner's. [TOOL11] */
function refusalOf(method: string): string {
  if (method === 'sampling/createMessage')
    return 'Holdfast does not lend its model to this server: its operator has not allowed sampling, and it was not offered'
  if (method === 'roots/list') return 'Holdfast does not show its folders: roots are refused, and were not offered'
  return `Holdfast has no method ${method.slice(0, 100)}`
}

const LogMessage = z.looseObject({ level: z.string(), logger: z.string().optional(), data: z.json().optional() })

function httpTransport({
  settings,
  fetch: ask,
  isPublicHost,
  signIn,
}: ConnectionDeps): StreamableHTTPClientTransport | null {
  const { reach } = settings
  if (reach.type !== 'http') return null
  const url = new URL(reach.url)
  return new StreamableHTTPClientTransport(url, {
    fetch: boundedFetch(url, { ask, headers: reach.headers, isPublicHost }),
    redirectPolicy: 'same-origin',
    ...(signIn === null ? {} : { authProvider: signIn.provider }),
  })
}

/** Instructions are text of strangers: what nobody can see, or nobody would read, is not passed on. */
function instructionsOf(client: Client, log: ServerLog): string | null {
  const text = client.getInstructions()?.trim() ?? ''
  if (text === '') return null
  const hidden = hiddenCharacter(text)
  if (hidden !== null) log.add('connection', `Its instructions hold a hidden character (${hidden}) and are not used`)
  if (text.length > SERVER_LIMITS.instructionsChars)
    log.add('connection', 'Its instructions are too long and are not used')
  return hidden !== null || text.length > SERVER_LIMITS.instructionsChars ? null : text
}

/** One page; its tools are looked at one by one, so that a wrong one costs only itself. */
const ToolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

async function listTools(
  client: Client,
  { signal, isAtAddress }: { readonly signal: AbortSignal; readonly isAtAddress: boolean },
): Promise<ToolOffer> {
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [], refused: [] }
  const { listPages, tools: most } = SERVER_LIMITS
  const listed: unknown[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < listPages && listed.length <= most; page++) {
    const request = { method: 'tools/list', params: cursor === undefined ? {} : { cursor } }
    const answer = await client.request(request, ToolPage, { signal, timeout: FOREVER_MS })
    for (const tool of answer.tools) listed.push(tool)
    cursor = answer.nextCursor
    if (cursor === undefined || seen.has(cursor)) break
    seen.add(cursor)
  }
  return readOffer(listed, { isAtAddress })
}
