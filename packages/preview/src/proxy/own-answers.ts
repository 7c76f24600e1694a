import type { IncomingMessage, ServerResponse } from 'node:http'
import { asksForDocument } from './forward-request.ts'
import type { Passes } from './passes.ts'
import type { Site } from './site.ts'
import { wordsPage } from './words-page.ts'

/** What is answered by the listener itself, at any preview. */
export interface OwnAnswers {
  /** Lets in who has a ticket. */
  enter(outgoing: ServerResponse, site: Site, ticket: string): void
  /** For who has not been let in. */
  askToOpen(incoming: IncomingMessage, outgoing: ServerResponse): void
  /** The script of one document, once. */
  giveScript(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    asked: { readonly site: Site; readonly path: string },
  ): void
}

/** What they are made of. */
export interface OwnAnswersDeps {
  readonly passes: Passes
  readonly isStillWelcome: (entry: { readonly previewId: string; readonly visitor: string }) => boolean
  readonly parentOrigins: () => readonly string[]
  readonly script: () => Promise<string>
  readonly onFault: (error: unknown) => void
}

/** Makes the answers that are ours at the origin of a page. [PREV1, PREV3] */
export function createOwnAnswers(deps: OwnAnswersDeps): OwnAnswers {
  const { passes, isStillWelcome } = deps
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

  return { enter, askToOpen, giveScript }
}

/** The cookie of a preview: one host name may serve several. */
export function cookieNameOf({ previewId }: Site): string {
  return `holdfast-preview-${previewId}`
}

function framedBy(parents: readonly string[], headers: Readonly<Record<string, string>>): Record<string, string> {
  const policy = headers['content-security-policy'] ?? ''
  return { 'content-security-policy': `${policy}; frame-ancestors ${["'self'", ...parents].join(' ')}` }
}

/** A line of text. */
export function answerPlainly(outgoing: ServerResponse, status: number, words: string): void {
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  outgoing
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .end(`${words}\n`)
}
