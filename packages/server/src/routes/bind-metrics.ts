import type { Engine } from '@holdfast/engine'
import { API_PATH, routes } from '@holdfast/protocol'
import type { FastifyInstance } from 'fastify'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import type { Diagnostics } from '../parts/diagnostics.ts'
import type { Metrics } from '../parts/metrics.ts'

/** Serves the metrics, also under the address where Prometheus looks first. Whoever reads them is known. [SEC2] */
export function bindMetrics({
  metrics,
  engine,
  ...deps
}: BindDeps & { readonly metrics: Metrics; readonly engine: Pick<Engine, 'openRunCount'> }): void {
  bindRoute(deps, routes.readMetrics, async ({ reply, answer }) => {
    const { contentType, text } = await metrics.text({ openRunCount: engine.openRunCount() })
    reply.type(contentType)
    return answer(200, text)
  })
  deps.app.get('/metrics', async (_request, reply) => reply.redirect(`${API_PATH}${routes.readMetrics.path}`, 308))
}

/** Counts every answer, and says it in the log with the request's id; never an address with its parameters. [SEC4] */
export function watchRequests(app: FastifyInstance, { metrics, log }: { metrics: Metrics; log: Diagnostics }): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, id: requestId } = request
    const route = request.routeOptions.url ?? 'unknown'
    const answered = { method, route, status: reply.statusCode, durationMs: reply.elapsedTime }
    metrics.onRequest(answered)
    log.debug?.('a request was answered', { requestId, ...answered })
  })
}
