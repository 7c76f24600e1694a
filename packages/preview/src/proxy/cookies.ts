/** Names that no page of a preview sees, sets or is sent: those of the server and of its previews. [PREV1] */
const RESERVED = /^(?:__(?:Host|Secure)-)?(?:holdfast|better-auth)/i

/** Whether a cookie is none of the page's. */
export function isReserved(name: string): boolean {
  return RESERVED.test(name.trim())
}

/** What of a `Cookie` header is the page's own; null for nothing. */
export function cookiesOfPage(header: string): string | null {
  const own = header.split(';').filter((pair) => pair.trim() !== '' && !isReserved(pair.split('=')[0] ?? ''))
  return own.length === 0 ? null : own.map((pair) => pair.trim()).join('; ')
}

/** The value of one cookie; null where it is not sent. */
export function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}

/**
 * A `Set-Cookie` of the page as a frame within another site keeps it; null for one that may not be set. It stays with
 * the preview's own host, in the jar of the site that shows it.
 */
export function cookieForFrame(header: string): string | null {
  const [pair = '', ...attributes] = header.split(';')
  if (isReserved(pair.split('=')[0] ?? '')) return null
  const kept = attributes.filter((one) => !/^\s*(?:domain|samesite|secure|partitioned)\s*(?:=|$)/i.test(one))
  return [pair, ...kept, ' SameSite=None', ' Secure', ' Partitioned'].join(';')
}
