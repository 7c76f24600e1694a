import {
  type AnyMessage,
  type ClientConnection,
  client,
  type McpServer,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
} from '@agentclientprotocol/sdk'
import type { Clock } from '@holdfast/conversation'
import * as z from 'zod'
import { AgentFailure } from './agent-failure.ts'
import { type AgentProcess, type ProcessDeps, startAgentProcess } from './agent-process.ts'
import type { HouseAddress } from './house-address.ts'
import { HOUSE } from './house-name.ts'
import type { ExternalAgent } from './known-agents.ts'
import { type AgentUpdate, readUpdate } from './parts/agent-update.ts'
import { AGENT_LIMITS } from './parts/limits.ts'
import { type OpenedSession, readSession } from './parts/opened-session.ts'
import { withoutValues } from './parts/without-values.ts'

/** What an agent said of itself when it was connected. */
export interface AgentFacts {
  readonly protocolVersion: number
  readonly version: string | null
  readonly loadsSessions: boolean
  readonly takesImages: boolean
  /** Whether it takes files that are embedded in a prompt. */
  readonly takesEmbedded: boolean
  /** Whether it reaches MCP servers over HTTP itself. */
  readonly takesHttpServers: boolean
  /** Ways to sign in, by their names for people and what they say of each. */
  readonly signIns: readonly string[]
}

/** How many things an agent sent that mean nothing here. [AGENT10] */
export interface Skipped {
  readonly noise: number
  readonly tooLong: number
  readonly unknownUpdates: number
  /** Answers to requests that were never made, or had been answered. */
  readonly unaskedAnswers: number
}

/** What a prompt came to. */
export interface PromptAnswer {
  readonly stopReason: string
  /** As the agent counts it; null where it does not say. */
  readonly usage: PromptUsage | null
}

/** Tokens of one prompt. */
export interface PromptUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreationTokens: number
  readonly thinkingTokens: number
}

/** A piece of a prompt. */
export type PromptBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource'
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string }
    }

/** How a request for permission is answered. */
export type PermissionAnswer =
  | { readonly outcome: 'cancelled' }
  | { readonly outcome: 'selected'; readonly optionId: string }

/** Hears what an agent does in one session. */
export interface SessionListener {
  /** In the order in which it was sent; what follows the answer of a prompt comes after `onAnswered`. */
  onUpdate(update: AgentUpdate): void
  /** The prompt that was sent last has been answered; called before anything that follows on the line is read. */
  onAnswered(): void
  onPermission(request: RequestPermissionRequest, signal: AbortSignal): Promise<PermissionAnswer>
}

/** An agent that runs and speaks. */
export interface AgentConnection {
  readonly pid: number
  readonly facts: AgentFacts
  skipped(): Skipped
  isOpen(): boolean
  /** Resolves when the program has gone, with why in words. */
  readonly gone: Promise<string>
  /** Opens a session, with the house tools where there are some. [AGENT41] */
  newSession(folder: string, house: HouseAddress | null): Promise<OpenedSession>
  setMode(session: Pick<OpenedSession, 'sessionId' | 'modeOption'>, modeId: string): Promise<void>
  /** Of a session whose model can be set. */
  setModel(session: Pick<OpenedSession, 'sessionId' | 'modelWay'>, modelId: string): Promise<void>
  listen(sessionId: string, listener: SessionListener): void
  prompt(sessionId: string, blocks: readonly PromptBlock[]): Promise<PromptAnswer>
  /** Asks that the open prompt of a session ends; it is answered by the prompt itself. */
  cancel(sessionId: string): Promise<void>
  /** Resolves when the agent has answered something harmless: all that it sent before that has been read. */
  fence(): Promise<void>
  /** Ends the program with its group. */
  close(): Promise<void>
}

/** What an agent is started for. */
export interface Wanted {
  readonly agent: ExternalAgent
  readonly folder: string
  /** Beside what the agent sets itself. */
  readonly env: ExternalAgent['env']
  readonly signal: AbortSignal
}

/**
 * Starts an agent and speaks with it until it answers. What it prints beside messages is skipped and counted. [AGENT10, AGENT11]
 *
 * @throws {AgentFailure} with the end of what it printed for people.
 */
export async function connectAgent(
  deps: ProcessDeps,
  { agent, folder, env, signal }: Wanted,
): Promise<AgentConnection> {
  const line = createLine()
  const process = await startAgentProcess(deps, { agent, folder, env }, line.outlets)
  const app = client({ name: 'holdfast' }).onRequest(methods.client.session.requestPermission, async (context) => {
    const listener = line.listenerOf(context.params.sessionId)
    if (listener === null) return { outcome: { outcome: 'cancelled' } }
    return { outcome: await listener.onPermission(context.params, context.signal) }
  })
  const connection = app.connect(line.stream(process))
  const gone = process.ended.then((how) => {
    connection.close()
    return `${agent.name} ${how}${tail(process)}`
  })
  try {
    const waited = { agent, process, gone, signal, skipped: line.skipped }
    const facts = await within(deps.clock, waited, initialize(connection))
    if (facts.protocolVersion !== PROTOCOL_VERSION) throw otherVersion(agent, facts)
    return connected({ agent, process, connection, facts, gone, line })
  } catch (error) {
    await process.close()
    throw error
  }
}

interface Connected {
  readonly agent: ExternalAgent
  readonly process: AgentProcess
  readonly connection: ClientConnection
  readonly facts: AgentFacts
  readonly gone: Promise<string>
  readonly line: Line
}

function connected({ agent, process, connection, facts, gone, line }: Connected): AgentConnection {
  const { agent: peer } = connection

  /** What was asked of a program that has gone fails with why. */
  async function asked<Value>(request: Promise<Value>): Promise<Value> {
    try {
      return await request
    } catch (error) {
      if (!process.isOpen() || connection.signal.aborted) throw new AgentFailure('gone', await gone, { cause: error })
      throw toFailure(agent, error)
    }
  }

  async function setOption(option: {
    readonly sessionId: string
    readonly configId: string
    readonly value: string
  }): Promise<void> {
    await asked(peer.request(methods.agent.session.setConfigOption, option))
  }

  return {
    pid: process.pid,
    facts,
    gone,
    skipped: line.skipped,
    isOpen: () => process.isOpen() && !connection.signal.aborted,
    listen: line.listen,
    async newSession(folder, house) {
      const mcpServers = house === null ? [] : [serverOf(house, facts)]
      const answer = await asked(peer.request(methods.agent.session.new, { cwd: folder, mcpServers }))
      return readSession(answer)
    },
    async setMode({ sessionId, modeOption }, modeId) {
      if (modeOption === null) await asked(peer.request(methods.agent.session.setMode, { sessionId, modeId }))
      else await setOption({ sessionId, configId: modeOption, value: modeId })
    },
    async setModel({ sessionId, modelWay }, modelId) {
      if (modelWay?.type === 'option') await setOption({ sessionId, configId: modelWay.configId, value: modelId })
      else await asked(peer.request(SET_MODEL, { sessionId, modelId }))
    },
    async prompt(sessionId, blocks) {
      const request: Promise<unknown> = peer.request(methods.agent.session.prompt, { sessionId, prompt: [...blocks] })
      const { stopReason } = prompted.parse(await asked(request))
      return { stopReason, usage: line.usageOf(sessionId) }
    },
    cancel: async (sessionId) => {
      // Where the line is gone the prompt ends by that.
      await peer.notify(methods.agent.session.cancel, { sessionId }).catch(() => {})
    },
    async fence() {
      try {
        await peer.request('_holdfast/fence', {})
      } catch (error) {
        if (!(error instanceof RequestError) && connection.signal.aborted)
          throw new AgentFailure('gone', await gone, { cause: error })
      }
    },
    async close() {
      connection.close()
      await process.close()
    },
  }
}

/** Not in the schema of version 1, and taken by agents that tell models. */
const SET_MODEL = 'session/set_model'
function serverOf({ url, key, bridge }: HouseAddress, { takesHttpServers }: AgentFacts): McpServer {
  if (takesHttpServers)
    return { type: 'http', name: HOUSE, url, headers: [{ name: 'Authorization', value: `Bearer ${key}` }] }
  const env = Object.entries(bridge.env).map(([name, value]) => ({ name, value }))
  return { name: HOUSE, command: bridge.command, args: [...bridge.args], env }
}

/** The start has one limit, and ends with the program or the wait for it. */
async function within<Value>(
  clock: Clock,
  at: {
    readonly agent: ExternalAgent
    readonly process: AgentProcess
    readonly gone: Promise<string>
    readonly signal: AbortSignal
    skipped(): Skipped
  },
  work: Promise<Value>,
): Promise<Value> {
  const { agent, process, gone, signal, skipped } = at
  const failed = Promise.withResolvers<never>()
  const cancel = clock.after(AGENT_LIMITS.startMs, () => {
    const { noise, tooLong } = skipped()
    const said = noise + tooLong === 0 ? 'said nothing' : 'printed nothing that is of the protocol'
    const words = `${agent.name} ${said} for ${AGENT_LIMITS.startMs / 1_000} seconds after its start${tail(process)}`
    failed.reject(new AgentFailure('cannot-start', words, {}))
  })
  const stop = () => failed.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  void gone.then((how) => failed.reject(new AgentFailure('cannot-start', how, {})))
  try {
    return await Promise.race([work, failed.promise])
  } catch (error) {
    if (error instanceof AgentFailure || signal.aborted) throw error
    if (!process.isOpen()) throw new AgentFailure('cannot-start', await gone, { cause: error })
    throw toFailure(agent, error)
  } finally {
    failed.promise.catch(() => {})
    work.catch(() => {})
    cancel()
    signal.removeEventListener('abort', stop)
  }
}

function otherVersion({ name }: ExternalAgent, { protocolVersion }: AgentFacts): AgentFailure {
  const words = `${name} speaks version ${protocolVersion} of the Agent Client Protocol, and Holdfast version ${PROTOCOL_VERSION}: another version of its program may fit`
  return new AgentFailure('cannot-start', words, {})
}

const initialized = z.looseObject({
  protocolVersion: z.number(),
  agentInfo: z.looseObject({ version: z.string().nullish() }).nullish(),
  agentCapabilities: z
    .looseObject({
      loadSession: z.boolean().nullish(),
      promptCapabilities: z
        .looseObject({ image: z.boolean().nullish(), embeddedContext: z.boolean().nullish() })
        .nullish(),
      mcpCapabilities: z.looseObject({ http: z.boolean().nullish() }).nullish(),
    })
    .nullish(),
  authMethods: z
    .array(z.looseObject({ id: z.string(), name: z.string().nullish(), description: z.string().nullish() }))
    .nullish(),
})

/** Files and terminals stay with the agent: what it changes is seen in the folder, and asked about before. [AGENT12] */
const CAPABILITIES = { fs: { readTextFile: false, writeTextFile: false }, terminal: false }

async function initialize({ agent }: ClientConnection): Promise<AgentFacts> {
  const answer = initialized.parse(
    await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: 'holdfast', version: '1' },
      clientCapabilities: CAPABILITIES,
    }),
  )
  const { agentCapabilities: able, authMethods } = answer
  return {
    protocolVersion: answer.protocolVersion,
    version: answer.agentInfo?.version ?? null,
    loadsSessions: able?.loadSession === true,
    takesImages: able?.promptCapabilities?.image === true,
    takesEmbedded: able?.promptCapabilities?.embeddedContext === true,
    takesHttpServers: able?.mcpCapabilities?.http === true,
    signIns: (authMethods ?? []).map(({ id, name, description }) =>
      description == null ? (name ?? id) : `${name ?? id}: ${description}`,
    ),
  }
}

const prompted = z.looseObject({ stopReason: z.string() })

/** The code of the protocol for an agent that wants a person to sign in. */
const AUTH_REQUIRED = -32_000

function toFailure({ name, env }: ExternalAgent, error: unknown): AgentFailure {
  if (!(error instanceof RequestError)) {
    const why = error instanceof Error ? error.message : String(error)
    return new AgentFailure('refused', `${name} answered what is not of the protocol: ${withoutValues(why, env)}`, {
      cause: error,
    })
  }
  const detail = detailOf(error.data, env)
  const words = `${withoutValues(error.message, env)}${detail === '' ? '' : `: ${detail}`}`
  if (error.code === AUTH_REQUIRED)
    return new AgentFailure('sign-in', `${name} wants you to sign in first, in a terminal of this machine: ${words}`, {
      cause: error,
    })
  return new AgentFailure('refused', `${name} refused: ${words}`, { cause: error })
}

function detailOf(data: unknown, env: ExternalAgent['env']): string {
  if (data === undefined || data === null) return ''
  const text = withoutValues(typeof data === 'string' ? data : JSON.stringify(data), env)
  return text.length > 500 ? `${text.slice(0, 500)}…` : text
}

function tail(process: AgentProcess): string {
  const said = process.said()
  return said === '' ? '' : `. It said: …${said.slice(-600)}`
}

/** The line to one program: what is read of it, and what is counted. */
interface Line {
  readonly outlets: { readonly onLine: (line: string) => void; readonly onTooLong: () => void }
  stream(process: AgentProcess): { readable: ReadableStream<AnyMessage>; writable: WritableStream<AnyMessage> }
  listen(sessionId: string, listener: SessionListener): void
  listenerOf(sessionId: string): SessionListener | null
  usageOf(sessionId: string): PromptUsage | null
  skipped(): Skipped
}

const message = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
})

const notified = z.looseObject({ sessionId: z.string(), update: z.unknown() })

const answered = z.looseObject({
  result: z.looseObject({
    usage: z
      .looseObject({
        inputTokens: z.number(),
        outputTokens: z.number(),
        cachedReadTokens: z.number().nullish(),
        cachedWriteTokens: z.number().nullish(),
        thoughtTokens: z.number().nullish(),
      })
      .nullish(),
  }),
})

/**
 * Updates are read here and not by the client of the protocol: in the order of the line, whatever they are, also before
 * the answer that names their session. The end of a prompt is seen where it stands on the line, so that nothing behind it
 * counts as of it. [AGENT2]
 */
function createLine(): Line {
  const listeners = new Map<string, SessionListener>()
  const early = new Map<string, AgentUpdate[]>()
  const usages = new Map<string, PromptUsage | null>()
  /** Requests of ours that are not answered, with the session of a prompt. */
  const open = new Map<string | number, string | null>()
  const counts = { noise: 0, tooLong: 0, unknownUpdates: 0, unaskedAnswers: 0 }
  let hand: ReadableStreamDefaultController<AnyMessage> | null = null
  let isClosed = false

  function takeUpdate(params: unknown): void {
    const read = notified.safeParse(params)
    const update = read.success ? readUpdate(read.data.update) : null
    if (!read.success || update === null) {
      counts.unknownUpdates += 1
      return
    }
    const { sessionId } = read.data
    const listener = listeners.get(sessionId)
    if (listener) {
      listener.onUpdate(update)
      return
    }
    const waiting = early.get(sessionId) ?? []
    if (waiting.length < AGENT_LIMITS.earlyUpdates) waiting.push(update)
    early.set(sessionId, waiting)
  }

  /** @returns whether the answer is one that somebody waits for. */
  function takeAnswer(id: string | number, whole: unknown): boolean {
    const sessionId = open.get(id)
    if (sessionId === undefined) return false
    open.delete(id)
    if (sessionId === null) return true
    const usage = answered.safeParse(whole).data?.result.usage
    usages.set(sessionId, usage ? usageOf(usage) : null)
    listeners.get(sessionId)?.onAnswered()
    return true
  }

  function onLine(line: string): void {
    const read = message.safeParse(parsed(line))
    if (!read.success) {
      counts.noise += 1
      return
    }
    const { id, method, params } = read.data
    if (method === 'session/update' && id === undefined) {
      takeUpdate(params)
      return
    }
    const isAnswer = method === undefined
    if (isAnswer && (id === undefined || id === null || !takeAnswer(id, read.data))) {
      counts.unaskedAnswers += 1
      return
    }
    // The client of the protocol checks the rest itself.
    if (!isClosed) hand?.enqueue(read.data as AnyMessage)
  }

  return {
    outlets: {
      onLine,
      onTooLong() {
        counts.tooLong += 1
      },
    },
    stream: (process) => ({
      readable: new ReadableStream<AnyMessage>({
        start(controller) {
          hand = controller
        },
        cancel() {
          isClosed = true
        },
      }),
      writable: new WritableStream<AnyMessage>({
        async write(sent) {
          if ('method' in sent && 'id' in sent && sent.id !== null) {
            const at = z.looseObject({ sessionId: z.string() }).safeParse(sent.params)
            open.set(sent.id, sent.method === 'session/prompt' && at.success ? at.data.sessionId : null)
          }
          await process.write(JSON.stringify(sent))
        },
      }),
    }),
    listen(sessionId, listener) {
      listeners.set(sessionId, listener)
      const waiting = early.get(sessionId) ?? []
      early.delete(sessionId)
      // Choices that were told while the session was being set are past, but for the last.
      const lastChosen = waiting.findLast(({ type }) => type === 'chosen')
      for (const update of waiting) if (update.type !== 'chosen' || update === lastChosen) listener.onUpdate(update)
    },
    listenerOf: (sessionId) => listeners.get(sessionId) ?? null,
    usageOf: (sessionId) => usages.get(sessionId) ?? null,
    skipped: () => ({ ...counts }),
  }
}

function usageOf(usage: NonNullable<z.infer<typeof answered>['result']['usage']>): PromptUsage {
  const cacheReadTokens = usage.cachedReadTokens ?? 0
  const cacheCreationTokens = usage.cachedWriteTokens ?? 0
  return {
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cacheReadTokens,
    cacheCreationTokens,
    thinkingTokens: usage.thoughtTokens ?? 0,
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
