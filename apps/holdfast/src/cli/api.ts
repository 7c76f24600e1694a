import { API_PATH, type BodyOf, Problem, type Route, ServerFrame, type StatusOf, WireEntry } from '@holdfast/protocol'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type * as z from 'zod'
import { CliError } from '../cli-error.ts'

/** A running server, as a command of the terminal talks to it. */
export interface Api {
  readonly url: string
  /**
   * Calls a route.
   *
   * @throws {CliError} when the server refuses, or does not answer.
   */
  call<Known extends Route>(route: Known, asked: Asked<Known>): Promise<BodyOf<Known, StatusOf<Known>>>
  /** Sends a file as the body, in pieces; ends when the signal fires. @throws {CliError} like `call`. */
  upload<Known extends Route>(
    route: Known,
    asked: Asked<Known> & { readonly content: AsyncIterable<Uint8Array>; readonly signal: AbortSignal },
  ): Promise<BodyOf<Known, StatusOf<Known>>>
  /** Reads a file in pieces. @throws {CliError} like `call`. */
  download(
    route: Route,
    asked: Asked<Route> & { readonly signal: AbortSignal },
  ): Promise<{ readonly name: string; readonly content: AsyncIterable<Uint8Array> }>
  /**
   * Follows a conversation: what came after `after`, then what follows, until the signal fires or the server closes the
   * line. Of an open step only what is durable comes, so that what was printed is never taken back. [RUN3]
   *
   * @throws {CliError} `E_NO_SERVER` when the line breaks.
   */
  follow(
    conversationId: string,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncIterable<ApiEvent>
}

/** What one calls a route with. */
export interface Asked<Known extends Route> {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: z.input<Known['body']>
}

/** One event of a conversation that is followed. */
export type ApiEvent =
  | { readonly type: 'entry'; readonly entry: z.infer<typeof WireEntry> }
  | Extract<ServerFrame, { type: 'draft' | 'delta' | 'caught-up' | 'progress' | 'refused' }>

/** How long a route may take, in milliseconds. */
const ANSWER_MS = 30_000

/** Makes the way to a server. */
export function createApi({ url, token }: { readonly url: string; readonly token: string }): Api {
  const authorization = `Bearer ${token}`

  function request(address: string, init: RequestInit): Promise<Response> {
    return reached(url, init.signal ?? null, () => fetch(address, init))
  }

  /** Calls a route and reads its answer whole, within its time. */
  async function ask<Known extends Route>(route: Known, address: string, init: RequestInit) {
    const signal = AbortSignal.timeout(ANSWER_MS)
    return reached(url, null, async () => readAnswer(route, await fetch(address, { ...init, signal })))
  }

  return {
    url,
    async call(route, { params, query, body }) {
      return ask(route, addressOf(url, route.path, { params: params ?? {}, query: query ?? {} }), {
        method: route.method,
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    },
    async upload(route, { params, query, content, signal }) {
      const answer = await request(addressOf(url, route.path, { params: params ?? {}, query: query ?? {} }), {
        ...{ method: route.method, signal, duplex: 'half', body: ReadableStream.from(content) },
        headers: { authorization, 'content-type': 'application/octet-stream' },
      })
      return readAnswer(route, answer)
    },
    async download(route, { params, query, signal }) {
      const address = addressOf(url, route.path, { params: params ?? {}, query: query ?? {} })
      const answer = await request(address, { headers: { authorization }, signal })
      if (!answer.ok || !answer.body) throw refusal(answer.status, await answer.json())
      const named = /filename\*=UTF-8''(.+)$/.exec(answer.headers.get('content-disposition') ?? '')?.[1]
      return { name: decodeURIComponent(named ?? 'file'), content: answer.body }
    },
    async *follow(conversationId, { after, signal }) {
      const query = { after: String(after), live: 'sse', drafts: 'kept' }
      const address = addressOf(url, '/conversations/:id/entries', { params: { id: conversationId }, query })
      const answer = await request(address, { headers: { authorization }, signal })
      if (!answer.ok || !answer.body) throw refusal(answer.status, await answer.json())
      const events = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
      try {
        for await (const { event, data } of events) {
          const read = readEvent(event ?? '', JSON.parse(data))
          if (read) yield read
        }
      } catch (error) {
        if (signal.aborted) return
        throw isBrokenLine(error) ? notReached(url, error) : error
      }
    },
  }
}

/** Runs it, and says in words that the server does not answer. @throws {CliError} `E_NO_SERVER`. */
async function reached<Value>(url: string, signal: AbortSignal | null, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (signal?.aborted && error === signal.reason) throw error
    throw isBrokenLine(error) ? notReached(url, error) : error
  }
}

/** `fetch` and the bodies of its answers throw a TypeError where there is no line, and a time-out where nothing comes. */
function isBrokenLine(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')
}

function notReached(url: string, cause: unknown): CliError {
  return new CliError('E_NO_SERVER', 69, `The server at ${url} does not answer. Start it with: holdfast start`, {
    cause,
  })
}

async function readAnswer<Known extends Route>(
  route: Known,
  answer: Response,
): Promise<BodyOf<Known, StatusOf<Known>>> {
  const read: unknown = await answer.json()
  const known = route.answers[answer.status]
  if (!known) throw refusal(answer.status, read)
  return known.parse(read) as BodyOf<Known, StatusOf<Known>>
}

function addressOf(
  url: string,
  path: string,
  { params, query }: Required<Pick<Asked<Route>, 'params' | 'query'>>,
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return `${url}${API_PATH}${filled}${search === '' ? '' : `?${search}`}`
}

/** Null for what this command does not read. */
function readEvent(event: string, data: unknown): ApiEvent | null {
  if (event === 'entry') return { type: 'entry', entry: WireEntry.parse(data) }
  const frame = ServerFrame.safeParse({ ...(typeof data === 'object' ? data : {}), type: event })
  switch (frame.data?.type) {
    case 'draft':
    case 'delta':
    case 'caught-up':
    case 'progress':
    case 'refused':
      return frame.data
    case undefined:
    case 'welcome':
    case 'overview':
    case 'erased':
    case 'entries':
    case 'accepted':
    case 'conversations':
    case 'pong':
    case 'goodbye':
      return null
  }
}

function refusal(status: number, body: unknown): CliError {
  const problem = Problem.safeParse(body)
  const words = problem.success ? problem.data.detail : `The server answered with status ${status}`
  const code = problem.success ? problem.data.code.toUpperCase().replaceAll('-', '_') : 'UNKNOWN'
  return new CliError(`E_${code}`, exitCodeOf(status), words)
}

function exitCodeOf(status: number): number {
  switch (status) {
    case 401:
    case 403:
      return 4
    case 404:
      return 3
    case 422:
    case 400:
      return 2
    case 503:
      return 69
    default:
      return 1
  }
}
