import { type ExternalAgentChoices, type ExternalAgentRow, type ExternalAgentTest, routes } from '@holdfast/protocol'
import type * as z from 'zod'
import { createHttpApi } from '../link/http-api.ts'
import type { ServerAddress } from '../link/web-socket-transport.ts'

/** What an external agent is added with. */
export type NewExternalAgent = z.input<(typeof routes)['addExternalAgent']['body']>

/** The external agents of an installation, for admins. Everything throws {RequestFailedError} when it is refused. [AGENT45] */
export interface ExternalAgentApi {
  list(): Promise<readonly ExternalAgentRow[]>
  add(agent: NewExternalAgent): Promise<ExternalAgentRow>
  /** What is absent stays; null takes a variable away. */
  change(id: string, change: z.input<(typeof routes)['changeExternalAgent']['body']>): Promise<ExternalAgentRow>
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
    list: async () => (await ask(routes.listExternalAgents, routes.listExternalAgents.answers[200], {})).agents,
    add: (body) => ask(routes.addExternalAgent, routes.addExternalAgent.answers[201], { body }),
    change: (id, body) =>
      ask(routes.changeExternalAgent, routes.changeExternalAgent.answers[200], { params: { id }, body }),
    async remove(id) {
      await ask(routes.removeExternalAgent, routes.removeExternalAgent.answers[200], { params: { id } })
    },
    test: (id) => ask(routes.testExternalAgent, routes.testExternalAgent.answers[200], { params: { id } }),
    choices: (id, paidBy) =>
      ask(routes.listExternalAgentChoices, routes.listExternalAgentChoices.answers[200], {
        params: { id },
        query: paidBy === null ? {} : { paidBy },
      }),
  }
}
