/** Where previews are found: each under a name of its own, so that no two share what a browser keeps for an origin. [PREV1] */
export interface PreviewAddresses {
  originOf(name: string): string
  /** The name in a `Host` header; null for any other host. */
  nameOf(host: string): string | null
  /** A source expression for all of them, for policies of pages that show them. */
  readonly source: string
}

/**
 * `pattern` is an origin with a star as its first label, such as `https://*.preview.example.org`; null for the names of
 * this machine, which browsers find by themselves: `http://*.localhost` at the port.
 */
export function previewAddresses(pattern: string | null, port: number): PreviewAddresses {
  const [before = '', after = ''] = (pattern ?? `http://*.localhost:${port}`).split('*')
  // `:443` and `:80` are said by nobody.
  const rest = after.toLowerCase()
  return {
    source: `${before}*${rest}`,
    originOf: (name) => `${before}${name}${rest}`,
    nameOf(host) {
      const lower = host.toLowerCase()
      if (!lower.endsWith(rest)) return null
      const name = lower.slice(0, -rest.length)
      return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name) ? name : null
    },
  }
}
