import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod'
import type { Gate } from './gate.ts'

/** What serving the page needs. */
export interface PageDeps {
  readonly app: FastifyInstance
  readonly gate: Gate
  /** Folder of the built page. */
  readonly webRoot: string
}

const Arrival = z.object({ token: z.string().max(500).exactOptional() })

/** How long the cookie lasts, in seconds. */
const COOKIE_MAX_AGE = 60 * 60 * 24 * 365

/**
 * Serves the built page, and exchanges the start-up token of the link for a cookie. The page itself holds
 * nothing of anybody, so it is served to whoever asks.
 */
export async function bindPage({ app, gate, webRoot }: PageDeps): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(webRoot, 'assets'),
    prefix: '/assets/',
    index: false,
    immutable: true,
    maxAge: '365d',
  })

  function sendPage(reply: FastifyReply): FastifyReply {
    return reply.header('cache-control', 'no-store').sendFile('index.html', webRoot, { cacheControl: false })
  }

  for (const url of ['/', '/auth/token']) {
    app.get(url, async (request, reply) => {
      const { token } = Arrival.parse(request.query)
      if (token === undefined) return sendPage(reply)
      const cookie = gate.exchange(token)
      if (!cookie) return sendPage(reply.code(401))
      const { name, value } = cookie
      reply.setCookie(name, value, { httpOnly: true, sameSite: 'strict', path: '/', maxAge: COOKIE_MAX_AGE })
      return reply.header('cache-control', 'no-store').redirect('/', 303)
    })
  }

  app.get('/c/:id', async (_request, reply) => sendPage(reply))
}
