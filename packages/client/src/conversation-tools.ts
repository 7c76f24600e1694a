import { type BodyOf, type McpServerRow, routes, type ToolMode, type ToolsAnswer } from '@holdfast/protocol'
import type { HttpApi } from './http-api.ts'
import { createRemoteValue, type RemoteValue } from './remote-value.ts'

/** The MCP servers of the installation. */
export type McpServersAnswer = BodyOf<typeof routes.listMcpServers, 200>

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
  /** @throws {RequestFailedError} */
  choose(choice: ToolChoice): Promise<void>
  /** @throws {RequestFailedError} */
  restart(server: string): Promise<void>
  /** @throws {RequestFailedError} */
  switchServer(server: string, on: boolean): Promise<void>
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

/** Makes it for one conversation. */
export function createConversationTools({
  conversationId: id,
  ask,
  newId,
  tellLater,
}: ConversationToolsDeps): ConversationTools {
  const { listTools, listMcpServers } = routes
  const list = createRemoteValue(() => ask(listTools, listTools.answers[200], { params: { id } }), tellLater)
  const servers = createRemoteValue(() => ask(listMcpServers, listMcpServers.answers[200], {}), tellLater)
  return {
    list,
    servers,
    async choose(choice) {
      const { chooseTools: route } = routes
      await ask(route, route.answers[200], { params: { id }, body: { commandId: newId(), ...choice } })
      list.load()
    },
    async restart(name) {
      const { restartMcpServer: route } = routes
      await ask(route, route.answers[200], { params: { name } })
      servers.load()
    },
    async switchServer(name, on) {
      const { switchMcpServer: route } = routes
      await ask(route, route.answers[200], { params: { name }, body: { on } })
      servers.load()
    },
    async accept({ name, offerHash }) {
      const { acceptMcpChanges: route } = routes
      await ask(route, route.answers[200], { params: { name }, body: { offerHash } })
      servers.load()
      list.load()
    },
  }
}
