import { type BodyOf, ownRoutes, type PresetRow } from '@holdfast/protocol'
import type * as z from 'zod'
import type { HttpApi } from '../link/http-api.ts'
import { createRemoteValue, type RemoteValue } from '../values/remote-value.ts'

/** What a preset is made with. */
export type PresetFields = z.input<(typeof ownRoutes)['createPreset']['body']>

/** What of a preset is changed; what is absent stays. */
export type PresetChange = Omit<z.input<(typeof ownRoutes)['changePreset']['body']>, 'version'>

/** The presets that a person may begin with. Everything throws {RequestFailedError} when it is refused. */
export interface PresetActs {
  /** Read when somebody asks, and after every change made here. */
  readonly presets: RemoteValue<BodyOf<typeof ownRoutes.listPresets, 200>>
  createPreset(fields: PresetFields): Promise<PresetRow>
  /** Writes over the version that was read, and over no other. */
  changePreset(read: Pick<PresetRow, 'id' | 'version'>, change: PresetChange): Promise<PresetRow>
  /** One that comes along is from then on as it came. */
  deletePreset(presetId: string): Promise<void>
}

/** Makes them. */
export function createPresetActs({
  ask,
  tellLater,
}: {
  readonly ask: HttpApi
  readonly tellLater: (tell: () => void) => void
}): PresetActs {
  const presets = createRemoteValue(() => ask(ownRoutes.listPresets, ownRoutes.listPresets.answers[200], {}), tellLater)
  return {
    presets,
    async createPreset(fields) {
      const row = await ask(ownRoutes.createPreset, ownRoutes.createPreset.answers[201], { body: fields })
      presets.load()
      return row
    },
    async changePreset({ id, version }, change) {
      const { changePreset: route } = ownRoutes
      const row = await ask(route, route.answers[200], { params: { presetId: id }, body: { ...change, version } })
      presets.load()
      return row
    },
    async deletePreset(presetId) {
      const { deletePreset: route } = ownRoutes
      await ask(route, route.answers[200], { params: { presetId } })
      presets.load()
    },
  }
}
