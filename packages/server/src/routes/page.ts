import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { PAGE_KEY_FRAGMENT } from '@holdfast/protocol'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod'
import type { Gate } from '../door/gate.ts'
import type { Network } from '../door/network.ts'
import { RefusedError } from '../parts/to-problem.ts'
import { bindGeneratedPage } from './generated-page.ts'

/** What serving the page needs. */
export interface PageDeps {
  readonly app: FastifyInstance
  readonly gate: Gate
  readonly network: Network
  /** Folder of the built page; null when there is none. */
  readonly webRoot: string | null
}

const Arrival = z.object({ token: z.string().max(500).exactOptional(), code: z.string().max(500).exactOptional() })

/** Where one may come in by a link; the page finds by the address what it shows. `/setup` has a token of its own, which the page takes. */
const ARRIVALS = ['/', '/auth/token', '/c/:id', '/settings', '/settings/:section'] as const

/** The address behind the link, without what lets in. */
function leadsTo(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://here.invalid')
  searchParams.delete('token')
  searchParams.delete('code')
  const path = pathname.endsWith('/auth/token') ? '/' : pathname
  return searchParams.size === 0 ? path : `${path}?${searchParams}`
}

/** How long the cookie lasts, in seconds. */
const COOKIE_MAX_AGE = 60 * 60 * 24 * 365

/**
 * Serves the built page, and exchanges the start-up token of the link for a cookie and a page key. The key
 * stands behind the `#` of an address, which the browser sends to nobody. The page itself holds nothing of anybody, so it
 * is served to whoever asks.
 */
export async function bindPage({ app, gate, network, webRoot }: PageDeps): Promise<void> {
  const sendPage = webRoot === null ? refusePage : await servePage(app, { webRoot, basePath: network.basePath })

  for (const url of ARRIVALS) {
    app.get(url, async (request, reply) => {
      const { token, code } = Arrival.parse(request.query)
      if (token === undefined && code === undefined) return sendPage(reply)
      const entered = gate.exchange({ token: token ?? null, code: code ?? null }, request.cookies)
      if (!entered) return sendPage(reply.code(401))
      const { name, value, pageKey } = entered
      reply.setCookie(name, value, {
        httpOnly: true,
        sameSite: 'strict',
        secure: network.publicUrl?.protocol === 'https:',
        path: network.basePath || '/',
        maxAge: COOKIE_MAX_AGE,
      })
      return reply
        .header('cache-control', 'no-store')
        .redirect(`${network.basePath}${leadsTo(request.url)}#${PAGE_KEY_FRAGMENT}${pageKey}`, 303)
    })
  }

  app.get('/setup', async (_request, reply) => sendPage(reply))
  if (webRoot !== null) bindShellFiles(app, webRoot)
  bindGeneratedPage(app)
}

/** What the browser asks for beside the page, by names that stay: it is asked for anew each time. */
const SHELL_FILES = [
  'first-paint.js',
  'service-worker.js',
  'manifest.webmanifest',
  'icon-192.png',
  'icon-512.png',
  'icon-maskable-512.png',
] as const

function bindShellFiles(app: FastifyInstance, webRoot: string): void {
  for (const name of SHELL_FILES) {
    app.get(`/${name}`, async (_request, reply) =>
      reply.header('cache-control', 'no-cache').sendFile(name, webRoot, { cacheControl: false }),
    )
  }
}

async function servePage(
  app: FastifyInstance,
  { webRoot, basePath }: { readonly webRoot: string; readonly basePath: string },
): Promise<(reply: FastifyReply) => Promise<FastifyReply>> {
  await app.register(fastifyStatic, {
    root: join(webRoot, 'assets'),
    prefix: '/assets/',
    index: false,
    immutable: true,
    maxAge: '365d',
  })
  return async (reply) => {
    const page = await readFile(join(webRoot, 'index.html'), 'utf8')
    return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(withBase(page, basePath))
  }
}

/** The page with the base path in the addresses of its own files, and where its scripts find it. The path is checked. */
function withBase(page: string, basePath: string): string {
  const placed = page.replaceAll(
    /(src|href)="\.?\/(?=assets\/|first-paint\.js|manifest\.webmanifest|icon-192\.png)/g,
    `$1="${basePath}/`,
  )
  return basePath === '' ? placed : placed.replace('<head>', `<head><meta name="holdfast-base" content="${basePath}">`)
}

function refusePage(): never {
  throw new RefusedError(404, 'not-found', 'The page is not built; only the API is served')
}
