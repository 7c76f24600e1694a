import { ownRoutes, type ProviderSetting, type ProviderTest } from '@holdfast/protocol'
import type * as z from 'zod'
import type { HttpApi } from '../link/http-api.ts'

/** A provider that is to be made. */
export type NewProvider = z.input<typeof ownRoutes.addProvider.body>

/** What is done to the providers that everyone of the installation uses. */
export interface ProviderActs {
  /** @throws {RequestFailedError} */
  listProviders(): Promise<readonly ProviderSetting[]>
  /** Looks again for servers of models on the machine of the server. @throws {RequestFailedError} */
  lookForProviders(): Promise<readonly ProviderSetting[]>
  /** Sets one up; its key is kept by the server. @throws {RequestFailedError} */
  addProvider(wish: NewProvider): Promise<void>
  /** Gives a stored one another key. @throws {RequestFailedError} */
  changeProviderKey(provider: Pick<ProviderSetting, 'id' | 'revision'>, apiKey: string): Promise<void>
  /** Says how much the models of a stored one take; null: what is known of each. @throws {RequestFailedError} */
  changeProviderWindow(provider: Pick<ProviderSetting, 'id' | 'revision'>, tokens: number | null): Promise<void>
  /** Deletes a stored one with its key. @throws {RequestFailedError} */
  removeProvider(providerId: string): Promise<void>
  /** Asks it for its models, a few words and a call of a tool. @throws {RequestFailedError} */
  testProvider(providerId: string): Promise<ProviderTest>
}

/** Makes them. */
export function createProviderActs(ask: HttpApi): ProviderActs {
  return {
    async listProviders() {
      const { listProviders: route } = ownRoutes
      return (await ask(route, route.answers[200], {})).providers
    },
    async lookForProviders() {
      const { lookForProviders: route } = ownRoutes
      return (await ask(route, route.answers[200], {})).providers
    },
    async addProvider(wish) {
      const { addProvider: route } = ownRoutes
      await ask(route, route.answers[201], { body: wish })
    },
    async changeProviderKey({ id: providerId, revision }, apiKey) {
      const { changeProvider: route } = ownRoutes
      await ask(route, route.answers[200], { params: { providerId }, body: { revision, apiKey } })
    },
    async changeProviderWindow({ id: providerId, revision }, contextWindowTokens) {
      const { changeProvider: route } = ownRoutes
      await ask(route, route.answers[200], { params: { providerId }, body: { revision, contextWindowTokens } })
    },
    async removeProvider(providerId) {
      const { removeProvider: route } = ownRoutes
      await ask(route, route.answers[200], { params: { providerId } })
    },
    testProvider(providerId) {
      const { testProvider: route } = ownRoutes
      return ask(route, route.answers[200], { params: { providerId } })
    },
  }
}
