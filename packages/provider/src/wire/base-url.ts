/**
 * The address of an endpoint under a base address with or without its version.
 *
 * `https://api.example.org`, `…/v1` and `…/v1/` are one address. A path that ends in a version of its own, or in
 * `/openai`, is taken as it is.
 */
export function endpointUrl(baseUrl: string, path: string): string {
  const base = new URL(baseUrl)
  const folder = base.pathname.replace(/(?<!\/)\/+$/, '')
  const versioned = /\/(?:v\d+(?:(?:alpha|beta)\d*)?|openai)$/.test(folder)
  base.pathname = `${versioned ? folder : `${folder}/v1`}${path}`
  return base.href
}

/** The address of an endpoint beside the versioned ones: what servers tell of themselves. */
export function serverUrl(baseUrl: string, path: string): string {
  const base = new URL(baseUrl)
  base.pathname = `${base.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/v\d+$/, '')}${path}`
  return base.href
}

/** Whether a server is on this machine: it needs no key, and costs nothing. */
export function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl)
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    hostname.endsWith('.localhost') ||
    /^127(?:\.\d+){3}$/.test(hostname)
  )
}
