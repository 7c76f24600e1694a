import type { IncomingHttpHeaders } from 'node:http'
import type { Principal } from '../parts/principal.ts'

/** The one user of token mode; with accounts, the first one. */
export const LOCAL_USER_ID = 'local'

/** What of a request is looked at to know who asks, and from where. */
export interface IncomingRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly cookies: Readonly<Record<string, string | undefined>>
  /** `http`, or what a trusted proxy says. */
  readonly protocol: string
  /** The address of the client: of the connection, or what a trusted proxy says. */
  readonly address: string
  /** Whether it asks for a socket. */
  readonly isSocket: boolean
}

/**
 * Who may come in. An implementer takes nothing but the credential for who asks: no header, query or body names a
 * user or a role. [SEC1, SEC2]
 */
export interface Gate {
  readonly mode: 'token' | 'accounts'
  /** The name of the cookie that opens the gate. */
  readonly cookieName: string
  /**
   * Who asks.
   *
   * @throws {RefusedError} when the request carries no credential that opens.
   */
  principalOf(incoming: IncomingRequest): Promise<Principal>
  /** Whether someone who came in earlier might still do so, as far as `refresh` has seen. */
  isStillGood(principal: Principal): boolean
  /** Learns what other processes have withdrawn. */
  refresh(): Promise<void>
  /** Calls when something may have been withdrawn. @returns the end of it. */
  onWithdrawn(listener: () => void): () => void
  /** The cookie that stands for the start-up token of a link; null when the token is wrong, or opens nothing. */
  exchange(token: string): { readonly name: string; readonly value: string } | null
}
