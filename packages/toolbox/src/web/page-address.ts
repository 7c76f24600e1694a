import { isInRanges, isOneOf, isPublicAddress } from './public-address.ts'

/**
 * Finds the addresses of a name. An implementer returns all that the system would use and connects to none; it
 * ends when the signal fires. What it returns is checked, and only what was checked is connected to.
 */
export type ResolveName = (name: string, options: { readonly signal: AbortSignal }) => Promise<readonly string[]>

/** A page that may not or cannot be fetched. The message is for the model. */
export class PageRefusal extends Error {
  override readonly name = 'PageRefusal'
  readonly code:
    | 'bad-address'
    | 'blocked'
    | 'unresolved'
    | 'unreachable'
    | 'too-many-redirects'
    | 'elsewhere'
    | 'unreadable'

  constructor(code: PageRefusal['code'], message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** Names that stand for this machine or this network, whatever they resolve to. */
const INNER_NAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|localdomain|home\.arpa)$/

/** Reads the address of a page. @throws {PageRefusal} when it is none that may be fetched. */
export function readPageUrl(text: string): URL {
  // Parsers differ in what they make of these; none of them belongs in an address.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(text))
    throw new PageRefusal('bad-address', 'The address holds a blank, a backslash or a hidden character. Leave it out.')
  if (!URL.canParse(text)) throw new PageRefusal('bad-address', `${text.slice(0, 200)} is not an address of a page.`)
  return checkedUrl(new URL(text))
}

/** Where a page is sent on to. @throws {PageRefusal} when that is none that may be fetched. */
export function readRedirect(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href)) throw new PageRefusal('bad-address', `${from.href} redirects to no address.`)
  return checkedUrl(new URL(location, from))
}

function checkedUrl(url: URL): URL {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new PageRefusal('bad-address', `Only http and https can be fetched, not ${url.protocol.slice(0, 20)}`)
  if (url.username !== '' || url.password !== '')
    throw new PageRefusal('bad-address', 'The address holds a user name or password. Leave them out.')
  return url
}

/** What addresses are checked with. */
export interface AddressCheck {
  readonly resolveName: ResolveName
  /** Ranges besides the public internet that the operator permits, such as `10.1.0.0/16`. */
  readonly permittedRanges: readonly string[]
  /** The addresses of this machine: what listens there may be behind its firewall, however public the number is. */
  readonly ownAddresses: () => readonly string[]
  readonly signal: AbortSignal
}

/**
 * The addresses to connect to for a page, all of them checked: one that is not public refuses the page, as a name
 * that answers with both is made to get past a check.
 *
 * @throws {PageRefusal} when there is none, or one that is not public.
 */
export async function checkedAddresses(url: URL, check: AddressCheck): Promise<readonly string[]> {
  const name = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const isLiteral = url.hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(name)
  if (!isLiteral && INNER_NAMES.test(name)) throw blocked(url)
  const addresses = isLiteral ? [name] : await resolved(name, check)
  const own = check.ownAddresses()
  const isOutside = (address: string) => isPublicAddress(address) && !isOneOf(address, own)
  const isPermitted = (address: string) => isOutside(address) || isInRanges(address, check.permittedRanges)
  if (!addresses.every(isPermitted)) throw blocked(url)
  // Version 4 first: a machine without a way for version 6 would wait for it.
  return addresses.toSorted((one, other) => Number(one.includes(':')) - Number(other.includes(':')))
}

/** Whether all addresses of a host are of the public internet and none is this machine's. [SEC26] */
export async function isPublicHost(url: URL, check: AddressCheck): Promise<boolean> {
  try {
    await checkedAddresses(url, check)
    return true
  } catch (error) {
    if (error instanceof PageRefusal) return false
    throw error
  }
}

async function resolved(name: string, { resolveName, signal }: AddressCheck): Promise<readonly string[]> {
  let addresses: readonly string[]
  try {
    addresses = await resolveName(name, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw new PageRefusal('unresolved', `The name ${name} cannot be resolved. Check its spelling.`, { cause: error })
  }
  if (addresses.length === 0) throw new PageRefusal('unresolved', `The name ${name} has no address.`)
  return addresses
}

function blocked(url: URL): PageRefusal {
  return new PageRefusal(
    'blocked',
    `${url.host} is not on the public internet, and only that can be fetched. The shell reaches what its own commands listen at; a service of this machine or its network only where the operator lets commands reach it.`,
  )
}
