import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Pages with one script and one style of their own, and nothing of anybody. [SEC3] */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Where there is no page. It stands as deep as what was asked for: `up` leads to the first one. */
function missingPage(up: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>No such page · Holdfast</title><link rel="icon" type="image/png" href="${up}../icon-192.png"><link rel="stylesheet" href="${up}site.css"></head>
<body><header><a class="brand" href="${up}index.html">holdfast <span>documentation</span></a></header>
<div class="frame"><nav aria-label="Pages"></nav><main><article><h1>There is no such page</h1><p><a href="${up}index.html">To the beginning of the documentation</a></p></article></main></div></body></html>`
}

/** Serves the documentation, where it was built, under `/docs/`. `/docs/api` is described from the schemas and is none of its files. [PACK4] */
export async function bindDocsSite(app: FastifyInstance, webRoot: string | null): Promise<void> {
  const root = webRoot === null ? null : join(webRoot, 'docs')
  if (root === null || !existsSync(root)) return
  await app.register(
    async (site) => {
      site.setNotFoundHandler(async ({ url }, reply) => {
        const path = (url.split('?')[0] ?? '').split('/docs/').at(-1) ?? ''
        const up = '../'.repeat(path.split('/').length - 1)
        // As links of the repository and people by heart have it: without an ending, or with that of the source.
        const name = /^([\w-]+(?:\/[\w-]+)*)(?:\.md|\/)?$/.exec(path)?.[1]
        if (name !== undefined && existsSync(join(root, `${name}.html`)))
          return reply.redirect(`${up}${name}.html`, 308)
        reply.code(404).type('text/html; charset=utf-8').header('content-security-policy', POLICY)
        return missingPage(up)
      })
      await site.register(fastifyStatic, {
        root,
        decorateReply: false,
        cacheControl: false,
        setHeaders(reply) {
          reply.header('cache-control', 'no-cache')
          reply.header('content-security-policy', POLICY)
        },
      })
    },
    { prefix: '/docs/' },
  )
  // Relative, so that it holds under any base path.
  app.get('/docs', async (_request, reply) => reply.redirect('docs/', 308))
}
