import { type BodyOf, type McpServerRow, ownRoutes, type ToolMode, type ToolsAnswer } from '@holdfast/protocol'
import type * as z from 'zod'
import type { HttpApi } from '../link/http-api.ts'
import { RequestFailedError } from '../link/request-failed-error.ts'
import { createRemoteValue, type RemoteValue } from '../values/remote-value.ts'

/** The MCP servers of the installation. */
export type McpServersAnswer = BodyOf<typeof ownRoutes.listMcpServers, 200>

/** What one connected server offers beside its tools. */
export interface ServerOffers extends BodyOf<typeof ownRoutes.listMcpMaterial, 200> {
  readonly server: string
}

/** A prompt of a server, with values for its arguments. */
export type PromptOrder = z.infer<(typeof ownRoutes)['readMcpPrompt']['body']>

/** A value that is being written for a prompt or for the address of a resource. */
export type ValueOrder = z.infer<(typeof ownRoutes)['completeMcpValue']['body']>

/** Which tools the model is shown in a conversation. What is absent stays. */
export interface ToolChoice {
  readonly mode: ToolMode
  /** In mode `manual`. */
  readonly included?: readonly string[]
  /** Servers that are off in the conversation. */
  readonly excludedSources?: readonly string[]
}

/** The tools of one conversation, and the servers that they come from. */
export interface ConversationTools {
  readonly list: RemoteValue<ToolsAnswer>
  readonly servers: RemoteValue<McpServersAnswer>
  /** Prompts and resources of the servers that are connected; one that does not answer is left out. */
  readonly offers: RemoteValue<readonly ServerOffers[]>
  /** The words of a prompt. @throws {RequestFailedError} */
  readPrompt(wish: PromptOrder): Promise<BodyOf<typeof ownRoutes.readMcpPrompt, 200>['messages']>
  /** What the server proposes for a value; nothing when it does not answer. */
  propose(wish: ValueOrder): Promise<readonly string[]>
  /** @throws {RequestFailedError} */
  choose(choice: ToolChoice): Promise<void>
  /** @throws {RequestFailedError} */
  restart(server: string): Promise<void>
  /** @throws {RequestFailedError} */
  switchServer(server: string, on: boolean): Promise<void>
  /** Where the person signs in who asks; the sign-in is ended in this browser. [SEC23] @throws {RequestFailedError} */
  beginSignIn(server: string): Promise<string>
  /** Takes what a person looked at for accepted. @throws {RequestFailedError} */
  accept(server: McpServerRow): Promise<void>
}

/** What it needs. */
export interface ConversationToolsDeps {
  readonly conversationId: string
  readonly ask: HttpApi
  readonly newId: () => string
  readonly tellLater: (tell: () => void) => void
}

/** Makes the tools of one conversation. */
export function createConversationTools({
  conversationId: id,
  ask,
  newId,
  tellLater,
}: ConversationToolsDeps): ConversationTools {
  const { listTools, listMcpServers } = ownRoutes
  const list = createRemoteValue(() => ask(listTools, listTools.answers[200], { params: { id } }), tellLater)
  const servers = createRemoteValue(() => ask(listMcpServers, listMcpServers.answers[200], {}), tellLater)
  async function readOffers(): Promise<readonly ServerOffers[]> {
    const { servers: rows } = await ask(listMcpServers, listMcpServers.answers[200], {})
    const connected = rows.filter(({ state }) => state.type === 'connected')
    const read = await Promise.all(connected.map(({ name }) => offersOf(name)))
    return read.filter((offers) => offers !== null)
  }

  async function offersOf(server: string): Promise<ServerOffers | null> {
    const { listMcpMaterial: route } = ownRoutes
    const material = await orNull(ask(route, route.answers[200], { query: { server } }))
    return material && { server, ...material }
  }

  return {
    list,
    servers,
    offers: createRemoteValue(readOffers, tellLater),
    async readPrompt(wish) {
      const { readMcpPrompt: route } = ownRoutes
      return (await ask(route, route.answers[200], { body: wish })).messages
    },
    async propose(wish) {
      const { completeMcpValue: route } = ownRoutes
      return (await orNull(ask(route, route.answers[200], { body: wish })))?.values ?? []
    },
    async choose(choice) {
      const { chooseTools: route } = ownRoutes
      await ask(route, route.answers[200], { params: { id }, body: { commandId: newId(), ...choice } })
      list.load()
    },
    async restart(name) {
      const { restartMcpServer: route } = ownRoutes
      await ask(route, route.answers[200], { params: { name } })
      servers.load()
    },
    async switchServer(name, on) {
      const { switchMcpServer: route } = ownRoutes
      await ask(route, route.answers[200], { params: { name }, body: { on } })
      servers.load()
    },
    async beginSignIn(name) {
      const { beginMcpSignIn: route } = ownRoutes
      return (await ask(route, route.answers[200], { params: { name } })).url
    },
    async accept({ name, offerHash }) {
      const { acceptMcpChanges: route } = ownRoutes
      await ask(route, route.answers[200], { params: { name }, body: { offerHash } })
      servers.load()
      list.load()
    },
  }
}

/** Null where the server does not answer: what is asked here is a help, and nothing waits for it. */
async function orNull<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof RequestFailedError) return null
    throw error
  }
}
