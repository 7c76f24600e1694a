import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'

/** What a browser has of a subscription, and gives to a server. */
export interface GivenSubscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** A message as the browser reads it. */
export interface PushedMessage {
  readonly endpoint: string
  readonly text: string
  readonly urgency: string | null
  readonly ttl: number
}

/** The service of a browser, and the browser behind it, on loopback: it refuses what the services refuse, and decrypts. */
export interface PushService {
  readonly url: string
  /** What came whole, in its order. */
  readonly messages: readonly PushedMessage[]
  /** Why something was refused. */
  readonly refusals: readonly string[]
  /** A browser that subscribes with the key of a server. */
  subscribe(publicKey: string): GivenSubscription
  /** Answers what is sent to a subscription with a status from now on; null to take it again. */
  answerWith(endpoint: string, status: number | null): void
  close(): Promise<void>
}

interface Subscriber {
  readonly publicKey: string
  readonly keys: ECDH
  readonly auth: Buffer
  status: number | null
}

const MOST_BYTES = 4_096
const DAY_SECONDS = 86_400

class Refused extends Error {
  override readonly name = 'Refused'
  readonly code = 'refused'
}

/** Starts one. https://www.rfc-editor.org/rfc/rfc8030 https://www.rfc-editor.org/rfc/rfc8291 https://www.rfc-editor.org/rfc/rfc8292 */
export async function createPushService(): Promise<PushService> {
  const subscribers = new Map<string, Subscriber>()
  const messages: PushedMessage[] = []
  const refusals: string[] = []
  let origin = ''

  async function receive(request: IncomingMessage): Promise<number> {
    const endpoint = `${origin}${request.url}`
    const subscriber = subscribers.get(endpoint)
    if (!subscriber) return 404
    if (subscriber.status !== null) return subscriber.status
    const body = await bodyOf(request)
    const { authorization, ttl, urgency, 'content-encoding': encoding } = request.headers
    if (request.method !== 'POST') throw new Refused(`${request.method} is not POST`)
    if (encoding !== 'aes128gcm') throw new Refused(`Content-Encoding is ${encoding}`)
    if (!/^\d+$/.test(String(ttl))) throw new Refused(`TTL is ${ttl}`)
    if (body.length > MOST_BYTES) throw new Refused(`The body has ${body.length} bytes`)
    checkSender(authorization ?? '', { origin, publicKey: subscriber.publicKey })
    const text = decrypted(body, subscriber)
    messages.push({ endpoint, text, ttl: Number(ttl), urgency: typeof urgency === 'string' ? urgency : null })
    return 201
  }

  const server = createServer((request, response) => {
    void receive(request)
      .catch((error: unknown) => {
        refusals.push(error instanceof Error ? error.message : String(error))
        return 400
      })
      .then((status) => response.writeHead(status).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The push service has no port')
  origin = `http://127.0.0.1:${address.port}`

  return {
    url: origin,
    messages,
    refusals,
    subscribe(publicKey) {
      const keys = createECDH('prime256v1')
      keys.generateKeys()
      const auth = randomBytes(16)
      const endpoint = `${origin}/send/${randomBytes(16).toString('base64url')}`
      subscribers.set(endpoint, { publicKey, keys, auth, status: null })
      return { endpoint, keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') } }
    },
    answerWith(endpoint, status) {
      const subscriber = subscribers.get(endpoint)
      if (subscriber) subscriber.status = status
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

function checkSender(
  authorization: string,
  { origin, publicKey }: { readonly origin: string; readonly publicKey: string },
): void {
  const [, head = '', claims = '', signature = '', key = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  if (key !== publicKey) throw new Refused('Another sender than the one that the browser subscribed to')
  const point = Buffer.from(key, 'base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: point.toString('base64url', 1, 33), y: point.toString('base64url', 33) }
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ format: 'jwk', key: jwk }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Refused('The signature of the sender is wrong')
  const said: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const { aud, exp, sub }: { aud: unknown; exp: unknown; sub: unknown } = Object.assign(
    { aud: null, exp: 0, sub: '' },
    said,
  )
  const nowSeconds = Date.now() / 1_000
  if (aud !== origin) throw new Refused(`aud is ${aud}`)
  if (typeof exp !== 'number' || exp <= nowSeconds || exp > nowSeconds + DAY_SECONDS) throw new Refused(`exp is ${exp}`)
  if (!/^(https:|mailto:)/.test(String(sub))) throw new Refused(`sub is ${sub}`)
}

/** As a browser does. */
function decrypted(body: Buffer, { keys, auth }: Subscriber): string {
  const salt = body.subarray(0, 16)
  const length = body.readUInt8(20)
  const sender = body.subarray(21, 21 + length)
  const sealed = body.subarray(21 + length)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const shared = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32))
  const of = (name: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', shared, salt, `Content-Encoding: ${name}\0`, bytes))
  const decipher = createDecipheriv('aes-128-gcm', of('aes128gcm', 16), of('nonce', 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0) throw new Refused('The message has no end')
  return padded.toString('utf8', 0, end)
}
