import { routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { PresetDirectory } from '../presets/preset-directory.ts'

/** What the routes about presets need. */
export interface PresetRoutesDeps extends BindDeps {
  /** Null where none are kept. */
  readonly presets: PresetDirectory | null
}

/** Serves the presets of people. [WS33] */
export function bindPresets({ presets, ...deps }: PresetRoutesDeps): void {
  function kept(): PresetDirectory {
    if (presets) return presets
    throw new RefusedError(404, 'unknown-preset', 'This server keeps no presets')
  }

  bindRoute(deps, routes.listPresets, async ({ userId, answer }) =>
    answer(200, {
      presets: [...((await presets?.rows(userId)) ?? [])],
      hasSandbox: presets?.hasSandbox() ?? null,
    }),
  )

  bindRoute(deps, routes.createPreset, async ({ userId, body, answer }) =>
    answer(201, await kept().create(userId, body)),
  )

  bindRoute(deps, routes.changePreset, async ({ userId, params: { presetId }, body, answer }) =>
    answer(200, await kept().change(userId, presetId, body)),
  )

  bindRoute(deps, routes.deletePreset, async ({ userId, params: { presetId }, answer }) => {
    await kept().remove(userId, presetId)
    return answer(200, { presetId })
  })
}
