import { isLoopback } from '../door/addresses.ts'
import { bearerOf } from '../door/credentials.ts'
import type { Gate, IncomingRequest } from '../door/gate.ts'
import type { PageKeys } from '../door/page-keys.ts'
import type { StartUpToken } from '../door/start-up-token.ts'
import { ALL_SCOPES, type Principal } from '../parts/principal.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { AccountTables } from './account-tables.ts'
import type { ApiKeys } from './api-keys.ts'
import type { People } from './people.ts'
import type { SignIns } from './sign-ins.ts'

/** What the gate needs. */
export interface AccountGateDeps {
  readonly tables: AccountTables
  readonly signIns: SignIns
  readonly keys: ApiKeys
  readonly people: People
  readonly cookieName: string
  /** Opens to the commands of this computer's terminal. */
  readonly startupToken: StartUpToken
  readonly pageKeys: PageKeys
}

/**
 * Opens to whoever is signed in, to API keys, and, from this computer itself, to the start-up token of the data folder:
 * who can read that folder has everything in it anyway. [SEC1, SEC2]
 */
export function createAccountGate(deps: AccountGateDeps): Gate {
  const { tables, signIns, keys, people, cookieName, startupToken, pageKeys } = deps

  function ofKey(key: string): Principal | null {
    const found = keys.find(key)
    const account = found && people.find(found.userId)
    if (!found || !account || account.disabled) return null
    const { keyId, userId, scopes } = found
    return { userId, role: account.role, scopes, credential: { type: 'api-key', keyId } }
  }

  async function ofSession(incoming: IncomingRequest): Promise<Principal | null> {
    const found = await signIns.find(incoming)
    if (!found) return null
    const { account, sessionId } = found
    const credential = { type: 'session', sessionId } as const
    return { userId: account.id, role: account.role, scopes: ALL_SCOPES, credential }
  }

  function mayComeBack(principal: Principal): boolean {
    const { userId, credential } = principal
    const account = people.find(userId)
    switch (credential.type) {
      case 'start-up-token':
      case 'cookie':
        return startupToken.isCurrent(principal)
      case 'session':
        return account !== null && !account.disabled && signIns.isGood(credential.sessionId)
      case 'api-key':
        return account !== null && !account.disabled && keys.isGood(credential.keyId)
    }
  }

  /** What someone may is known when they come in; a line of theirs goes on only as long as that is so. */
  function isInRole({ userId, role, credential }: Principal): boolean {
    const isOperator = credential.type === 'start-up-token' || credential.type === 'cookie'
    return isOperator || people.find(userId)?.role === role
  }

  return {
    mode: 'accounts',
    cookieName: () => cookieName,
    async principalOf(incoming) {
      await tables.refresh()
      const bearer = bearerOf(incoming.headers)
      if (bearer !== null && isFromHere(incoming) && startupToken.opens(bearer))
        return startupToken.admit({ type: 'start-up-token' })
      const principal = bearer === null ? await ofSession(incoming) : ofKey(bearer)
      if (principal) return principal
      throw new RefusedError(401, 'unauthorized', 'Sign in, or send an API key as a bearer token')
    },
    isStillGood: (principal) => mayComeBack(principal) && isInRole(principal),
    mayComeBack,
    refresh: () => tables.refresh(),
    onWithdrawn(listener) {
      const ends = [tables.onChanged(listener), startupToken.onReplaced(listener)]
      return () => {
        for (const end of ends) end()
      }
    },
    exchange: () => null,
    ticketFor: ({ credential }, target) =>
      credential.type === 'session' ? pageKeys.ticketOf(credential.sessionId, target) : null,
  }
}

/** Not over a proxy: it would make everyone come from here. */
function isFromHere({ address, headers }: IncomingRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return !isForwarded && isLoopback(address.replace(/^::ffff:/, ''))
}
