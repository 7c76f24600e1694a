import { FirstPlace, PresetSettings } from '@holdfast/conversation'
import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'
import { AgentPreferences } from './agent-routes.ts'

/** How much may be said of a preset, in characters. */
export const PRESET_LIMITS = { name: 80, says: 600 } as const

/** What a person says of a preset. */
const presetFields = {
  name: z.string().trim().min(1).max(PRESET_LIMITS.name),
  /** What it is for, in a sentence or two. */
  says: z.string().trim().max(PRESET_LIMITS.says),
  settings: z.strictObject({ ...AgentPreferences.shape, place: FirstPlace.exactOptional() }),
}

/** Named settings that conversations begin with, as a person has them. [WS33] */
export const PresetRow = z.object({
  id: z.string(),
  /** Grows with every change; 0 for one that comes along and was not changed. */
  version: z.int().nonnegative(),
  name: z.string(),
  says: z.string(),
  settings: PresetSettings,
  /** `built-in`: as it comes along. `changed`: it came along, and this person changed theirs. */
  origin: z.enum(['built-in', 'changed', 'own']),
})
export type PresetRow = z.infer<typeof PresetRow>

const onePreset = z.object({ presetId: OutsideId })

/** The presets of a person: those that come along and their own. */
export const presetRoutes = {
  listPresets: {
    method: 'GET',
    path: '/presets',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: {
      200: z.object({
        presets: z.array(PresetRow),
        /** Whether commands run in a sandbox here; null before one was looked for. */
        hasSandbox: z.boolean().nullable(),
      }),
    },
  },
  createPreset: {
    method: 'POST',
    path: '/presets',
    access: 'user',
    scope: 'tools',
    params: nothing,
    query: nothing,
    body: z.strictObject({ ...presetFields, says: presetFields.says.default('') }),
    answers: { 201: PresetRow },
  },
  changePreset: {
    method: 'PATCH',
    path: '/presets/:presetId',
    access: 'record',
    scope: 'tools',
    params: onePreset,
    query: nothing,
    /** What is absent stays; settings are changed whole. `version`: the one that was read. */
    body: z.strictObject({
      version: z.int().nonnegative(),
      name: presetFields.name.exactOptional(),
      says: presetFields.says.exactOptional(),
      settings: presetFields.settings.exactOptional(),
    }),
    answers: { 200: PresetRow },
  },
  deletePreset: {
    method: 'DELETE',
    path: '/presets/:presetId',
    access: 'record',
    scope: 'tools',
    params: onePreset,
    query: nothing,
    body: nothing,
    /** One that comes along is from then on as it came. Conversations that began with it stay as they are. */
    answers: { 200: z.object({ presetId: z.string() }) },
  },
} as const satisfies Readonly<Record<string, Route>>
