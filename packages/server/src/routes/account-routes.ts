import type { Clock } from '@holdfast/conversation'
import { MIN_PASSWORD_LENGTH, routes } from '@holdfast/protocol'
import type { FastifyReply } from 'fastify'
import type { Accounts } from '../accounts/open-accounts.ts'
import { type BindDeps, bindOpenRoute, bindRoute, toIncomingRequest } from '../door/bind-route.ts'
import { sessionIdOf } from '../parts/principal.ts'
import { RefusedError } from '../parts/to-problem.ts'
import { type StopWorkDeps, stopWorkOf } from './stop-work-of.ts'

/** What the routes about sign-ins and keys need. */
export interface AccountRoutesDeps extends BindDeps, StopWorkDeps {
  /** Null in token mode. */
  readonly accounts: Accounts | null
  readonly clock: Pick<Clock, 'now'>
}

const DONE = { done: true } as const

/** Serves sign-in, sessions, keys and, to admins, users. */
export function bindAccounts({ accounts: opened, clock, ...deps }: AccountRoutesDeps): void {
  function accounts(): Accounts {
    if (opened) return opened
    throw new RefusedError(409, 'no-accounts', 'There are no accounts here; start with --auth accounts to have them')
  }

  bindOpenRoute(deps, routes.readSignInState, async ({ answer }) => {
    await opened?.gate.refresh()
    return answer(200, {
      mode: opened ? 'accounts' : 'token',
      needsSetup: opened?.needsSetup() ?? false,
      minPasswordLength: MIN_PASSWORD_LENGTH,
    })
  })

  bindOpenRoute(deps, routes.setUp, async ({ body, request, reply, answer }) => {
    const { account, setCookies, pageKey } = await accounts().setUp(toIncomingRequest(request), body)
    withCookies(reply, setCookies)
    return answer(201, { ...account, pageKey })
  })

  bindOpenRoute(deps, routes.signIn, async ({ body, request, reply, answer }) => {
    await deps.limiter.countTry(request, body.email)
    await accounts().gate.refresh()
    const { account, setCookies, pageKey } = await accounts().signIns.signIn(toIncomingRequest(request), body)
    withCookies(reply, setCookies)
    return answer(200, { ...account, pageKey })
  })

  bindRoute(deps, routes.whoAmI, async ({ principal, request, reply, answer }) => {
    const { userId, role, scopes, credential } = principal
    if (opened && credential.type === 'session')
      withCookies(reply, await opened.signIns.extend(toIncomingRequest(request)))
    const budget = (await opened?.budgets.budgetOf(userId, clock.now())) ?? null
    const account = opened?.people.find(userId) ?? null
    return answer(200, { userId, role, scopes: [...scopes], account, budget: budget && { ...budget } })
  })

  bindRoute(deps, routes.signOut, async ({ request, reply, answer }) => {
    withCookies(reply, await accounts().signIns.signOut(toIncomingRequest(request)))
    return answer(200, DONE)
  })

  bindRoute(deps, routes.listSignIns, async ({ userId, principal, answer }) =>
    answer(200, { sessions: [...accounts().signIns.list(userId, sessionIdOf(principal))] }),
  )

  bindRoute(deps, routes.endSignIn, async ({ params, userId, answer }) => {
    await accounts().signIns.end(userId, params.sessionId)
    return answer(200, DONE)
  })

  bindRoute(deps, routes.endOtherSignIns, async ({ body, userId, principal, answer }) => {
    await accounts().signIns.endAll(userId, sessionIdOf(principal))
    if (body?.removeKeys === true) await accounts().keys.removeAll(userId)
    return answer(200, DONE)
  })

  bindRoute(deps, routes.changePassword, async ({ body, userId, principal, request, answer }) => {
    const { keepKeys, ...asked } = body
    await accounts().signIns.changePassword(toIncomingRequest(request), asked)
    await accounts().signIns.endAll(userId, sessionIdOf(principal))
    if (keepKeys !== true) await accounts().keys.removeAll(userId)
    return answer(200, DONE)
  })

  bindRoute(deps, routes.listKeys, async ({ userId, answer }) =>
    answer(200, { keys: [...accounts().keys.list(userId)] }),
  )

  bindRoute(deps, routes.makeKey, async ({ body, userId, principal, answer }) => {
    if (body.scopes.includes('admin') && principal.role !== 'admin')
      throw new RefusedError(403, 'forbidden', 'Only an admin can make a key with the scope "admin"')
    return answer(201, await accounts().keys.make(userId, body))
  })

  bindRoute(deps, routes.removeKey, async ({ params, userId, answer }) => {
    await accounts().keys.remove(userId, params.keyId)
    return answer(200, DONE)
  })

  bindRoute(deps, routes.listUsers, async ({ answer }) => answer(200, { users: [...accounts().people.list()] }))

  bindRoute(deps, routes.addUser, async ({ body: { password, ...person }, answer }) =>
    answer(201, await accounts().people.add({ ...person, password: password ?? null })),
  )

  bindRoute(deps, routes.changeUser, async ({ params, body, userId, answer }) => {
    const changed = await accounts().people.change(params.userId, body)
    if (body.disabled === true) await stopWorkOf(deps, changed.id, { type: 'person', userId })
    return answer(200, changed)
  })

  bindRoute(deps, routes.resetPassword, async ({ params, body, answer }) =>
    answer(200, await accounts().people.resetPassword(params.userId, body.password ?? null)),
  )
}

function withCookies(reply: FastifyReply, setCookies: readonly string[]): void {
  if (setCookies.length > 0) reply.header('set-cookie', [...setCookies])
}
