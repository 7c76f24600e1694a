/** Where a connection cannot come about. */
export type BadAddress = 'refused' | 'unknown-host' | 'not-tls'

/** A port that nobody uses, and that `fetch` does not refuse by itself as it does the ports of old services. */
const UNUSED_PORT = 2

/** A base URL that fails in that way; `port` is one that speaks plain HTTP. */
export function addressOf(address: BadAddress, port: number): string {
  switch (address) {
    case 'refused':
      return `http://127.0.0.1:${UNUSED_PORT}`
    case 'unknown-host':
      return 'http://no-such-host.invalid'
    case 'not-tls':
      return `https://127.0.0.1:${port}`
  }
}
