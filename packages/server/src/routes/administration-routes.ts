import type { Clock, EntryStore, ReplicaStore } from '@holdfast/conversation'
import { type Account, type PersonRow, routes, type ServerHealth } from '@holdfast/protocol'
import type { Accounts } from '../accounts/open-accounts.ts'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import { measureLoopLag } from '../parts/loop-lag.ts'
import type { Metrics } from '../parts/metrics.ts'
import { sessionIdOf } from '../parts/principal.ts'
import { RefusedError } from '../parts/to-problem.ts'
import { readAudit } from './reading/read-audit.ts'
import { bindReplicas } from './replica-routes.ts'
import { workOf } from './work-of.ts'

/** What a store says of itself. */
export type StoreFacts = NonNullable<ServerHealth['store']>

/** What the routes for administrators need. */
export interface AdministrationRoutesDeps extends BindDeps {
  /** Absent in token mode: then there is nobody to administer. */
  readonly accounts?: Accounts
  readonly store: Pick<EntryStore, 'read' | 'readListing' | 'listConversations' | 'storedBytes'>
  /** Absent where nobody has said what the store is. */
  readonly storeFacts?: () => Promise<StoreFacts>
  /** Absent where this server has its store alone. */
  readonly replicas?: ReplicaStore
  /** The replica that answers. */
  readonly serverId: string
  readonly metrics: Pick<Metrics, 'openSocketCount'>
  readonly clock: Clock
  readonly version: string
}

/** How long the event loop is looked at, in milliseconds. */
const LOOK_MS = 250

const MS_PER_S = 1_000

/** Serves people with their figures and sessions, the audit, the health of this server, and which servers there are. Nothing of it is what a person wrote. [SEC1] */
export function bindAdministration(asked: AdministrationRoutesDeps): void {
  const { accounts: opened, store, storeFacts, metrics, clock, version, replicas, serverId, ...deps } = asked
  bindReplicas({ ...deps, replicas: replicas ?? null, serverId })

  function accounts(): Accounts {
    if (opened) return opened
    throw new RefusedError(
      409,
      'no-accounts',
      'There is nobody to administer here: without accounts whoever has the start-up token may do everything; start with --auth accounts to have them',
    )
  }

  function everybody(): readonly string[] {
    return accounts()
      .people.list()
      .map(({ id }) => id)
  }

  function known(userId: string): Account {
    const account = accounts().people.find(userId)
    if (account) return account
    throw new RefusedError(404, 'unknown-user', `There is no user ${userId}`)
  }

  async function rowOf(account: Account): Promise<PersonRow> {
    const { signIns, keys, budgets } = accounts()
    const sessions = signIns.list(account.id, null)
    const uses = [...sessions.map(({ extendedAt }) => extendedAt), ...keys.list(account.id).map(({ usedAt }) => usedAt)]
    const { ofOwner } = await store.storedBytes(account.id)
    const lastSeenAt = Math.max(0, ...uses.map((at) => at ?? 0))
    return {
      account,
      lastSeenAt: lastSeenAt === 0 ? null : lastSeenAt,
      sessionCount: sessions.length,
      storedBytes: ofOwner,
      spentTodayUsd: await budgets.spentIn('day', account.id, clock.now()),
      spentThisMonthUsd: await budgets.spentIn('month', account.id, clock.now()),
    }
  }

  bindRoute(deps, routes.listPeople, async ({ answer }) => {
    const people: PersonRow[] = []
    for (const account of accounts().people.list()) people.push(await rowOf(account))
    return answer(200, { people })
  })

  bindRoute(deps, routes.listSessionsOf, async ({ params, principal, answer }) => {
    const { id } = known(params.userId)
    return answer(200, { sessions: [...accounts().signIns.list(id, sessionIdOf(principal))] })
  })

  bindRoute(deps, routes.endSessionOf, async ({ params, answer }) => {
    await accounts().signIns.end(known(params.userId).id, params.sessionId)
    return answer(200, { done: true })
  })

  bindRoute(deps, routes.readAudit, async ({ query: { before, limit }, answer }) => {
    return answer(200, await readAudit(store, { ownerIds: everybody(), before: before ?? null, limit }))
  })

  bindRoute(deps, routes.readServerHealth, async ({ answer }) => {
    const work = await workOf(store, everybody())
    const [facts, loopLag] = await Promise.all([storeFacts?.() ?? null, measureLoopLag(clock, LOOK_MS)])
    return answer(200, {
      version,
      uptimeMs: process.uptime() * MS_PER_S,
      memoryBytes: process.memoryUsage.rss(),
      store: facts,
      loopLag,
      openSocketCount: metrics.openSocketCount(),
      work,
    })
  })
}
