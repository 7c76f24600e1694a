import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { systemCode } from '../workspace/file-refusal.ts'
import { type AddressCheck, checkedAddresses, PageRefusal, readRedirect } from './page-address.ts'

/** How much is fetched. */
export interface FetchLimits {
  /** Bytes on the line, and bytes when unpacked: of more, the rest is left. */
  readonly sizeBytes: number
  readonly redirectCount: number
}

/** What came. */
export interface FetchedBytes {
  /** After redirects. */
  readonly url: URL
  readonly status: number
  readonly contentType: string
  readonly bytes: Buffer
  /** Whether there was more than the limit. */
  readonly isCut: boolean
}

const HEADERS = {
  'user-agent': 'Holdfast/0.1',
  accept: 'text/html,application/xhtml+xml,text/*;q=0.9,application/json;q=0.9,*/*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
}
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Fetches a page. Each address is checked before it is connected to, after every redirect anew, and the connection
 * goes to the checked address, not to the name. No cookies, no credentials. [WS5]
 *
 * @throws {PageRefusal} when it may not be fetched or did not answer.
 */
export async function fetchBytes(
  start: URL,
  { check, limits }: { readonly check: AddressCheck; readonly limits: FetchLimits },
): Promise<FetchedBytes> {
  let url = start
  for (let hop = 0; hop <= limits.redirectCount; hop++) {
    const response = await connect(url, { addresses: await checkedAddresses(url, check), signal: check.signal })
    const status = response.statusCode ?? 0
    const { location } = response.headers
    if (REDIRECTS.has(status) && location !== undefined) {
      response.destroy()
      const next = readRedirect(location, url)
      // Where it was agreed to ask one host, another one is a question of its own. [WS5]
      if (!isSameHost(next, url)) throw elsewhere(start, next)
      url = next
      continue
    }
    const { bytes, isCut } = await readBody(response, { url, limits, signal: check.signal })
    return { url, status, contentType: response.headers['content-type'] ?? '', bytes, isCut }
  }
  throw new PageRefusal('too-many-redirects', `${start.href} redirects more than ${limits.redirectCount} times.`)
}

/** Whether two addresses have one name and port; `http` may lead to `https`. */
function isSameHost(one: URL, other: URL): boolean {
  const isUpgrade = other.protocol === 'http:' && one.protocol === 'https:' && one.port === '' && other.port === ''
  return (
    one.hostname === other.hostname &&
    (one.port === other.port || isUpgrade) &&
    (one.protocol === other.protocol || isUpgrade)
  )
}

function elsewhere(start: URL, next: URL): PageRefusal {
  const words = `${start.href} sends on to another host: ${next.href.slice(0, 2_000)}`
  return new PageRefusal('elsewhere', `${words} It was not asked. Fetch that address if you want it.`)
}

/** The answer of the first address that takes a connection. */
async function connect(
  url: URL,
  { addresses, signal }: { readonly addresses: readonly string[]; readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  let last: unknown = null
  for (const address of addresses) {
    try {
      return await ask(url, { address, signal })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Error)) throw error
      last = error
    }
  }
  const why = last instanceof Error ? ('code' in last ? String(last.code) : last.message) : 'no address'
  throw new PageRefusal('unreachable', `${url.host} did not answer: ${why}.`, { cause: last })
}

function ask(
  url: URL,
  { address, signal }: { readonly address: string; readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const name = url.hostname.replace(/\.$/, '')
  const options = {
    host: address,
    port: url.port === '' ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: { ...HEADERS, host: url.host },
    // A connection of its own, closed after the answer.
    agent: false,
    signal,
  } as const
  const isSecure = url.protocol === 'https:'
  const isName = isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0
  const request: ClientRequest = isSecure
    ? requestHttps({ ...options, ...(isName ? { servername: name } : {}) })
    : requestHttp(options)
  request.once('response', resolve)
  request.on('error', reject)
  request.end()
  return promise
}

async function readBody(
  response: IncomingMessage,
  { url, limits, signal }: { readonly url: URL; readonly limits: FetchLimits; readonly signal: AbortSignal },
): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const unpacked = unpack(response, url)
  const pieces: Buffer[] = []
  let count = 0
  let lineBytes = 0
  response.on('data', (piece: Buffer) => {
    lineBytes += piece.byteLength
  })
  try {
    for await (const piece of unpacked) {
      if (!Buffer.isBuffer(piece)) continue
      pieces.push(piece)
      count += piece.byteLength
      if (count > limits.sizeBytes || lineBytes > limits.sizeBytes) break
    }
  } catch (error) {
    signal.throwIfAborted()
    const code = systemCode(error) ?? (error instanceof Error && 'code' in error ? String(error.code) : null)
    if (code === null) throw error
    throw new PageRefusal('unreadable', `The answer of ${url.host} cannot be read: ${code}.`, { cause: error })
  } finally {
    response.destroy()
    unpacked.destroy()
  }
  return { bytes: Buffer.concat(pieces).subarray(0, limits.sizeBytes), isCut: count > limits.sizeBytes }
}

/** The stream without its packing; small steps, so that a bomb is noticed at its first megabyte. */
function unpack(response: IncomingMessage, url: URL): Readable {
  const packing = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const options = { chunkSize: 65_536 }
  const unpacker =
    packing === 'gzip' || packing === 'x-gzip'
      ? createGunzip(options)
      : packing === 'deflate'
        ? createInflate(options)
        : packing === 'br'
          ? createBrotliDecompress(options)
          : null
  if (unpacker === null) {
    if (packing === 'identity' || packing === '') return response
    response.destroy()
    throw new PageRefusal('unreadable', `${url.host} answers in a packing that was not asked for.`)
  }
  response.on('error', (error) => unpacker.destroy(error))
  return response.pipe(unpacker)
}
