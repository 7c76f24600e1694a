import { routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { Pushes } from '../push/pushes.ts'

/** What the routes about told browsers need. */
export interface PushRoutesDeps extends BindDeps {
  /** Null where nobody is told. */
  readonly pushes: Pushes | null
}

/** Serves what browsers say to be told, and no more. */
export function bindPushes({ pushes, ...deps }: PushRoutesDeps): void {
  const browsersOf = async (userId: string): Promise<number> => (await pushes?.devices.of(userId))?.length ?? 0

  bindRoute(deps, routes.readPushSubscriptions, async ({ userId, answer }) =>
    answer(200, { publicKey: pushes?.key.publicKey ?? null, browsers: await browsersOf(userId) }),
  )
  bindRoute(deps, routes.addPushSubscription, async ({ userId, body, answer }) => {
    if (!pushes)
      throw new RefusedError(409, 'conflict', 'This server tells no browsers: its operator has named no service')
    // What is there already is on the page in which it is turned on.
    const told = (await pushes.inboxOf(userId)).map(({ id }) => id)
    await pushes.devices.add({ ...body, userId, told })
    return answer(201, { browsers: await browsersOf(userId) })
  })
  bindRoute(deps, routes.removePushSubscription, async ({ userId, query: { endpoint }, answer }) => {
    await pushes?.devices.remove(userId, endpoint)
    return answer(200, { browsers: await browsersOf(userId) })
  })
}
