import { type NeededScope, type Role, type Route, type Scope, scopeOf } from '@holdfast/protocol'
import { RefusedError } from './to-problem.ts'

/** Who asks, as far as anything behind the gate needs to know. */
export interface Principal {
  readonly userId: string
  readonly role: Role
  readonly scopes: readonly Scope[]
  /** With what they came in. */
  readonly credential: Credential
}

/** What opens the gate. The operator has the start-up token; `cookie` stands for it in a browser. */
export type Credential =
  | { readonly type: 'start-up-token' }
  | { readonly type: 'cookie'; readonly browser: string }
  | { readonly type: 'session'; readonly sessionId: string }
  | { readonly type: 'api-key'; readonly keyId: string }

/** Every scope: what a person who is signed in has. */
export const ALL_SCOPES: readonly Scope[] = ['read', 'chat', 'tools', 'admin']

/** The session with which someone came in; null where it was something else. */
export function sessionIdOf({ credential }: Principal): string | null {
  return credential.type === 'session' ? credential.sessionId : null
}

/** Checks that someone may use a route: as an admin where it is theirs, and with what they came in. @throws {RefusedError} [SEC1, SEC33] */
export function checkRoute(principal: Principal, route: Pick<Route, 'access' | 'method' | 'scope'>): void {
  if (route.access === 'admin') checkRole(principal)
  checkScope(principal, scopeOf(route))
}

/**
 * Checks that someone may do what needs a scope.
 *
 * @throws {RefusedError} [SEC1]
 */
export function checkScope(principal: Principal, needed: NeededScope): void {
  const { scopes, credential } = principal
  if (needed === 'session') {
    if (credential.type === 'api-key')
      throw new RefusedError(403, 'forbidden', 'An API key may not do this; sign in with a browser')
    return
  }
  if (needed === 'admin') checkRole(principal)
  if (!scopes.includes(needed))
    throw new RefusedError(403, 'forbidden', `This API key may not do this; it needs the scope "${needed}"`)
}

function checkRole({ role }: Principal): void {
  if (role !== 'admin') throw new RefusedError(403, 'forbidden', 'Only an admin may do this')
}
