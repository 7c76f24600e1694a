import { routes } from '@holdfast/protocol'
import type { Accounts } from '../accounts/open-accounts.ts'
import { type BindDeps, bindOpenRoute, bindRoute } from '../door/bind-route.ts'
import type { StartUpToken } from '../door/start-up-token.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What the routes need by which pages and commands come in. */
export interface DoorRoutesDeps extends BindDeps {
  readonly startupToken: StartUpToken
  /** Null where none can be made. */
  readonly makeStartUpToken: (() => Promise<string>) | null
  /** Null in token mode. */
  readonly accounts: Accounts | null
}

/** Serves tickets to pages, and to commands of the terminal the proof of the server and another start-up token. */
export function bindDoor({ startupToken, makeStartUpToken, accounts, ...deps }: DoorRoutesDeps): void {
  bindRoute(deps, routes.makeTicket, async ({ principal, body: { target }, answer }) => {
    const ticket = deps.gate.ticketFor(principal, target)
    if (ticket !== null) return answer(201, { ticket })
    throw new RefusedError(
      409,
      'conflict',
      'A ticket is for a page, which has a cookie and a key; send what you came in with as a bearer token',
    )
  })

  bindOpenRoute(deps, routes.proveServer, async ({ body: { challenge }, answer }) =>
    answer(200, { proof: startupToken.prove(challenge) }),
  )

  bindRoute(deps, routes.rotateStartUpToken, async ({ principal, answer }) => {
    if (principal.credential.type !== 'start-up-token' || makeStartUpToken === null)
      throw new RefusedError(403, 'forbidden', 'Only who has the data folder may do this: holdfast token rotate')
    const token = await makeStartUpToken()
    startupToken.replace(token)
    await accounts?.signIns.endEverybodys()
    return answer(200, { done: true })
  })
}
