/** Token mode listens on this computer only. [SEC2] */
export class PublicAddressError extends Error {
  override readonly name = 'PublicAddressError'
  readonly code = 'public-address'

  constructor(host: string) {
    super(
      `${host} can be reached from other computers, and a start-up token is not enough there: start with --auth accounts, or listen on 127.0.0.1`,
    )
  }
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

/** Whether only this computer can reach the address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host) || /^127(\.\d{1,3}){3}$/.test(host)
}

/** The `host:port` pairs under which a server on this address is reached. */
export function hostNames(host: string, port: number): ReadonlySet<string> {
  const names = [...LOOPBACK, host].map(bracketed)
  return new Set(
    port === 80 ? [...names, ...names.map((name) => `${name}:80`)] : names.map((name) => `${name}:${port}`),
  )
}

/** The address to open; of a server that listens everywhere, the one on this computer. */
export function urlOf(host: string, port: number): string {
  const name = bracketed(EVERYWHERE[host] ?? host)
  return port === 80 ? `http://${name}` : `http://${name}:${port}`
}

const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
