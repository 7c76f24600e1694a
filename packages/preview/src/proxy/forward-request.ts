import { type IncomingMessage, request as requestOf, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { allowScript, withoutFrameAncestors } from '../documents/allow-script.ts'
import { decoderOf } from '../documents/decode-body.ts'
import type { GivenDocuments } from '../documents/given-documents.ts'
import { insertScript } from '../documents/insert-script.ts'
import type { Connections } from './connections.ts'
import { type Ends, headersToBrowser, headersToTarget, valuesOf, withoutHeader } from './rewrite-headers.ts'

/** What a preview adds to documents. */
export interface DocumentChange {
  readonly documents: Pick<GivenDocuments, 'give'>
  /** Who may show the preview in a frame: origins, for `frame-ancestors`. */
  readonly parentOrigins: () => readonly string[]
}

/** A request on its way. */
export interface Forwarded extends Ends {
  readonly connections: Connections
  readonly change: DocumentChange
  /** Called instead of an answer when there is nobody to ask, and nothing was answered yet. */
  readonly onUnreachable: (error: Error) => void
}

/** Where our own files are on every preview's origin; nothing of it reaches a page's server. */
export const OWN_PATH = '/.holdfast/'

/** The address of the script of one document. */
export function scriptPathOf(documentId: string): string {
  return `${OWN_PATH}script/${documentId}.js`
}

/** Whether a browser asks for a page to show, and not for something in one. */
export function asksForDocument({ headers, method }: Pick<IncomingMessage, 'headers' | 'method'>): boolean {
  const { 'sec-fetch-dest': destination } = headers
  return (
    (method === 'GET' || method === 'POST') &&
    (destination === 'document' || destination === 'iframe' || destination === 'frame')
  )
}

/** Passes a request on, and its answer back as it comes. */
export function forwardRequest(incoming: IncomingMessage, outgoing: ServerResponse, forwarded: Forwarded): void {
  const { connections, onUnreachable } = forwarded
  const isDocument = asksForDocument(incoming)
  const passed = requestOf({
    agent: connections.agent,
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: headersToTarget(incoming.rawHeaders, forwarded, { isDocument, isUpgrade: false }),
    setHost: false,
  })
  passed.on('error', (error) => {
    if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy()
    else onUnreachable(error)
  })
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) passed.destroy()
  })
  passed.on('response', (answer) =>
    answerWith(answer, outgoing, { ...forwarded, isDocument, path: incoming.url ?? '/' }),
  )
  pipeline(incoming, passed, () => {})
}

interface Answering extends Forwarded {
  readonly isDocument: boolean
  readonly path: string
}

function answerWith(answer: IncomingMessage, outgoing: ServerResponse, asked: Answering): void {
  const { isDocument, change } = asked
  const type = answer.headers['content-type'] ?? ''
  const decoder = decoderOf(answer.headers['content-encoding'] ?? '')
  const isChanged = isDocument && isHtml(type) && hasBody(answer) && decoder !== null
  let headers = headersToBrowser(answer.rawHeaders, asked, { isChanged })
  if (isDocument) headers = framed(headers, change.parentOrigins())
  if (!isChanged || decoder === null) {
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers)
    outgoing.flushHeaders()
    pipeline(answer, outgoing, () => {})
    return
  }
  const { documentId, nonce } = change.documents.give(asked.path)
  const src = scriptPathOf(documentId)
  const allowed = widened(headers, { url: asked.origin + src, nonce })
  const tag = `<script src="${src}"${allowed.needsNonce ? ` nonce="${nonce}"` : ''}></script>`
  outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, allowed.headers)
  outgoing.flushHeaders()
  const insert = insertScript(tag)
  if (decoder === 'as it is') pipeline(answer, insert, outgoing, () => {})
  else pipeline(answer, decoder, insert, outgoing, () => {})
}

const POLICIES = ['content-security-policy', 'content-security-policy-report-only'] as const

/** With our script among what the page's policies allow. */
function widened(
  headers: string[],
  script: { readonly url: string; readonly nonce: string },
): { readonly headers: string[]; readonly needsNonce: boolean } {
  let needsNonce = false
  const changed = headers.map((text, index) => {
    const name = index % 2 === 1 ? (headers[index - 1] ?? '').toLowerCase() : ''
    if (!POLICIES.some((policy) => policy === name)) return text
    const allowed = allowScript(text, script)
    if (allowed.needsNonce) needsNonce = true
    return allowed.policy
  })
  return { headers: changed, needsNonce }
}

/** Shown by pages of the server in a frame, and by nobody else. */
function framed(headers: string[], parents: readonly string[]): string[] {
  const [enforced] = POLICIES
  const own = `frame-ancestors 'self' ${parents.join(' ')}`.trim()
  const others = valuesOf(headers, enforced)
    .map(withoutFrameAncestors)
    .filter((policy) => policy !== '')
  return [
    ...withoutHeader(headers, enforced),
    ...others.flatMap((policy) => ['content-security-policy', policy]),
    ...['content-security-policy', own],
  ]
}

function isHtml(type: string): boolean {
  const [media = '', ...parameters] = type.toLowerCase().split(';')
  // Two bytes for each letter have no ASCII in them.
  return media.trim() === 'text/html' && !parameters.some((one) => /charset\s*=\s*"?utf-(?:16|32)/.test(one))
}

function hasBody({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode !== 204 && statusCode !== 205 && statusCode !== 304
}
