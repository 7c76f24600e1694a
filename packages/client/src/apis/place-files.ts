import { API_PATH, type BodyOf, ownRoutes } from '@holdfast/protocol'
import { addressOf, notReached, readAs, toFailure } from '../link/http-answer.ts'
import type { HttpApi } from '../link/http-api.ts'
import { headersOf, type ServerAddress } from '../link/web-socket-transport.ts'

/** Whose files: those of a conversation's place. */
export interface FilesOf {
  readonly workspaceId: string
  readonly conversationId: string
}

/** A file, or the beginning of a large one. */
export interface ReadFile {
  readonly bytes: Uint8Array
  readonly sizeBytes: number
  /** What a save names as what it replaces; null for a file that is too large to be saved. */
  readonly hash: string | null
}

/** What is saved, and over what. */
export interface SaveFile {
  readonly path: string
  readonly text: string
  /** Hash of what was read; null for a file that is not there. */
  readonly expected: string | null
}

/** The files of a conversation's place, as a person reads and writes them. Everything throws {RequestFailedError}. */
export interface PlaceFiles {
  list(path: string, from: number): Promise<BodyOf<typeof ownRoutes.readTree, 200>>
  marks(): Promise<BodyOf<typeof ownRoutes.readMarks, 200>>
  /** So many bytes of it, from its beginning. */
  read(path: string, mostBytes: number): Promise<ReadFile>
  /** @returns the hash of what stands there now. */
  save(wish: SaveFile): Promise<string>
  search(words: string, signal: AbortSignal): Promise<BodyOf<typeof ownRoutes.searchWorkspace, 200>>
  /** Waits until one of the places is another than it was known as. */
  watch(seen: readonly SeenFile[], signal: AbortSignal): Promise<BodyOf<typeof ownRoutes.watchFiles, 200>>
  /** Where a file is, for `ticketed`. */
  addressOf(path: string): string
}

/** A file or folder as it is known. */
export interface SeenFile {
  readonly path: string
  readonly stamp: string
}

/** How long a file may take, in milliseconds. */
const FILE_MS = 60_000
/** How long a watch waits, in milliseconds. */
const WAIT_MS = 20_000

/** Makes the way to them. */
export function createPlaceFiles(
  { address, ask }: { readonly address: ServerAddress; readonly ask: HttpApi },
  { workspaceId, conversationId }: FilesOf,
): PlaceFiles {
  const params = { workspaceId }

  async function reach(path: string, init: Pick<RequestInit, 'method' | 'body' | 'headers'>): Promise<Response> {
    const url = addressOf(address.url, ownRoutes.readFile.path, { params, query: { path, conversationId } })
    const headers = { ...headersOf(address), ...init.headers }
    const answer = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(FILE_MS) }).catch(
      (cause: unknown) => {
        if (!(cause instanceof TypeError || cause instanceof DOMException)) throw cause
        throw notReached(cause)
      },
    )
    if (!answer.ok) throw await toFailure(answer)
    return answer
  }

  return {
    list(path, from) {
      const { readTree: route } = ownRoutes
      return ask(route, route.answers[200], { params, query: { path, conversationId, from: String(from) } })
    },
    marks() {
      const { readMarks: route } = ownRoutes
      return ask(route, route.answers[200], { params, query: { conversationId } })
    },
    async read(path, mostBytes) {
      const answer = await reach(path, { method: 'GET', headers: { range: `bytes=0-${mostBytes - 1}` } })
      const bytes = new Uint8Array(await answer.arrayBuffer())
      const [, size] = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '') ?? []
      const [, hash] = /"([0-9a-f]{64})"/.exec(answer.headers.get('etag') ?? '') ?? []
      return { bytes, sizeBytes: size === undefined ? bytes.byteLength : Number(size), hash: hash ?? null }
    },
    async save({ path, text, expected }) {
      const answer = await reach(path, {
        method: 'PUT',
        body: new Blob([text]),
        headers: {
          'content-type': 'application/octet-stream',
          ...(expected === null ? { 'if-none-match': '*' } : { 'if-match': `"${expected}"` }),
        },
      })
      return (await readAs(ownRoutes.saveFile.answers[200], answer)).hash
    },
    search(q, signal) {
      const { searchWorkspace: route } = ownRoutes
      return ask(route, route.answers[200], { params, query: { q, conversationId }, signal })
    },
    watch(seen, signal) {
      const { watchFiles: route } = ownRoutes
      return ask(route, route.answers[200], {
        params,
        body: { conversationId, seen: [...seen], waitMs: WAIT_MS },
        signal: AbortSignal.any([signal, AbortSignal.timeout(2 * WAIT_MS)]),
      })
    },
    addressOf: (path) =>
      `${API_PATH}${ownRoutes.readFile.path.replace(':workspaceId', encodeURIComponent(workspaceId))}?${new URLSearchParams({ path, conversationId })}`,
  }
}
