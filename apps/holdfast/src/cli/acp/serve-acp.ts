import { realpathSync, statSync } from 'node:fs'
import {
  type AgentConnection,
  type AgentContext,
  agent,
  type ClientCapabilities,
  methods,
  RequestError,
  type SessionInfo,
  type SessionUpdate,
  type Stream,
} from '@agentclientprotocol/sdk/unstable'
import type { Clock } from '@holdfast/conversation'
import { type ConversationRow, routes, type TranscriptAnswerItem } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import { VERSION } from '../../version.ts'
import type { LastingApi } from '../reach/lasting-api.ts'
import { type AcpSession, openSession } from './acp-session.ts'
import { replayOf } from './entry-updates.ts'
import { contentOf } from './prompt-content.ts'
import { type Chosen, FIRST_MODE, modeNamed, readChosen } from './session-choices.ts'

/** What is served. */
export interface AcpDeps {
  readonly stream: Stream
  /** Finds the server, or starts one; asked for the first time when the editor has been answered. */
  readonly reach: () => Promise<LastingApi>
  readonly clock: Clock
  readonly onFault: (error: unknown) => void
}

const CAPABILITIES = {
  loadSession: true,
  promptCapabilities: { image: false, audio: false, embeddedContext: true },
  sessionCapabilities: { list: {}, delete: {}, fork: {}, resume: {}, close: {} },
}

/** Where a model is connected: the page that this opens. */
const AUTH_METHODS = [
  {
    type: 'terminal' as const,
    id: 'holdfast-open',
    name: 'Connect a model',
    description: 'Opens Holdfast in the browser, where keys of providers are set',
    args: ['open'],
  },
]

/** Serves the conversations of Holdfast to an editor, as an agent of the Agent Client Protocol. [AGENT29] */
export function serveAcp({ stream, reach, clock, onFault }: AcpDeps): AgentConnection {
  const sessions = new Map<string, AcpSession>()
  let capabilities: ClientCapabilities = {}
  let reached: Promise<LastingApi> | null = null

  /** What could not be reached is looked for again by the next request. */
  const apiNow = (): Promise<LastingApi> => {
    reached ??= reach().catch((error: unknown) => {
      reached = null
      throw error
    })
    return reached
  }

  /** What the server refuses is said to the editor in its words. */
  async function inWords<Value>(work: (api: LastingApi) => Promise<Value>): Promise<Value> {
    try {
      return await work(await apiNow())
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      if (error.code === 'E_UNKNOWN_CONVERSATION' || error.code === 'E_NOT_FOUND')
        throw RequestError.resourceNotFound(error.message)
      throw RequestError.internalError(undefined, error.message)
    }
  }

  function sessionOf(sessionId: string): AcpSession {
    const session = sessions.get(sessionId)
    if (session) return session
    throw RequestError.invalidParams(undefined, `session ${sessionId} is not open; load or resume it`)
  }

  interface Opened {
    readonly client: AgentContext
    readonly api: LastingApi
    readonly sessionId: string
    readonly cwd: string
    readonly chosen: Chosen
    readonly after: number
  }

  /** Opens a session; what it tells by itself comes once its answer has gone out. */
  async function opened(of: Opened) {
    sessions.get(of.sessionId)?.close()
    const session = openSession({ ...of, capabilities, clock, nextCommand, onFault })
    sessions.set(of.sessionId, session)
    const choices = await session.choices()
    // The answer is written in this turn of the loop.
    setImmediate(() => session.begin())
    return choices
  }

  const app = agent({ name: 'holdfast' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      capabilities = params.clientCapabilities ?? {}
      // The editor is answered before a server is looked for or started.
      setImmediate(() => void apiNow().catch(onFault))
      return {
        protocolVersion: 1,
        agentInfo: { name: 'holdfast', title: 'Holdfast', version: VERSION },
        agentCapabilities: CAPABILITIES,
        authMethods: AUTH_METHODS,
      }
    })
    .onRequest(methods.agent.authenticate, () => ({}))
    .onRequest(methods.agent.session.new, ({ params, client }) =>
      inWords(async (api) => {
        const { cwd } = params
        const workspaceId = await workspaceAt(api, cwd)
        const body = { commandId: nextCommand(), workspaceId, settings: { permissionMode: FIRST_MODE } } as const
        const { id, head, modelId } = await api.call(routes.createConversation, { body })
        const chosen: Chosen = { permissionMode: FIRST_MODE, modelId }
        const choices = await opened({ client, api, sessionId: id, cwd, chosen, after: head })
        return { sessionId: id, ...choices }
      }),
    )
    .onRequest(methods.agent.session.load, ({ params, client }) =>
      inWords(async (api) => {
        const { sessionId, cwd } = params
        const { chosen, head } = await readChosen(api, sessionId)
        for (const update of await replay(api, sessionId, cwd))
          await client.notify(methods.client.session.update, { sessionId, update })
        return opened({ client, api, sessionId, cwd, chosen, after: head })
      }),
    )
    .onRequest(methods.agent.session.resume, ({ params, client }) =>
      inWords(async (api) => {
        const { sessionId, cwd } = params
        const { chosen, head } = await readChosen(api, sessionId)
        return opened({ client, api, sessionId, cwd, chosen, after: head })
      }),
    )
    .onRequest(methods.agent.session.fork, ({ params, client }) =>
      inWords(async (api) => {
        const { sessionId, cwd } = params
        const { head: atSeq } = await api.call(routes.readConversation, { params: { id: sessionId } })
        const body = { commandId: nextCommand(), atSeq }
        const { id } = await api.call(routes.fork, { params: { id: sessionId }, body })
        const { chosen, head } = await readChosen(api, id)
        return { sessionId: id, ...(await opened({ client, api, sessionId: id, cwd, chosen, after: head })) }
      }),
    )
    .onRequest(methods.agent.session.list, ({ params }) =>
      inWords(async (api) => {
        const query = { limit: '50', ...(params.cursor == null ? {} : { before: params.cursor }) }
        const { conversations, next } = await api.call(routes.listConversations, { query })
        const roots = await rootsOf(api)
        const sessionsHere = conversations
          .map((row) => infoOf(row, roots))
          .filter(({ cwd }) => params.cwd == null || cwd === params.cwd)
        return { sessions: sessionsHere, ...(next === null ? {} : { nextCursor: next }) }
      }),
    )
    .onRequest(methods.agent.session.close, async ({ params }) => {
      const session = sessionOf(params.sessionId)
      await session.cancel()
      session.close()
      sessions.delete(params.sessionId)
      return {}
    })
    .onRequest(methods.agent.session.delete, ({ params }) =>
      inWords(async (api) => {
        const { sessionId } = params
        const session = sessions.get(sessionId)
        await session?.cancel()
        session?.close()
        sessions.delete(sessionId)
        await api.call(routes.deleteConversation, { params: { id: sessionId } })
        return {}
      }),
    )
    .onRequest(methods.agent.session.setMode, async ({ params }) => {
      await change(params.sessionId, { configId: 'mode', value: params.modeId })
      return {}
    })
    .onRequest(methods.agent.session.setConfigOption, async ({ params }) => {
      const { sessionId, configId, value } = params
      if (typeof value !== 'string') throw RequestError.invalidParams(undefined, `${configId} takes one of its values`)
      return { configOptions: await change(sessionId, { configId, value }) }
    })
    .onRequest(methods.agent.session.prompt, ({ params, signal }) =>
      inWords(async () => {
        const session = sessionOf(params.sessionId)
        // An editor that leaves stops nothing: the reply goes on where a server runs. [STOP10]
        const cancel = (): void => {
          if (isCancelled(signal)) session.cancel().catch(onFault)
        }
        signal.addEventListener('abort', cancel, { once: true })
        const response = await session.prompt(contentOf(params.prompt))
        signal.removeEventListener('abort', cancel)
        if (isCancelled(signal)) throw RequestError.requestCancelled()
        return response
      }),
    )
    .onNotification(methods.agent.session.cancel, async ({ params }) => {
      await sessions.get(params.sessionId)?.cancel()
    })

  /** Chooses another mode or model, and says what may be chosen then. */
  function change(sessionId: string, { configId, value }: { readonly configId: string; readonly value: string }) {
    return inWords(async (api) => {
      const session = sessionOf(sessionId)
      const settings = settingsOf(configId, value)
      const body = { commandId: nextCommand(), settings }
      await api.call(routes.changeConversation, { params: { id: sessionId }, body })
      const { configOptions } = await session.choices()
      return configOptions.map((option) =>
        option.id === configId && option.type === 'select' ? { ...option, currentValue: value } : option,
      )
    })
  }

  return app.connect(stream)
}

/** Whether the editor took the request back. */
function isCancelled({ reason }: AbortSignal): boolean {
  return reason instanceof RequestError && reason.code === REQUEST_CANCELLED
}

const REQUEST_CANCELLED = -32800

function settingsOf(configId: string, value: string) {
  if (configId === 'model') return { modelId: value }
  if (configId !== 'mode') throw RequestError.invalidParams(undefined, `there is no option ${configId}`)
  const permissionMode = modeNamed(value)
  if (permissionMode === null) throw RequestError.invalidParams(undefined, `there is no mode ${value}`)
  return { permissionMode }
}

/** The workspace of a folder, opened where it is none yet: editors name folders. */
async function workspaceAt(api: LastingApi, cwd: string): Promise<string> {
  const isFolder = statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isFolder) throw RequestError.invalidParams(undefined, `there is no folder ${cwd}`)
  const root = realpathSync(cwd)
  const { workspaces } = await api.call(routes.listWorkspaces, {})
  const known = workspaces.find((one) => one.root === root)
  return known?.id ?? (await api.call(routes.openWorkspace, { body: { root } })).id
}

async function rootsOf(api: LastingApi): Promise<ReadonlyMap<string, string>> {
  const { workspaces } = await api.call(routes.listWorkspaces, {})
  return new Map(workspaces.map(({ id, root }) => [id, root]))
}

function infoOf(
  { id, title, firstWords, workspaceId, updatedAt }: ConversationRow,
  roots: ReadonlyMap<string, string>,
): SessionInfo {
  return {
    sessionId: id,
    cwd: roots.get(workspaceId ?? '') ?? '/',
    title: title ?? firstWords,
    updatedAt: new Date(updatedAt).toISOString(),
  }
}

const PAGE = 200

/** What is in a conversation, oldest first, as a person reads it. */
async function replay(api: LastingApi, id: string, cwd: string): Promise<SessionUpdate[]> {
  const pages: SessionUpdate[][] = []
  let before: string | null = null
  for (;;) {
    const items: readonly TranscriptAnswerItem[] = await transcriptBefore(api, id, before)
    pages.unshift(items.flatMap((item) => replayOf(item, cwd)))
    const first = items[0]
    if (first === undefined || items.length < PAGE) return pages.flat()
    before = String(first.seq)
  }
}

async function transcriptBefore(api: LastingApi, id: string, before: string | null) {
  const query = { limit: String(PAGE), ...(before === null ? {} : { before }) }
  return (await api.call(routes.readTranscript, { params: { id }, query })).items
}

/** Names a command once. */
function nextCommand(): string {
  return `editor_${crypto.randomUUID()}`
}
