import type { Json } from '@holdfast/conversation'
import { ownRoutes, type SettingRow } from '@holdfast/protocol'
import type { HttpApi } from '../link/http-api.ts'

/** What is done to the settings of the installation; for admins. */
export interface SettingActs {
  /** @throws {RequestFailedError} */
  listSettings(): Promise<readonly SettingRow[]>
  /** Sets values, null for the default: all of them hold or none. @throws {RequestFailedError} */
  changeInstallation(changes: Readonly<Record<string, Json>>): Promise<readonly SettingRow[]>
}

/** Makes them. */
export function createSettingActs(ask: HttpApi): SettingActs {
  return {
    async listSettings() {
      const { listSettings: route } = ownRoutes
      return (await ask(route, route.answers[200], {})).settings
    },
    async changeInstallation(changes) {
      const { changeInstallation: route } = ownRoutes
      return (await ask(route, route.answers[200], { body: { changes: { ...changes } } })).settings
    },
  }
}
