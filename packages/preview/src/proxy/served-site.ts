import type { GivenDocuments } from '../documents/given-documents.ts'
import { openConnections } from './connections.ts'
import { asksForDocument, forwardRequest } from './forward-request.ts'
import { forwardUpgrade, refusalOf } from './forward-upgrade.ts'
import { readText } from './read-text.ts'
import type { Site } from './site.ts'
import type { Target } from './target.ts'
import { wordsPage } from './words-page.ts'

/** What the site of a server is made of. */
export interface ServedSiteDeps {
  readonly previewId: string
  readonly origin: () => string
  readonly documents: GivenDocuments
  readonly parentOrigins: () => readonly string[]
  /** Whether an `Authorization` header is a credential of ours, which nobody else may see. */
  readonly isCredential: (authorization: string) => boolean
  /** What a person is told while there is no target. */
  readonly absence: () => { readonly title: string; readonly words: string }
}

/** A site whose pages come from a server. */
export interface ServedSite extends Site {
  /** Where its pages come from, from now on; null for nowhere. */
  aim(target: Target | null): void
  /** The text of a path as the target gives it; null where it gives none. */
  read(path: string, signal: AbortSignal): Promise<string | null>
}

/** Makes a site that leads nowhere. */
export function createServedSite(deps: ServedSiteDeps): ServedSite {
  const { previewId, documents, isCredential } = deps
  let aimed: { readonly target: Target; readonly connections: ReturnType<typeof openConnections> } | null = null
  const change = { documents, parentOrigins: deps.parentOrigins }
  return {
    previewId,
    documents,
    aim(target) {
      if (aimed?.target === target) return
      aimed?.connections.close()
      aimed = target === null ? null : { target, connections: openConnections(target) }
    },
    read: async (path, signal) => (aimed === null ? null : readText(aimed, path, signal)),
    request(incoming, outgoing) {
      const onUnreachable = (): void => {
        const page = wordsPage(deps.absence())
        if (asksForDocument(incoming)) outgoing.writeHead(502, page.headers).end(page.body)
        else
          outgoing
            .writeHead(502, { 'content-type': 'text/plain', 'cache-control': 'no-store' })
            .end('Nothing answers\n')
      }
      if (aimed === null) {
        incoming.resume()
        onUnreachable()
        return
      }
      dropCredentials(incoming, isCredential)
      forwardRequest(incoming, outgoing, { ...aimed, origin: deps.origin(), change, onUnreachable })
    },
    upgrade(incoming, socket, head) {
      if (aimed === null) {
        socket.end(refusalOf(502, 'Bad Gateway'))
        return
      }
      dropCredentials(incoming, isCredential)
      forwardUpgrade(incoming, socket, { ...aimed, origin: deps.origin(), head })
    },
  }
}

/** A program that was told the wrong address sends its key there: the key goes no further. [PREV1] */
function dropCredentials(
  { rawHeaders }: { readonly rawHeaders: string[] },
  isCredential: (authorization: string) => boolean,
): void {
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2)
    if (rawHeaders[at]?.toLowerCase() === 'authorization' && isCredential(rawHeaders[at + 1] ?? ''))
      rawHeaders.splice(at, 2)
}
