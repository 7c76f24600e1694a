import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createPromptCaches } from '../cache/prompt-caches.ts'
import { type Clock, createSystemClock } from '../clock.ts'
import { errorActions } from '../faults/body-fault.ts'
import { FORMAT_OF } from '../formats.ts'
import { isRecord, parseJson, recordOf, textOf } from '../json.ts'
import { STRICT_MODELS, type StrictModel } from '../model.ts'
import { createSeededRandom, type Random } from '../random.ts'
import { createSigner } from '../signer.ts'
import { byteTokenizer, type Tokenizer } from '../tokenizer.ts'
import { addressOf, type BadAddress } from './addresses.ts'
import { answerActions, type Provider } from './exchange.ts'
import { play } from './player.ts'
import { type OpenRecord, type RequestRecord, safeHeaders, safePath } from './record.ts'
import { type Route, routeOf } from './route.ts'
import { createScriptBook, type Scripted, type SeenRequest } from './script-book.ts'

/** How a strict provider is made; everything has a usual value. */
export interface StrictProviderOptions {
  /** 0 takes a free port. */
  readonly port?: number
  readonly models?: readonly StrictModel[]
  readonly tokenizer?: Tokenizer
  readonly clock?: Clock
  readonly random?: Random
  /** Signs thinking. Providers with the same secret accept each other's signatures. */
  readonly secret?: string
  /** False accepts requests without a key, as local servers do. */
  readonly requiresKey?: boolean
  /** Larger bodies are refused as vendors do. */
  readonly maxBodyBytes?: number
  /** Hears of every request once its response is over. */
  readonly onDone?: (record: RequestRecord) => void
}

/** A running strict provider. */
export interface StrictProvider {
  /** As `http://127.0.0.1:4321`, without a path. */
  readonly url: string
  /** Base URLs as the vendors' clients want them. */
  readonly urls: {
    readonly anthropic: string
    readonly openai: string
    readonly gemini: string
    readonly bedrock: string
  }
  /** Replies for the next requests, in order. */
  script(...replies: readonly Scripted[]): void
  /** A reply for all requests that match; such a rule comes before the queue. */
  when(matches: (request: SeenRequest) => boolean, reply: Scripted): void
  /** What is answered where nothing is scripted. */
  otherwise(reply: Scripted): void
  /** Every request so far, the refused ones included. */
  readonly requests: readonly RequestRecord[]
  /** A URL at which nobody answers as wanted: for the faults that come before any request. */
  addressOf(address: BadAddress): string
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const MAX_BODY_BYTES = 32 * 1024 * 1024

/** Starts a strict provider on loopback. */
export async function createStrictProvider(options: StrictProviderOptions): Promise<StrictProvider> {
  const provider: Provider = {
    models: options.models ?? STRICT_MODELS,
    tokenizer: options.tokenizer ?? byteTokenizer,
    signer: createSigner(options.secret ?? 'holdfast strict provider'),
    clock: options.clock ?? createSystemClock(),
    random: options.random ?? createSeededRandom(1),
    requiresKey: options.requiresKey ?? true,
    caches: createPromptCaches(),
    book: createScriptBook(),
  }
  const maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES
  const requests: OpenRecord[] = []
  const failures: unknown[] = []
  const server = createServer((request, response) => {
    serve({ provider, requests, request, response, maxBodyBytes, onDone: options.onDone }).catch((error: unknown) => {
      failures.push(error)
      response.destroy()
    })
  })
  const port = await listen(server, options.port ?? 0)
  const url = `http://${HOST}:${port}`
  return {
    url,
    urls: { anthropic: `${url}/v1`, openai: `${url}/v1`, gemini: `${url}/v1beta`, bedrock: url },
    script: (...replies) => provider.book.add(replies),
    when: (matches, reply) => provider.book.addRule(matches, reply),
    otherwise: (reply) => provider.book.setDefault(reply),
    requests,
    addressOf: (address) => addressOf(address, port),
    async close() {
      for (const record of requests) record.ending ??= 'provider-closed'
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} requests made the provider fail`)
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, HOST)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error(`The provider listens at ${address}, not on a port`)
  return address.port
}

async function serve({
  provider,
  requests,
  request,
  response,
  maxBodyBytes,
  onDone,
}: {
  readonly provider: Provider
  readonly requests: OpenRecord[]
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly maxBodyBytes: number
  readonly onDone: StrictProviderOptions['onDone']
}): Promise<void> {
  const { clock } = provider
  const receivedMs = clock.monotonic()
  const leaving = new AbortController()
  const over = Promise.withResolvers<void>()
  const rawBody = await readBody(request, maxBodyBytes)
  const { method, url: path, headers } = request
  if (method === undefined || path === undefined) throw new Error('A request came without a method or an address')
  const body = rawBody === undefined ? undefined : parseJson(Buffer.from(rawBody).toString())
  const route = routeOf(method, path, recordOf(body))
  const record: OpenRecord = {
    number: requests.length + 1,
    at: clock.now(),
    method,
    path: safePath(path),
    headers: safeHeaders(headers),
    rawBody: rawBody ?? new Uint8Array(),
    body,
    format: route?.format,
    operation: route?.operation,
    model: modelOf(route, body),
    violations: [],
    fault: undefined,
    usage: undefined,
    cacheBreak: undefined,
    idealReadTokens: undefined,
    status: undefined,
    receivedMs,
    headersWrittenMs: undefined,
    firstByteMs: undefined,
    deltaMs: [],
    bytesWritten: 0,
    deltaBytes: 0,
    endedMs: undefined,
    clientClosedMs: undefined,
    ending: undefined,
    done: over.promise,
  }
  requests.push(record)
  const onClose = () => {
    if (record.ending === undefined) {
      record.clientClosedMs = clock.monotonic()
      record.ending = 'client-closed'
    }
    leaving.abort()
    over.resolve()
    onDone?.(record)
  }
  response.on('close', onClose)
  if (request.destroyed && response.destroyed) onClose()

  const query = new URL(path, 'http://provider').searchParams
  const actions =
    route === undefined || rawBody === undefined
      ? errorActions(unroutable(route, rawBody === undefined), undefined)
      : answerActions({ provider, record, route, headers, query })
  await play({ actions, response, record, clock, closed: leaving.signal })
}

function unroutable(route: Route | undefined, isTooLarge: boolean) {
  const format = FORMAT_OF[route?.format ?? 'openai-chat']
  return isTooLarge ? format.error(413, 'too-large') : format.error(404, 'model-missing')
}

function modelOf(route: Route | undefined, body: unknown): string | undefined {
  return route?.model ?? (isRecord(body) ? textOf(body.model) : undefined)
}

/** The whole body, undefined where it is larger than allowed. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of request) {
      if (!(chunk instanceof Uint8Array)) continue
      sizeBytes += chunk.length
      if (sizeBytes <= maxBytes) chunks.push(chunk)
    }
  } catch (error) {
    // A client may leave while it sends; what came so far is its request.
    if (!request.destroyed) throw error
  }
  return sizeBytes > maxBytes ? undefined : Buffer.concat(chunks)
}
