import { type BodyOf, ownRoutes, type Route, ServerFrame, type StatusOf, WireEntry } from '@holdfast/protocol'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type * as z from 'zod'
import { addressOf, isBrokenLine, notReached, readAs, toFailure, understood } from './http-answer.ts'
import { headersOf, type ServerAddress } from './web-socket-transport.ts'

/** The ownRoutes of a server, for programs that ask one after the other and keep nothing. */
export interface RouteApi {
  readonly url: string
  /**
   * Calls a route.
   *
   * @throws {RequestFailedError} when the server refuses, or does not answer within `answerMs`, 30 s where it is left out.
   */
  call<Known extends Route>(route: Known, asked: Asked<Known>): Promise<BodyOf<Known, StatusOf<Known>>>
  /** Sends a file as the body, in pieces; ends with the signal's reason. @throws {RequestFailedError} like `call`. */
  upload<Known extends Route>(
    route: Known,
    asked: Asked<Known> & { readonly content: ReadableStream<Uint8Array>; readonly signal: AbortSignal },
  ): Promise<BodyOf<Known, StatusOf<Known>>>
  /** Reads a file in pieces; ends with the signal's reason. @throws {RequestFailedError} like `call`. */
  download(
    route: Route,
    asked: Asked<Route> & { readonly signal: AbortSignal },
  ): Promise<{ readonly name: string; readonly content: ReadableStream<Uint8Array> }>
  /**
   * Follows a conversation: what came after `after`, then what follows, until the signal fires or the server closes the
   * line. Of an open step only what is durable comes, so that what was shown is never taken back. [RUN3]
   *
   * @throws {RequestFailedError} when the line breaks.
   */
  follow(
    conversationId: string,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncIterable<FollowedEvent>
}

/** What one calls a route with. */
export interface Asked<Known extends Route> {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: z.input<Known['body']>
  /** How long the server may take for what is known to last, in milliseconds. */
  readonly answerMs?: number
}

/** One event of a conversation that is followed. */
export type FollowedEvent =
  | { readonly type: 'entry'; readonly entry: z.infer<typeof WireEntry> }
  | Extract<ServerFrame, { type: 'draft' | 'delta' | 'caught-up' | 'progress' | 'write-failed' | 'refused' }>

/** How long a route usually may take, in milliseconds. */
const ANSWER_MS = 30_000

/** Makes the way to the ownRoutes of a server. */
export function createRouteApi(server: ServerAddress): RouteApi {
  const { url } = server
  const headers = headersOf(server)

  function request(route: Route, asked: Asked<Route>, init: RequestInit): Promise<Response> {
    const { path, method } = route
    return reached(init.signal ?? null, () => fetch(addressOf(url, path, asked), { method, ...init }))
  }

  return {
    url,
    call(route, asked) {
      const isJson = asked.body !== undefined
      const init: RequestInit = {
        signal: AbortSignal.timeout(asked.answerMs ?? ANSWER_MS),
        headers: isJson ? { ...headers, 'content-type': 'application/json' } : headers,
        ...(isJson ? { body: JSON.stringify(asked.body) } : {}),
      }
      const { path, method } = route
      return reached(null, async () => readAnswer(route, await fetch(addressOf(url, path, asked), { method, ...init })))
    },
    async upload(route, asked) {
      const streamed = {
        signal: asked.signal,
        duplex: 'half' as const,
        body: asked.content,
        headers: { ...headers, 'content-type': 'application/octet-stream' },
      }
      return readAnswer(route, await request(route, asked, streamed))
    },
    async download(route, asked) {
      const answer = await request(route, asked, { headers, signal: asked.signal })
      if (!answer.ok || !answer.body) throw await toFailure(answer)
      const named = /filename\*=UTF-8''(.+)$/.exec(answer.headers.get('content-disposition') ?? '')?.[1]
      return { name: nameIn(named), content: answer.body }
    },
    async *follow(conversationId, { after, signal }) {
      const asked = { params: { id: conversationId }, query: { after: String(after), live: 'sse', drafts: 'kept' } }
      const answer = await request(ownRoutes.readEntries, asked, { headers, signal }).catch((error: unknown) => {
        if (signal.aborted) return null
        throw error
      })
      if (answer === null) return
      if (!answer.ok || !answer.body) throw await toFailure(answer)
      const text = answer.body.pipeThrough(new TextDecoderStream())
      const events = text.pipeThrough(new EventSourceParserStream()).getReader()
      try {
        for (;;) {
          const { done, value } = await events.read()
          if (done) return
          const read = understood(answer.status, () => readEvent(value.event ?? '', JSON.parse(value.data)))
          if (read) yield read
        }
      } catch (error) {
        if (signal.aborted) return
        throw isBrokenLine(error) ? notReached(error) : error
      } finally {
        // A line that broke cannot be closed once more, and says so.
        await events.cancel().catch(() => {})
      }
    },
  }
}

/** Runs it, and says where the server does not answer. @throws {RequestFailedError} */
async function reached<Value>(signal: AbortSignal | null, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (signal?.aborted && error === signal.reason) throw error
    throw isBrokenLine(error) ? notReached(error) : error
  }
}

async function readAnswer<Known extends Route>(
  route: Known,
  answer: Response,
): Promise<BodyOf<Known, StatusOf<Known>>> {
  const known = route.answers[answer.status]
  if (!known) throw await toFailure(answer)
  return (await readAs(known, answer)) as BodyOf<Known, StatusOf<Known>>
}

/** The name that a file was sent with; a plain one where there is none that can be read. */
function nameIn(encoded: string | undefined): string {
  try {
    return decodeURIComponent(encoded ?? 'file')
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return 'file'
  }
}

/** Null for what who reads a conversation alone does not need. */
function readEvent(event: string, data: unknown): FollowedEvent | null {
  if (event === 'entry') return { type: 'entry', entry: WireEntry.parse(data) }
  const frame = ServerFrame.safeParse({ ...(typeof data === 'object' ? data : {}), type: event })
  switch (frame.data?.type) {
    case 'draft':
    case 'delta':
    case 'caught-up':
    case 'progress':
    case 'write-failed':
    case 'refused':
      return frame.data
    case undefined:
    case 'welcome':
    case 'overview':
    case 'erased':
    case 'entries':
    case 'accepted':
    case 'conversations':
    case 'composer':
    case 'terminal-open':
    case 'terminal-output':
    case 'terminal-resize':
    case 'terminal-close':
    case 'pong':
    case 'goodbye':
      return null
  }
}
