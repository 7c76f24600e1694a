import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { Clock } from '@holdfast/conversation'
import { type OpenedToServe, openToServe, type Workspace } from '@holdfast/toolbox'
import type { GivenDocuments } from '../documents/given-documents.ts'
import { insertScript } from '../documents/insert-script.ts'
import { asksForDocument, scriptPathOf } from '../proxy/forward-request.ts'
import { refusalOf } from '../proxy/forward-upgrade.ts'
import type { Site } from '../proxy/site.ts'
import { wordsPage } from '../proxy/words-page.ts'
import { byteRange } from './byte-range.ts'
import { mediaTypeOf } from './media-types.ts'
import { servedPath } from './served-path.ts'
import { watchFolder } from './watch-folder.ts'

/** What the site of a folder is made of. */
export interface FolderSiteDeps {
  readonly previewId: string
  readonly documents: GivenDocuments
  readonly parentOrigins: () => readonly string[]
  readonly workspace: Workspace
  /** From the place; empty for the place itself. */
  readonly folder: string
  readonly clock: Clock
  readonly onFault: (error: unknown) => void
}

/** A site of files. */
export interface FolderSite extends Site {
  /** Ends what waits for changes. */
  close(): void
}

/** Where pages wait for changes; a name of ours, which is no file of a folder. */
const CHANGES = '/.changes'
/** A page loads itself anew when something has changed. It is a file of ours, for pages may forbid code in themselves. */
const RELOADER = '/.reload.js'
const RELOADER_TEXT = `(()=>{const s=new EventSource(${JSON.stringify(CHANGES)});s.onmessage=()=>location.reload()})()`

/** Makes a site of the files in a folder: types, parts, the one page of an application, and what changes at once. [PREV6] */
export function createFolderSite(deps: FolderSiteDeps): FolderSite {
  const { workspace, folder, documents } = deps
  const waiting = new Set<ServerResponse>()
  let stopWatching: (() => void) | null = null

  function watched(): void {
    stopWatching ??= watchFolder([workspace.rootPath, folder].filter((part) => part !== '').join('/'), {
      clock: deps.clock,
      onFault: deps.onFault,
      onChange() {
        for (const answer of waiting) answer.write('data: changed\n\n')
      },
    })
  }

  function waitForChanges(outgoing: ServerResponse): void {
    watched()
    outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    outgoing.write(': here\n\n')
    waiting.add(outgoing)
    outgoing.on('close', () => waiting.delete(outgoing))
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { headers } = incoming
    const method = incoming.method ?? 'GET'
    const url = incoming.url ?? '/'
    if (method !== 'GET' && method !== 'HEAD') {
      outgoing.writeHead(405, { allow: 'GET, HEAD' }).end()
      return
    }
    if (url === CHANGES) {
      waitForChanges(outgoing)
      return
    }
    if (url === RELOADER) {
      outgoing.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' }).end(RELOADER_TEXT)
      return
    }
    const isDocument = asksForDocument(incoming)
    const path = servedPath(url)
    const [address = '/'] = url.split(/[?#]/, 1)
    const found = path === null ? null : await fileFor(deps, path, isDocument)
    if (found === null) {
      const page = wordsPage({ title: 'There is no such file', words: address })
      outgoing.writeHead(404, isDocument ? page.headers : { 'content-type': 'text/plain' })
      outgoing.end(isDocument ? page.body : 'There is no such file\n')
      return
    }
    const { handle, sizeBytes } = found
    if (outgoing.destroyed) {
      // Whoever asked has left.
      await handle.close()
      return
    }
    const isIndexOfFolder = found.path !== '' && found.path === join(path ?? '', 'index.html')
    if (isIndexOfFolder && !address.endsWith('/')) {
      await handle.close()
      outgoing.writeHead(301, { location: `${address}/`, 'cache-control': 'no-store' }).end()
      return
    }
    const type = mediaTypeOf(found.path)
    const common = { 'content-type': type, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' }
    if (isDocument && type.startsWith('text/html') && method === 'GET') {
      const { documentId } = documents.give(address)
      const policy = `frame-ancestors ${["'self'", ...deps.parentOrigins()].join(' ')}`
      outgoing.writeHead(200, { ...common, 'cache-control': 'no-store', 'content-security-policy': policy })
      const tags = `<script src="${scriptPathOf(documentId)}"></script><script src="${RELOADER}"></script>`
      pipeline(handle.createReadStream(), insertScript(tags), outgoing, () => {})
      return
    }
    const range = byteRange(headers.range, sizeBytes)
    if (range === 'unsatisfiable') {
      await handle.close()
      outgoing.writeHead(416, { 'content-range': `bytes */${sizeBytes}` }).end()
      return
    }
    const { first, last } = range ?? { first: 0, last: sizeBytes - 1 }
    outgoing.writeHead(range === null ? 200 : 206, {
      ...common,
      'accept-ranges': 'bytes',
      'content-length': last - first + 1,
      ...(range === null ? {} : { 'content-range': `bytes ${first}-${last}/${sizeBytes}` }),
    })
    if (method === 'HEAD' || sizeBytes === 0) {
      await handle.close()
      outgoing.end()
      return
    }
    const stream = Readable.from(handle.createReadStream({ start: first, end: last }))
    pipeline(stream, outgoing, () => {})
  }

  return {
    previewId: deps.previewId,
    documents,
    request(incoming, outgoing) {
      answer(incoming, outgoing).catch((error: unknown) => {
        deps.onFault(error)
        outgoing.destroy()
      })
    },
    upgrade(_incoming, socket) {
      socket.end(refusalOf(404, 'Not Found'))
    },
    close() {
      stopWatching?.()
      stopWatching = null
      for (const one of waiting) one.end()
    },
  }
}

type Found = Extract<OpenedToServe, { readonly type: 'file' }> & { readonly path: string }

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

/** The file that an address means; null for none. */
async function fileFor(
  { workspace, folder }: Pick<FolderSiteDeps, 'workspace' | 'folder'>,
  path: string,
  isDocument: boolean,
): Promise<Found | null> {
  const placeOf = (path: string): string => [folder, path].filter((part) => part !== '').join('/') || '.'
  const opened = await openToServe(workspace, placeOf(path))
  if (opened?.type === 'file') return { ...opened, path }
  const tries = opened?.type === 'folder' ? [join(path, 'index.html')] : [`${path}.html`]
  // An application of one page finds its own way from any address.
  if (isDocument && !/\.\w+$/.test(path)) tries.push('index.html')
  for (const candidate of tries) {
    const file = await openToServe(workspace, placeOf(candidate))
    if (file?.type === 'file') return { ...file, path: candidate }
  }
  return null
}
