import type { Route } from '@holdfast/protocol'
import type * as z from 'zod'
import { addressOf, notReached, readAs, toFailure } from './http-answer.ts'
import { headersOf, type ServerAddress } from './web-socket-transport.ts'

/** How long one answer may take, in milliseconds. */
const ANSWER_MS = 60_000

/** What goes with a request. */
export interface Question {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Sent as it is in the place of a body, with whatever time it takes. */
  readonly file?: Blob
  readonly signal?: AbortSignal
}

/** Asks a route, and reads its answer by the given schema. @throws {RequestFailedError} */
export type HttpApi = <Answer extends z.ZodType>(
  route: Pick<Route, 'method' | 'path'>,
  answer: Answer,
  question: Question,
) => Promise<z.infer<Answer>>

/** The server's ownRoutes over HTTP. */
export function createHttpApi(address: ServerAddress): HttpApi {
  return async (route, answer, question) => {
    const response = await fetchAnswer(address, route, question)
    if (!response.ok) throw await toFailure(response)
    return readAs(answer, response)
  }
}

async function fetchAnswer(
  address: ServerAddress,
  { method, path }: Pick<Route, 'method' | 'path'>,
  { body, file, signal, ...place }: Question,
): Promise<Response> {
  const sent = file ? { type: 'application/octet-stream', body: file } : toJson(body)
  try {
    return await fetch(addressOf(address.url, path, place), {
      method,
      headers: { ...headersOf(address), ...(sent === null ? {} : { 'content-type': sent.type }) },
      signal: signal ?? AbortSignal.timeout(ANSWER_MS),
      ...(sent === null ? {} : { body: sent.body }),
    })
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof DOMException)) throw cause
    throw notReached(cause)
  }
}

function toJson(body: unknown): { readonly type: string; readonly body: string } | null {
  return body === undefined ? null : { type: 'application/json', body: JSON.stringify(body) }
}
