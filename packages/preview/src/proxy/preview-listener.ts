import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { refusalOfOrigin } from './check-request.ts'
import { cookieOf } from './cookies.ts'
import { OWN_PATH } from './forward-request.ts'
import { refusalOf } from './forward-upgrade.ts'
import { answerPlainly, cookieNameOf, createOwnAnswers, type OwnAnswersDeps } from './own-answers.ts'
import type { PreviewAddresses } from './preview-addresses.ts'
import type { Site } from './site.ts'

/** What the listener works with. */
export interface PreviewListenerDeps extends OwnAnswersDeps {
  /** Known when the port is. */
  readonly addresses: () => PreviewAddresses
  /** By the name in its address; null for none. */
  readonly siteOf: (name: string) => Site | null
}

/** The one listener of all previews. */
export interface PreviewListener {
  /** @returns the port. */
  listen(address: { readonly host: string; readonly port: number }): Promise<number>
  close(): Promise<void>
}

/** Sockets and requests of one preview that are open at once: a page may open as many as it likes. */
const LISTENER_LIMITS = { sockets: 256, requests: 512 } as const

/** Makes a listener for all previews; a request is for the one that its `Host` names, and for nobody else. [PREV1] */
export function createPreviewListener(deps: PreviewListenerDeps): PreviewListener {
  const { addresses, siteOf, passes, isStillWelcome } = deps
  const open = new Map<string, { sockets: number; requests: number }>()
  const sockets = new Set<Duplex>()
  const own = createOwnAnswers(deps)
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
    const { headers } = incoming
    const method = incoming.method ?? 'GET'
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
      own.enter(outgoing, site, url.searchParams.get('ticket') ?? '')
      return
    }
    if (!admitted(incoming, site)) {
      own.askToOpen(incoming, outgoing)
      return
    }
    if (url.pathname.startsWith(OWN_PATH)) {
      own.giveScript(incoming, outgoing, { site, path: url.pathname })
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
