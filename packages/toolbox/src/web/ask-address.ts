import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { type AddressCheck, checkedAddresses, PageRefusal, readRedirect } from './page-address.ts'

/** How an address is asked. */
export interface AddressAsk {
  readonly check: AddressCheck
  readonly redirectCount: number
  /** What is sent beside the name of the host: no cookies, no credentials, no referrer. */
  readonly headers: Readonly<Record<string, string>>
}

/** What answered: the address after redirects, and the answer, which is not read yet and has to be destroyed or read to its end. */
export interface AddressAnswer {
  readonly url: URL
  readonly response: IncomingMessage
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Asks an address. It is checked before it is connected to, after every redirect anew, and the connection goes to the
 * checked address, not to the name. No cookies, no credentials. [WS5]
 *
 * @throws {PageRefusal} when it may not be asked or did not answer.
 */
export async function askAddress(start: URL, asked: AddressAsk): Promise<AddressAnswer> {
  const { check, redirectCount, headers } = asked
  let url = start
  for (let hop = 0; hop <= redirectCount; hop++) {
    const addresses = await checkedAddresses(url, check)
    const response = await connect(url, { addresses, headers, signal: check.signal })
    const { location } = response.headers
    if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return { url, response }
    response.destroy()
    const next = readRedirect(location, url)
    // Where it was agreed to ask one host, another one is a question of its own. [WS5]
    if (!isSameHost(next, url)) throw elsewhere(start, next)
    url = next
  }
  throw new PageRefusal('too-many-redirects', `${start.href} redirects more than ${redirectCount} times.`)
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
  { addresses, headers, signal }: Omit<Ask, 'address'> & { readonly addresses: readonly string[] },
): Promise<IncomingMessage> {
  let last: unknown = null
  for (const address of addresses) {
    try {
      return await ask(url, { address, headers, signal })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Error)) throw error
      last = error
    }
  }
  const why = last instanceof Error ? ('code' in last ? String(last.code) : last.message) : 'no address'
  throw new PageRefusal('unreachable', `${url.host} did not answer: ${why}.`, { cause: last })
}

interface Ask {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

function ask(url: URL, { address, headers, signal }: Ask): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const name = url.hostname.replace(/\.$/, '')
  const options = {
    host: address,
    port: url.port === '' ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host },
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
