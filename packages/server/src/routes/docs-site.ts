import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Pages with one script and one style of their own, and nothing of anybody. [SEC3] */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Serves the documentation, where it was built, under `/docs/`. `/docs/api` is described from the schemas and is none of its files. [PACK4] */
export async function bindDocsSite(app: FastifyInstance, webRoot: string | null): Promise<void> {
  const root = webRoot === null ? null : join(webRoot, 'docs')
  if (root === null || !existsSync(root)) return
  await app.register(fastifyStatic, {
    root,
    prefix: '/docs/',
    decorateReply: false,
    cacheControl: false,
    setHeaders(reply) {
      reply.header('cache-control', 'no-cache')
      reply.header('content-security-policy', POLICY)
    },
  })
  // Relative, so that it holds under any base path.
  app.get('/docs', async (_request, reply) => reply.redirect('docs/', 308))
}
