import type { Clock } from '@holdfast/conversation'
import { API_PATH, routes } from '@holdfast/protocol'
import type { FastifyInstance } from 'fastify'

/** How long a request may take to arrive, in milliseconds. */
export const ARRIVAL_MS = 60_000

/** How long an import may: a large file, perhaps over a slow line. In milliseconds. */
export const LONGEST_ARRIVAL_MS = 3_600_000

/** Closes the line of a request that is too long on its way, so that slow senders hold nothing. [SEC5] */
export function limitArrival(app: FastifyInstance, clock: Clock): void {
  app.addHook('onRequest', async ({ method, routeOptions, raw }, reply) => {
    const hasNoBody = method === 'GET' || method === 'HEAD'
    if (hasNoBody || routeOptions.url === API_PATH + routes.startImport.path) return
    const cancel = clock.after(ARRIVAL_MS, () => {
      if (!raw.complete) raw.destroy()
    })
    reply.raw.on('close', cancel)
  })
}
