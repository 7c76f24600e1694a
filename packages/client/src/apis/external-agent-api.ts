import { type ExternalAgentChoices, type ExternalAgentRow, type ExternalAgentTest, ownRoutes } from '@holdfast/protocol'
import type * as z from 'zod'
import { createHttpApi } from '../link/http-api.ts'
import type { ServerAddress } from '../link/web-socket-transport.ts'

/** What an external agent is added with. */
export type NewExternalAgent = z.input<(typeof ownRoutes)['addExternalAgent']['body']>

/** The external agents of an installation, for admins. Everything throws {RequestFailedError} when it is refused. [AGENT45] */
export interface ExternalAgentApi {
  list(): Promise<readonly ExternalAgentRow[]>
  add(agent: NewExternalAgent): Promise<ExternalAgentRow>
  /** What is absent stays; null takes a variable away. */
  change(id: string, change: z.input<(typeof ownRoutes)['changeExternalAgent']['body']>): Promise<ExternalAgentRow>
  remove(id: string): Promise<void>
  /** Starts it, opens a session and ends it. */
  test(id: string): Promise<ExternalAgentTest>
  /** What can be chosen of one; null for who pays where nobody chose. */
  choices(id: string, paidBy: ExternalAgentChoices['paidBy'] | null): Promise<ExternalAgentChoices>
}

/** Makes the way to them. */
export function createExternalAgentApi(address: ServerAddress): ExternalAgentApi {
  const ask = createHttpApi(address)
  return {
    list: async () => (await ask(ownRoutes.listExternalAgents, ownRoutes.listExternalAgents.answers[200], {})).agents,
    add: (body) => ask(ownRoutes.addExternalAgent, ownRoutes.addExternalAgent.answers[201], { body }),
    change: (id, body) =>
      ask(ownRoutes.changeExternalAgent, ownRoutes.changeExternalAgent.answers[200], { params: { id }, body }),
    async remove(id) {
      await ask(ownRoutes.removeExternalAgent, ownRoutes.removeExternalAgent.answers[200], { params: { id } })
    },
    test: (id) => ask(ownRoutes.testExternalAgent, ownRoutes.testExternalAgent.answers[200], { params: { id } }),
    choices: (id, paidBy) =>
      ask(ownRoutes.listExternalAgentChoices, ownRoutes.listExternalAgentChoices.answers[200], {
        params: { id },
        query: paidBy === null ? {} : { paidBy },
      }),
  }
}
