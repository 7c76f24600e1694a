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
