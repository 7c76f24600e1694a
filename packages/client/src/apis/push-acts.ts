import { type BodyOf, ownRoutes, type PushSubscription } from '@holdfast/protocol'
import type { HttpApi } from '../link/http-api.ts'

/** Browsers that are told what happens while no page is open. Everything throws {RequestFailedError} when it is refused. */
export interface PushActs {
  /** What a browser asks for to be told, and how many are. */
  pushSubscriptions(): Promise<BodyOf<typeof ownRoutes.readPushSubscriptions, 200>>
  addPushSubscription(given: PushSubscription): Promise<void>
  removePushSubscription(endpoint: string): Promise<void>
}

/** Makes them. */
export function createPushActs(ask: HttpApi): PushActs {
  return {
    pushSubscriptions() {
      const { readPushSubscriptions: route } = ownRoutes
      return ask(route, route.answers[200], {})
    },
    async addPushSubscription(body) {
      const { addPushSubscription: route } = ownRoutes
      await ask(route, route.answers[201], { body })
    },
    async removePushSubscription(endpoint) {
      const { removePushSubscription: route } = ownRoutes
      await ask(route, route.answers[200], { query: { endpoint } })
    },
  }
}
