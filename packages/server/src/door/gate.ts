import type { IncomingHttpHeaders } from 'node:http'
import type { Principal } from '../parts/principal.ts'

/** The one user of token mode; with accounts, the first one. */
export const LOCAL_USER_ID = 'local'

/** What of a request is looked at to know who asks, and from where. */
export interface IncomingRequest {
  readonly method: string
  /** The path and the query that are asked for, without the base path. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly cookies: Readonly<Record<string, string | undefined>>
  /** `http`, or what a trusted proxy says. */
  readonly protocol: string
  /** The address of the client: of the connection, or what a trusted proxy says. */
  readonly address: string
  /** Whether it asks for a socket. */
  readonly isSocket: boolean
}

/** What a link brings: the start-up token, or a code that takes its place. */
export interface Arrival {
  readonly token: string | null
  readonly code: string | null
}

/** What a browser is given that came in by a link: a cookie, and the key that its page keeps. */
export interface Entered {
  readonly name: string
  readonly value: string
  readonly pageKey: string
}

/**
 * Who may come in. An implementer takes nothing but the credential for who asks: no header, query or body names a
 * user or a role. [SEC1, SEC2]
 */
export interface Gate {
  readonly mode: 'token' | 'accounts'
  /** The name of the cookie that opens the gate. */
  cookieName(): string
  /**
   * Who asks.
   *
   * @throws {RefusedError} when the request carries no credential that opens.
   */
  principalOf(incoming: IncomingRequest): Promise<Principal>
  /** Whether someone who came in earlier might still do so, and as what they were, as far as `refresh` has seen. */
  isStillGood(principal: Principal): boolean
  /** Whether who came in earlier may come in again, be it as somebody who may more or less by now. [SCALE34] */
  mayComeBack(principal: Principal): boolean
  /** Learns what other processes have withdrawn. */
  refresh(): Promise<void>
  /** Calls when something may have been withdrawn. @returns the end of it. */
  onWithdrawn(listener: () => void): () => void
  /** What stands for the start-up token, or the code, of a link; null when they are wrong, or open nothing. */
  exchange(arrival: Arrival, cookies: IncomingRequest['cookies']): Entered | null
  /** A ticket for one address; null for who came in without a page key, and needs none. [SEC19] */
  ticketFor(principal: Principal, target: string): string | null
}
