import { EXTERNAL_AGENT_LIMITS, routes } from '@holdfast/protocol'
import type { ExternalAgentDirectory } from '../agents/external-agent-directory.ts'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import type { Diagnostics } from '../parts/diagnostics.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What the routes about external agents need. */
export interface ExternalAgentRoutesDeps extends BindDeps {
  /** Null where none are kept. */
  readonly externalAgents: ExternalAgentDirectory | null
  /** Is told who added, changed, removed and started which program. [AGENT46] */
  readonly log: Pick<Diagnostics, 'info'>
}

/** Serves the external agents to admins. */
export function bindExternalAgents({ externalAgents, log, ...deps }: ExternalAgentRoutesDeps): void {
  function directory(): ExternalAgentDirectory {
    if (externalAgents) return externalAgents
    throw new RefusedError(404, 'unknown-agent', 'This server keeps no external agents')
  }

  bindRoute(deps, routes.listExternalAgents, async ({ answer }) =>
    answer(200, { agents: [...(externalAgents?.list() ?? [])] }),
  )

  bindRoute(deps, routes.addExternalAgent, async ({ userId, body, answer }) => {
    const row = await directory().add(body)
    log.info('an external agent was added', { agentId: row.id, program: row.command, userId })
    return answer(201, row)
  })

  bindRoute(deps, routes.changeExternalAgent, async ({ userId, params, body, answer }) => {
    const row = await directory().change(params.id, body)
    log.info('an external agent was changed', { agentId: row.id, program: row.command, userId })
    return answer(200, row)
  })

  bindRoute(deps, routes.removeExternalAgent, async ({ userId, params, answer }) => {
    await directory().remove(params.id)
    log.info('an external agent was removed', { agentId: params.id, userId })
    return answer(200, { id: params.id })
  })

  bindRoute(deps, routes.testExternalAgent, async ({ userId, params, answer }) => {
    log.info('an external agent is tested', { agentId: params.id, userId })
    return answer(200, await directory().test(params.id, AbortSignal.timeout(EXTERNAL_AGENT_LIMITS.testMs)))
  })

  bindRoute(deps, routes.listExternalAgentChoices, async ({ params, query, answer }) => {
    const signal = AbortSignal.timeout(EXTERNAL_AGENT_LIMITS.testMs)
    return answer(200, await directory().choices(params.id, { paidBy: query.paidBy ?? null, signal }))
  })
}
