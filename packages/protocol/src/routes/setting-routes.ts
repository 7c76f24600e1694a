import { Json } from '@holdfast/conversation'
import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'

/** A setting of the installation as it is now. */
export const SettingRow = z.object({
  key: z.string(),
  section: z.string(),
  /** For people, in English. */
  name: z.string(),
  says: z.string(),
  unit: z.enum(['tokens', 'milliseconds', 'characters', 'bytes', 'count', 'share', 'switch', 'choice']),
  value: Json,
  usual: Json,
  /** JSON Schema of a value that is set. */
  schema: z.record(z.string(), Json),
  least: z.number().nullable(),
  most: z.number().nullable(),
  choices: z.array(z.string()).nullable(),
  /** From where the value is: the program's own, set over the API, or from what stands above that. */
  source: z.enum(['default', 'stored', 'file', 'environment']),
  /** Where it may be set beside the installation. */
  places: z.array(z.enum(['installation', 'agent', 'conversation'])),
})
export type SettingRow = z.infer<typeof SettingRow>

const rows = z.object({ settings: z.array(SettingRow) })

/** The routes about the settings of the installation, for who runs it. */
export const settingRoutes = {
  listSettings: {
    method: 'GET',
    path: '/settings',
    access: 'admin',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: rows },
  },
  changeInstallation: {
    method: 'PATCH',
    path: '/settings',
    access: 'admin',
    params: nothing,
    query: nothing,
    /** Values by key; null returns one to its default. All of them hold at once, or none does. */
    body: z.strictObject({
      changes: z.record(z.string().min(1).max(100), Json).refine((changes) => Object.keys(changes).length > 0, {
        error: 'asks for nothing; name a setting',
      }),
    }),
    answers: { 200: rows },
  },
} as const satisfies Readonly<Record<string, Route>>
