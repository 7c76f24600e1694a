import type { Duplex } from 'node:stream'

/** Where the pages of a preview come from. */
export interface Target {
  readonly port: number
  /** Whether it speaks TLS. */
  readonly isSecure: boolean
  /** A new connection, with TLS where that is spoken. @throws when nobody answers there. */
  connect(signal: AbortSignal): Promise<Duplex>
}

/** As what a program on this machine knows itself: `localhost:5173`. */
export function hostOf({ port }: Pick<Target, 'port'>): string {
  return `localhost:${port}`
}

/** Its origin as its own pages would name it. */
export function originOf({ port, isSecure }: Pick<Target, 'port' | 'isSecure'>): string {
  return `${isSecure ? 'https' : 'http'}://${hostOf({ port })}`
}
