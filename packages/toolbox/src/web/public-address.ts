import ipaddr from 'ipaddr.js'

/** Public by their numbers, and yet the doors to a cloud's own services. */
const CLOUD_DOORS: ReadonlySet<string> = new Set(['168.63.129.16'])

/** All that is handed out for the public internet in version 6. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** The well-known prefix under which networks without version 4 reach it (RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Whether an address is one of the public internet. Everything that has another use is not: private, loopback,
 * link-local, shared, reserved, tunnels. What stands for an IPv4 address counts as that address. What is no
 * address is not public. [WS5]
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address)
  if (parsed === null || CLOUD_DOORS.has(parsed.toString())) return false
  return parsed.range() === 'unicast' && (isVersion4(parsed) || parsed.match(GLOBAL_UNICAST))
}

/** Whether an address lies in one of the ranges, such as `10.1.0.0/16`. @throws when a range is none. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const parsed = parseAddress(address)
  return (
    parsed !== null &&
    ranges.some((range) => {
      const cidr = ipaddr.parseCIDR(range)
      return cidr[0].kind() === parsed.kind() && parsed.match(cidr)
    })
  )
}

/** Whether an address is one of others, however each is written. */
export function isOneOf(address: string, others: readonly string[]): boolean {
  const plain = parseAddress(address)?.toNormalizedString()
  return plain !== undefined && others.some((other) => parseAddress(other)?.toNormalizedString() === plain)
}

/** Mapped and translated addresses become the IPv4 address that they stand for; null for what is no address. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (address.includes('%')) return null
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address)
  if (!ipaddr.IPv6.isValid(address)) return null
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address()
  if (parsed.match(NAT64)) return new ipaddr.IPv4(parsed.toByteArray().slice(12))
  return parsed
}

function isVersion4(address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv4 {
  return address.kind() === 'ipv4'
}
