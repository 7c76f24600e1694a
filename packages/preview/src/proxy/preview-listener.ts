import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { GivenDocuments } from '../documents/given-documents.ts'
import { refusalOfOrigin } from './check-request.ts'
import { cookieOf } from './cookies.ts'
import { asksForDocument, OWN_PATH } from './forward-request.ts'
import { refusalOf } from './forward-upgrade.ts'
import type { Passes } from './passes.ts'
import type { PreviewAddresses } from './preview-addresses.ts'
import { wordsPage } from './words-page.ts'

/** What stands at the origin of one preview. */
export interface Site {
  readonly previewId: string
  readonly documents: GivenDocuments
  /** Answers somebody who was let in. */
  request(incoming: IncomingMessage, outgoing: ServerResponse): void
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** What the listener works with. */
export interface PreviewListenerDeps {
  /** Known when the port is. */
  readonly addresses: () => PreviewAddresses
  /** By the name in its address; null for none. */
  readonly siteOf: (name: string) => Site | null
  readonly passes: Passes
  /** Whether somebody who was let in may still see a preview. */
  readonly isStillWelcome: (entry: { readonly previewId: string; readonly visitor: string }) => boolean
  /** The origins of pages that show previews. */
  readonly parentOrigins: () => readonly string[]
  /** The script that documents get: a function of what it is given. */
  readonly script: () => Promise<string>
  readonly onFault: (error: unknown) => void
}

/** The one listener of all previews. */
export interface PreviewListener {
  /** @returns the port. */
  listen(address: { readonly host: string; readonly port: number }): Promise<number>
  close(): Promise<void>
}

/** Sockets and requests of one preview that are open at once: a page may open as many as it likes. */
export const LISTENER_LIMITS = { sockets: 256, requests: 512 } as const

/** Makes a listener for all previews; a request is for the one that its `Host` names, and for nobody else. [PREV1] */
export function createPreviewListener(deps: PreviewListenerDeps): PreviewListener {
  const { addresses, siteOf, passes, isStillWelcome } = deps
  const open = new Map<string, { sockets: number; requests: number }>()
  const sockets = new Set<Duplex>()
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0, maxHeaderSize: 65_536 })

  function countOf({ previewId }: Site): { sockets: number; requests: number } {
    const known = open.get(previewId) ?? { sockets: 0, requests: 0 }
    open.set(previewId, known)
    return known
  }

  function admitted({ headers }: IncomingMessage, site: Site): boolean {
    const cookie = cookieOf(headers.cookie, cookieNameOf(site))
    const entry = cookie === null ? null : passes.read(cookie)
    return entry !== null && entry.previewId === site.previewId && isStillWelcome(entry)
  }

  /** Null where it was answered here. */
  function siteFor(incoming: IncomingMessage): Found | Refused {
    const { headers, method = 'GET' } = incoming
    const name = addresses().nameOf(headers.host ?? '')
    const site = name === null ? null : siteOf(name)
    if (name === null || site === null)
      return { refused: 421, words: `There is no preview at ${(headers.host ?? '').slice(0, 200)}` }
    if (!(incoming.url ?? '').startsWith('/'))
      return { refused: 400, words: 'The first line of a request names a path' }
    const isUpgrade = headers.upgrade !== undefined
    const refusal = refusalOfOrigin({ method, headers, isUpgrade }, addresses().originOf(name))
    return refusal === null ? { site } : { refused: 403, words: refusal }
  }

  function onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const found = siteFor(incoming)
    if ('refused' in found) {
      answerPlainly(outgoing, found.refused, found.words)
      return
    }
    const { site } = found
    const url = new URL(incoming.url ?? '/', 'http://preview')
    if (url.pathname === `${OWN_PATH}enter`) {
      enter(outgoing, site, url.searchParams.get('ticket') ?? '')
      return
    }
    if (!admitted(incoming, site)) {
      askToOpen(incoming, outgoing)
      return
    }
    if (url.pathname.startsWith(OWN_PATH)) {
      giveScript(incoming, outgoing, { site, path: url.pathname })
      return
    }
    const count = countOf(site)
    if (count.requests >= LISTENER_LIMITS.requests) {
      answerPlainly(outgoing, 503, `This preview has ${count.requests} requests open already`)
      return
    }
    count.requests++
    outgoing.once('close', () => count.requests--)
    site.request(incoming, outgoing)
  }

  function enter(outgoing: ServerResponse, site: Site, ticket: string): void {
    const entry = passes.redeem(ticket)
    if (entry === null || entry.previewId !== site.previewId || !isStillWelcome(entry)) {
      const page = wordsPage({
        title: 'This way in is used up',
        words: 'It opens a preview once, within a minute. Open the preview again from Holdfast.',
      })
      outgoing.writeHead(401, { ...page.headers, ...framedBy(deps.parentOrigins(), page.headers) }).end(page.body)
      return
    }
    outgoing
      .writeHead(303, {
        location: entry.path,
        'set-cookie': `${cookieNameOf(site)}=${passes.cookieFor(entry)}; Path=/; Max-Age=86400; HttpOnly; SameSite=None; Secure; Partitioned`,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      })
      .end()
  }

  function askToOpen(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (!asksForDocument(incoming)) {
      answerPlainly(outgoing, 401, 'Open this preview from Holdfast')
      return
    }
    const page = wordsPage({
      title: 'Open this preview from Holdfast',
      words: 'This browser has not been let in, or no longer is.',
    })
    outgoing.writeHead(401, { ...page.headers, ...framedBy(deps.parentOrigins(), page.headers) }).end(page.body)
  }

  function giveScript(
    { headers }: IncomingMessage,
    outgoing: ServerResponse,
    { site, path }: { readonly site: Site; readonly path: string },
  ): void {
    const documentId = /^\/\.holdfast\/script\/([\w-]+)\.js$/.exec(path)?.[1]
    // What reads a text, such as `fetch`, is no script that runs.
    const secret =
      documentId !== undefined && headers['sec-fetch-dest'] === 'script' ? site.documents.secretOf(documentId) : null
    if (secret === null) {
      answerPlainly(outgoing, 404, 'There is nothing here')
      return
    }
    const given = JSON.stringify({ secret, previewId: site.previewId, parentOrigins: deps.parentOrigins() })
    deps.script().then(
      (text) =>
        outgoing
          .writeHead(200, {
            'content-type': 'text/javascript; charset=utf-8',
            'cache-control': 'no-store',
            'x-content-type-options': 'nosniff',
            'cross-origin-resource-policy': 'same-origin',
          })
          .end(`(${text})(${given})`),
      (error: unknown) => {
        deps.onFault(error)
        answerPlainly(outgoing, 500, 'The script cannot be read')
      },
    )
  }

  function onUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy())
    const found = siteFor(incoming)
    if ('refused' in found) {
      socket.end(refusalOf(found.refused, 'Refused'))
      return
    }
    const { site } = found
    if (!admitted(incoming, site)) {
      socket.end(refusalOf(401, 'Unauthorized'))
      return
    }
    const count = countOf(site)
    if (count.sockets >= LISTENER_LIMITS.sockets) {
      socket.end(refusalOf(503, 'Too Many Sockets'))
      return
    }
    count.sockets++
    sockets.add(socket)
    socket.once('close', () => {
      count.sockets--
      sockets.delete(socket)
    })
    site.upgrade(incoming, socket, head)
  }

  server.on('request', onRequest)
  server.on('upgrade', onUpgrade)
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end(refusalOf(400, 'Bad Request'))
    else socket.destroy()
  })

  return {
    listen({ host, port }) {
      return new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port }, () => {
          server.off('error', reject)
          server.on('error', deps.onFault)
          const bound = server.address()
          resolve(typeof bound === 'object' && bound !== null ? bound.port : port)
        })
      })
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

interface Found {
  readonly site: Site
}

interface Refused {
  readonly refused: number
  readonly words: string
}

function cookieNameOf({ previewId }: Site): string {
  return `holdfast-preview-${previewId}`
}

function framedBy(parents: readonly string[], headers: Readonly<Record<string, string>>): Record<string, string> {
  const policy = headers['content-security-policy'] ?? ''
  return { 'content-security-policy': `${policy}; frame-ancestors ${["'self'", ...parents].join(' ')}` }
}

function answerPlainly(outgoing: ServerResponse, status: number, words: string): void {
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  outgoing
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .end(`${words}\n`)
}
