/** Where a connection cannot come about. */
export type BadAddress = 'refused' | 'unknown-host' | 'not-tls'

/** The port that the standards keep free of servers. */
const DISCARD_PORT = 9

/** A base URL that fails in that way; `port` is one that speaks plain HTTP. */
export function addressOf(address: BadAddress, port: number): string {
  switch (address) {
    case 'refused':
      return `http://127.0.0.1:${DISCARD_PORT}`
    case 'unknown-host':
      return 'http://no-such-host.invalid'
    case 'not-tls':
      return `https://127.0.0.1:${port}`
  }
}
