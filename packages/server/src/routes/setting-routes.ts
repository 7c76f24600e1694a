import { routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { SettingDirectory } from '../settings/setting-directory.ts'

/** What the routes about settings need. */
export interface SettingRoutesDeps extends BindDeps {
  /** Null where the settings are those of the program that embeds the server. */
  readonly settings: SettingDirectory | null
}

/** Serves the settings of the installation to admins. [WIN10] */
export function bindSettings({ settings, ...deps }: SettingRoutesDeps): void {
  function directory(): SettingDirectory {
    if (settings) return settings
    throw new RefusedError(404, 'unknown-setting', 'This server keeps no settings')
  }

  bindRoute(deps, routes.listSettings, async ({ answer }) => answer(200, { settings: [...directory().list()] }))

  bindRoute(deps, routes.changeInstallation, async ({ body, answer }) =>
    answer(200, { settings: [...(await directory().change(body.changes))] }),
  )
}
