import type { Entry } from '@holdfast/conversation'
import { API_PATH, ownRoutes } from '@holdfast/protocol'
import { readAs } from './http-answer.ts'
import { PageNotReadError } from './page-not-read-error.ts'
import { RequestFailedError } from './request-failed-error.ts'
import { headersOf, type ServerAddress } from './web-socket-transport.ts'

/** Entries of one page. */
const PAGE_ENTRIES = 500

/** Reads the page of a log that ends before an entry, oldest first. @throws {PageNotReadError} */
export type PageReader = (conversationId: string, before: number) => Promise<readonly Entry[]>

/** Pages over HTTP. */
export function createPageReader(server: ServerAddress): PageReader {
  return async (conversationId, before) => {
    const path = ownRoutes.readEntries.path.replace(':id', encodeURIComponent(conversationId))
    const address = `${server.url}${API_PATH}${path}?before=${before}&limit=${PAGE_ENTRIES}`
    const answer = await fetchPage(address, headersOf(server))
    if (!answer.ok) throw new PageNotReadError(`${address} was answered with status ${answer.status}`)
    try {
      return (await readAs(ownRoutes.readEntries.answers[200], answer)).entries
    } catch (cause) {
      if (!(cause instanceof RequestFailedError)) throw cause
      throw new PageNotReadError(`${address}: ${cause.message}`, { cause })
    }
  }
}

async function fetchPage(address: string, headers: Record<string, string>): Promise<Response> {
  try {
    return await fetch(address, { headers })
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw new PageNotReadError(`${address} was not reached`, { cause })
  }
}
