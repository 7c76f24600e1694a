const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

/** The address, if following it runs nothing; null for `javascript:`, `data:`, and what is none. [SEC3] */
export function safeAddress(text: string): URL | null {
  const address = URL.parse(text)
  return address && SAFE_PROTOCOLS.has(address.protocol) ? address : null
}

/** Whether an address leads elsewhere. A link of the model's into this server could act in the reader's name. */
export function isOutside(address: URL): boolean {
  return address.origin !== location.origin
}

/** What in a text reads as the name of a host: `example.com`, also within an address. */
const HOST_WORD = /(?:^|[\s/@(])((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?=$|[\s/:?#)])/gu

/**
 * The host that has to be said beside a link, for its words let one think of another: they name one, the address has a name
 * before its host, or letters of another script look like those of a known one. Null where nothing misleads. [UI46]
 */
export function hostToSay(address: URL, words: string): string | null {
  if (address.host === '') return null
  if (address.username !== '' || /(?:^|\.)xn--/.test(address.hostname)) return address.host
  const named = [...words.matchAll(HOST_WORD)].map(([, host]) => withoutWww(host ?? '').toLowerCase())
  const isOther = named.length > 0 && !named.includes(withoutWww(address.hostname))
  return isOther ? address.host : null
}

function withoutWww(host: string): string {
  return host.replace(/^www\./i, '')
}
