import { type AgentRow, type BodyOf, ownRoutes } from '@holdfast/protocol'
import type * as z from 'zod'
import type { HttpApi } from '../link/http-api.ts'
import { createRemoteValue, type RemoteValue } from '../values/remote-value.ts'

/** What an agent is made with. */
export type AgentFields = z.input<(typeof ownRoutes)['createAgent']['body']>

/** The first words of a conversation, and what would be chosen for it. */
export type NewPriceQuery = z.input<(typeof ownRoutes)['priceNew']['body']>

/** The agents that a person may choose, and what a conversation would be with one. */
export interface AgentActs {
  /** Those that there are; read when somebody asks, and after every change made here. */
  readonly agents: RemoteValue<BodyOf<typeof ownRoutes.listAgents, 200>>
  /** @throws {RequestFailedError} */
  createAgent(fields: AgentFields): Promise<AgentRow>
  /** Writes over the version that was read, and over no other. @throws {RequestFailedError} */
  changeAgent(read: Pick<AgentRow, 'id' | 'version'>, fields: AgentFields): Promise<AgentRow>
  /** In how many conversations of the person an agent answers. @throws {RequestFailedError} */
  countAgentUse(agentId: string): Promise<number>
  /** The tools that a conversation would have that nobody has begun. @throws {RequestFailedError} */
  readToolsOfNew(): Promise<BodyOf<typeof ownRoutes.listToolsOfNew, 200>>
  /** What the first message of a conversation would cost that nobody has begun. @throws {RequestFailedError} */
  priceOfNew(question: NewPriceQuery): Promise<BodyOf<typeof ownRoutes.priceNew, 200>>
  /** Takes an agent that another person shares. @throws {RequestFailedError} */
  acceptAgent(agentId: string): Promise<void>
  /** @throws {RequestFailedError} */
  deleteAgent(agentId: string): Promise<void>
}

/** Makes them. */
export function createAgentActs({
  ask,
  tellLater,
}: {
  readonly ask: HttpApi
  readonly tellLater: (tell: () => void) => void
}): AgentActs {
  const agents = createRemoteValue(() => ask(ownRoutes.listAgents, ownRoutes.listAgents.answers[200], {}), tellLater)
  return {
    agents,
    async createAgent(fields) {
      const row = await ask(ownRoutes.createAgent, ownRoutes.createAgent.answers[201], { body: fields })
      agents.load()
      return row
    },
    async changeAgent({ id, version }, fields) {
      const { changeAgent: route } = ownRoutes
      const row = await ask(route, route.answers[200], { params: { agentId: id }, body: { ...fields, version } })
      agents.load()
      return row
    },
    async countAgentUse(agentId) {
      const { readAgentUse: route } = ownRoutes
      return (await ask(route, route.answers[200], { params: { agentId } })).conversationCount
    },
    readToolsOfNew: () => ask(ownRoutes.listToolsOfNew, ownRoutes.listToolsOfNew.answers[200], {}),
    priceOfNew: (body) => ask(ownRoutes.priceNew, ownRoutes.priceNew.answers[200], { body }),
    async acceptAgent(agentId) {
      const { acceptAgent: route } = ownRoutes
      await ask(route, route.answers[200], { params: { agentId } })
      agents.load()
    },
    async deleteAgent(agentId) {
      await ask(ownRoutes.deleteAgent, ownRoutes.deleteAgent.answers[200], { params: { agentId } })
      agents.load()
    },
  }
}
