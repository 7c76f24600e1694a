import type { ServerOptions } from 'node:http'
import type { Clock } from '@holdfast/conversation'
import { API_PATH, routes } from '@holdfast/protocol'
import type { FastifyInstance } from 'fastify'

/** How long a request may take to arrive, in milliseconds. */
export const ARRIVAL_MS = 60_000

/** How long an import may: a large file, perhaps over a slow line. In milliseconds. */
export const LONGEST_ARRIVAL_MS = 3_600_000

/** What the head of a request may be, before anything of it is looked at. */
export interface HeadLimits {
  /** In bytes. */
  readonly maxBytes: number
  /** How long it may be on its way, in milliseconds. */
  readonly arrivalMs: number
}

/** The limits of heads, unless tests set others. */
export const HEAD_LIMITS: HeadLimits = { maxBytes: 16_384, arrivalMs: 20_000 }

/**
 * The options of the HTTP server that hold them. What a strict parser does not take is refused and its line closed, so
 * that a proxy and the server never see two requests where there is one. [SEC5]
 */
export function parserOptions({ maxBytes, arrivalMs }: HeadLimits): ServerOptions {
  return {
    insecureHTTPParser: false,
    maxHeaderSize: maxBytes,
    headersTimeout: arrivalMs,
    connectionsCheckingInterval: Math.ceil(arrivalMs / 10),
  }
}

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
