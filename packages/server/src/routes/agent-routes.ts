import type { ConversationIndex, ListQuery } from '@holdfast/conversation'
import { routes } from '@holdfast/protocol'
import type { AgentDirectory } from '../agents/agent-directory.ts'
import { type BindDeps, bindRoute, TAKEN_OVER } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What the routes about agents need. */
export interface AgentRoutesDeps extends BindDeps {
  /** Null where no agents are kept. */
  readonly agents: AgentDirectory | null
  readonly store: Pick<ConversationIndex, 'listConversations'>
}

/** Serves the agents: each person's own, those that are shared with them, and those of the operator. */
export function bindAgents({ agents, store, ...deps }: AgentRoutesDeps): void {
  function directory(): AgentDirectory {
    if (agents) return agents
    throw new RefusedError(404, 'unknown-agent', 'This server keeps no agents')
  }

  bindRoute(deps, routes.listAgents, async ({ principal, answer }) =>
    answer(200, { agents: [...((await agents?.rows(principal)) ?? [])] }),
  )

  bindRoute(deps, routes.createAgent, async ({ principal, body, answer }) =>
    answer(201, await directory().create(principal, body)),
  )

  bindRoute(deps, routes.readAgent, async ({ principal, params, answer }) =>
    answer(200, await directory().read(principal, params.agentId)),
  )

  bindRoute(deps, routes.readAgentUse, async ({ principal, params: { agentId }, userId: ownerId, answer }) => {
    await directory().read(principal, agentId)
    const counts = [false, true].map((archived) => countUse(store, { ownerId, archived }, agentId))
    const conversationCount = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
    return answer(200, { agentId, conversationCount })
  })

  bindRoute(deps, routes.readAgentPicture, async ({ principal, params: { agentId }, reply }) => {
    const picture = await directory().readPicture(principal, agentId)
    if (picture === null)
      throw new RefusedError(404, 'not-found', `Agent ${agentId} has no picture; its avatar and name stand for it`)
    await reply
      .code(200)
      .headers({
        'cache-control': `private, max-age=${PICTURE_KEPT_S}`,
        'content-type': 'image/png',
        'content-disposition': 'inline; filename="agent.png"',
      })
      .send(picture)
    return TAKEN_OVER
  })

  bindRoute(deps, routes.changeAgent, async ({ principal, params, body, answer }) =>
    answer(200, await directory().change(principal, params.agentId, body)),
  )

  bindRoute(deps, routes.acceptAgent, async ({ principal, params, answer }) =>
    answer(200, await directory().accept(principal, params.agentId)),
  )

  bindRoute(deps, routes.deleteAgent, async ({ principal, params, answer }) => {
    await directory().remove(principal, params.agentId)
    return answer(200, { agentId: params.agentId })
  })
}

/** How long a browser keeps a picture that it has, in seconds. Another picture has another address. */
const PICTURE_KEPT_S = 86_400

const PAGE = 500

/** In how many conversations of one list an agent answers. */
async function countUse(
  store: AgentRoutesDeps['store'],
  list: Pick<ListQuery, 'ownerId' | 'archived'>,
  agentId: string,
): Promise<number> {
  let count = 0
  for (let before: ListQuery['before']; ; ) {
    const rows = await store.listConversations({ ...list, limit: PAGE, ...(before === undefined ? {} : { before }) })
    count += rows.filter((row) => row.agentId === agentId).length
    const last = rows.at(-1)
    if (rows.length < PAGE || last === undefined) return count
    before = { updatedAt: last.updatedAt, conversationId: last.conversationId }
  }
}
