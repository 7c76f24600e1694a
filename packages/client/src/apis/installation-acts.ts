import { type BodyOf, type McpServerRow, ownRoutes, type UsageAnswer, type UsageGroup } from '@holdfast/protocol'
import type { HttpApi } from '../link/http-api.ts'

/** What each tool did, in all conversations of the user. */
export type ToolUseAnswer = BodyOf<typeof ownRoutes.readToolMetrics, 200>['tools']

/** What a person sees of the installation as a whole. */
export interface InstallationActs {
  /** What all requests of the user cost. @throws {RequestFailedError} */
  readUsage(by: UsageGroup): Promise<UsageAnswer>
  /** @throws {RequestFailedError} */
  readToolUse(): Promise<ToolUseAnswer>
  /** The version that runs. @throws {RequestFailedError} */
  readVersion(): Promise<string>
  /** @throws {RequestFailedError} */
  listMcpServers(): Promise<readonly McpServerRow[]>
  /** @throws {RequestFailedError} */
  restartMcpServer(name: string): Promise<void>
  /** @throws {RequestFailedError} */
  switchMcpServer(name: string, on: boolean): Promise<void>
}

/** Makes them. */
export function createInstallationActs(ask: HttpApi): InstallationActs {
  return {
    readUsage(by) {
      const { readUsage: route } = ownRoutes
      return ask(route, route.answers[200], { query: { by } })
    },
    async readToolUse() {
      const { readToolMetrics: route } = ownRoutes
      return (await ask(route, route.answers[200], {})).tools
    },
    async readVersion() {
      const { health: route } = ownRoutes
      return (await ask(route, route.answers[200], {})).version
    },
    async listMcpServers() {
      const { listMcpServers: route } = ownRoutes
      return (await ask(route, route.answers[200], {})).servers
    },
    async restartMcpServer(name) {
      const { restartMcpServer: route } = ownRoutes
      await ask(route, route.answers[200], { params: { name } })
    },
    async switchMcpServer(name, on) {
      const { switchMcpServer: route } = ownRoutes
      await ask(route, route.answers[200], { params: { name }, body: { on } })
    },
  }
}
