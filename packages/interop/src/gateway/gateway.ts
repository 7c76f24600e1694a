import { createHash } from 'node:crypto'
import type { GatewayEngine, OpenPass, PassRefused } from '@holdfast/engine'
import type { ApiDeps, Diagnostics } from '@holdfast/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AskedBody, readBody } from './asked-body.ts'
import { type AskedPath, GATEWAY_VENDORS, type GatewayVendor, readPath, upstreamUrl } from './asked-path.ts'
import { createGatewayKeys, keyIn, type OpenGateway } from './gateway-keys.ts'
import { chooseProvider, type GatewayProvider } from './gateway-provider.ts'
import { passOn } from './pass-on.ts'
import { headersFor } from './passed-headers.ts'
import { type Refusal, refusalOf } from './refusal.ts'

/** What a gateway is made of. */
export interface GatewayDeps {
  readonly engine: GatewayEngine
  /** The providers that are set up now, in the order in which they are tried. */
  readonly providers: () => readonly GatewayProvider[]
  /** Where this process listens, without a path; known when it does. */
  readonly url: () => Promise<string>
  readonly log: Pick<Diagnostics, 'error'>
}

/** Lets external agents ask the providers of Holdfast, each in the name of one conversation. [AGENT8] */
export interface Gateway {
  /**
   * Opens the gateway of a conversation. The vendors' clients take `${origin}/anthropic`, `${origin}/openai` and
   * `${origin}/google` as their base URL, and `key` as their API key, until `revoke`.
   */
  open(of: {
    readonly conversationId: string
    readonly userId: string
    /** Who pays, and nobody else; null for whoever fits. [AGENT54] */
    readonly providerId: string | null
  }): Promise<{
    readonly key: string
    readonly origin: string
    readonly revoke: () => void
  }>
  /** Serves it. */
  readonly bind: (api: Pick<ApiDeps, 'app'>) => void
}

/** The most that the body of a request has, in bytes: what the vendors take. */
const MAX_BODY_BYTES = 32 * 1024 * 1024

/** Makes the gateway of one process. */
export function createGateway({ engine, providers, url, log }: GatewayDeps): Gateway {
  const keys = createGatewayKeys('hfg')
  /** Of those that one provider pays for. */
  const payers = new WeakMap<OpenGateway, string>()

  async function serve(vendor: GatewayVendor, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const target = request.url.slice(`/gateway/${vendor}`.length)
    const opened = keys.find(keyIn(request.headers, target.split('?')[1] ?? '') ?? '')
    if (opened === null) return refuse(reply, vendor, { why: 'no-key', message: NO_KEY })
    const asked = readPath(vendor, request.method, target)
    if (asked === null) {
      const path = target.split('?')[0]
      const message = `${request.method} ${path} is not passed on: only requests to models, lists of them and counts are`
      return refuse(reply, vendor, { why: 'not-found', message })
    }
    if (request.headers['content-encoding'] !== undefined)
      return refuse(reply, vendor, { why: 'bad-request', message: 'Send the body as it is, without content-encoding' })
    return pass({ vendor, opened, asked, request, reply })
  }

  interface Call {
    readonly vendor: GatewayVendor
    readonly opened: OpenGateway
    readonly asked: AskedPath
    readonly request: FastifyRequest
    readonly reply: FastifyReply
  }

  async function pass({ vendor, opened, asked, request, reply }: Call): Promise<FastifyReply> {
    const { conversationId, signal } = opened
    const { form } = asked
    const modelId = engine.modelChosenIn(conversationId)
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const said = readBody(body)
    const model = asked.model ?? said.model
    const payerId = payers.get(opened)
    const paying = providers().filter(({ providerId }) => payerId === undefined || providerId === payerId)
    const chosen = chooseProvider(paying, { form, asked: model, modelId })
    if (chosen.type === 'missing') return refuse(reply, vendor, { why: 'bad-request', message: chosen.reason })
    const { provider } = chosen
    const target = upstreamUrl(provider.baseUrl, asked)
    const isPosted = request.method === 'POST'
    const headers = headersFor(provider, { headers: request.headers, sizeBytes: isPosted ? body.length : null })
    const opening = asked.isMetered
      ? await openPass({ conversationId, provider, model, said, body, path: target.pathname })
      : null
    if (opening?.type === 'refused') return refuse(reply, vendor, { why: 'forbidden', message: opening.reason })
    const upstream = { method: request.method, url: target, headers, body }
    reply.hijack()
    const failure = await passOn({ form, upstream, response: reply.raw, pass: opening, signal }).catch(
      (error: unknown) => {
        log.error('a request could not be passed on', { conversationId, error })
        reply.raw.destroy()
        return null
      },
    )
    if (failure !== null) answerRaw(reply, vendor, { why: 'no-answer', message: failure.message })
    return reply
  }

  function openPass({
    conversationId,
    provider,
    model,
    said: { maxOutputTokens, words },
    body,
    path,
  }: Pick<OpenGateway, 'conversationId'> & {
    readonly provider: GatewayProvider
    /** Null where the request names none. */
    readonly model: string | null
    readonly said: AskedBody
    readonly body: Buffer
    readonly path: string
  }): Promise<OpenPass | PassRefused> {
    const known = provider.modelOf(model ?? 'unnamed')
    return engine.passRequest({
      conversationId,
      billed: { providerId: provider.providerId, modelId: known.modelId, price: known.price },
      bodyHash: createHash('sha256').update(body).digest('hex'),
      sizeBytes: body.length,
      path,
      words,
      maxOutputTokens: maxOutputTokens ?? known.maxOutputTokens,
    })
  }

  function bindVendor(scope: FastifyInstance, vendor: GatewayVendor): void {
    scope.route({
      method: ['GET', 'POST'],
      url: `/gateway/${vendor}/*`,
      bodyLimit: MAX_BODY_BYTES,
      errorHandler: (error, _request, reply) => {
        const isTooLarge = error.statusCode === 413
        if (!isTooLarge && (error.statusCode ?? 500) >= 500) log.error('a gateway failed', { error })
        void refuse(reply, vendor, { why: isTooLarge ? 'too-large' : 'bad-request', message: error.message })
      },
      handler: (request, reply) => serve(vendor, request, reply),
    })
  }

  return {
    async open({ providerId, ...of }) {
      const origin = `${await url()}/gateway`
      const made = keys.make(of)
      const opened = keys.find(made.key)
      if (opened !== null && providerId !== null) payers.set(opened, providerId)
      return { ...made, origin }
    },
    bind: ({ app }) =>
      // In a scope of its own: here any body is taken as the bytes that it is.
      void app.register(async (scope) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, payload, done) => done(null, payload))
        for (const vendor of GATEWAY_VENDORS) bindVendor(scope, vendor)
      }),
  }
}

const NO_KEY =
  'This key opens no gateway. A key is made for the process of one agent, and ends with it: let Holdfast start the agent again'

function refuse(reply: FastifyReply, vendor: GatewayVendor, refusal: Refusal): FastifyReply {
  const { status, headers, body } = refusalOf(vendor, refusal)
  return reply.code(status).headers(headers).send(body)
}

/** Refuses where the reply has been taken over already. */
function answerRaw({ raw }: FastifyReply, vendor: GatewayVendor, refusal: Refusal): void {
  if (raw.headersSent || raw.destroyed) return
  const { status, headers, body } = refusalOf(vendor, refusal)
  raw.writeHead(status, { ...headers, 'content-type': 'application/json' })
  raw.end(JSON.stringify(body))
}
