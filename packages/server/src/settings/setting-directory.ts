import {
  type Clock,
  isSettingKey,
  Json,
  problemsOf,
  type RecordKind,
  type Records,
  RevisionConflictError,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  type Settings,
  SomeSettings,
  settingProblems,
  settingsOver,
  USUAL_SETTINGS,
} from '@holdfast/conversation'
import { SettingsContradictError } from '@holdfast/engine'
import type { SettingRow } from '@holdfast/protocol'
import * as z from 'zod'
import { RefusedError } from '../parts/to-problem.ts'

/** Settings that the operator says outside of the API. They stand above what is set over it. */
export interface FixedSettings {
  readonly source: 'file' | 'environment'
  /** Where they are said, for people: a path, or the name of a variable. */
  readonly place: string
  readonly values: SomeSettings
}

/** The settings of the installation. What changes holds from the next decision on, without a restart. */
export interface SettingDirectory {
  /** The values that hold. */
  now(): Settings
  list(): readonly SettingRow[]
  /**
   * Sets values, null for the default: all of them or none.
   *
   * @throws {RefusedError} for a key that does not exist, a value out of bounds, or one that is fixed elsewhere.
   * @throws {SettingsContradictError} for values that contradict each other.
   */
  change(changes: Readonly<Record<string, Json>>): Promise<readonly SettingRow[]>
  /** Reads what is stored, which another server of the same store may have changed. */
  refresh(): Promise<void>
}

/** What the directory is made of. */
export interface SettingDirectoryDependencies {
  readonly records: Pick<Records, 'get' | 'put'>
  readonly clock: Clock
  /** The later ones stand above the earlier ones. */
  readonly fixed: readonly FixedSettings[]
  /** Told once of stored values that do not hold. */
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void
}

const STORED = {
  kind: 'settings',
  schema: z.record(z.string(), Json),
} as const satisfies RecordKind<Readonly<Record<string, Json>>>

/** They belong to the installation, not to one user. */
const KEY = { ownerId: 'installation', id: 'settings' } as const

/** Keeps the settings of the installation in the records; `refresh` reads them first. */
export function createSettingDirectory(dependencies: SettingDirectoryDependencies): SettingDirectory {
  const { records, clock, warn } = dependencies
  const { fixed } = dependencies
  let stored: SomeSettings = {}
  let settings = inForce(stored)
  let told = ''

  function take(values: SomeSettings): void {
    stored = values
    settings = inForce(stored)
  }

  async function read(): Promise<{ readonly revision: number; readonly values: SomeSettings }> {
    const found = await records.get(STORED, KEY)
    return { revision: found?.revision ?? 0, values: found ? known(found.value) : {} }
  }

  function inForce(values: SomeSettings): Settings {
    return fixed.reduce((below, one) => settingsOver(below, one.values), settingsOver(USUAL_SETTINGS, values))
  }

  function list(): readonly SettingRow[] {
    return SETTING_KEYS.map((key) => rowOf(key, { settings, stored, fixed }))
  }

  /** What is stored and can hold beside what is fixed: a file may say something else since. */
  function holding(values: SomeSettings): SomeSettings {
    let left = values
    for (;;) {
      const [problem] = settingProblems(inForce(left))
      const kept = Object.entries(left).filter(([key]) => problem?.keys.every((one) => one !== key) ?? true)
      if (kept.length === Object.keys(left).length) return left
      if (told !== problem?.text) warn('stored settings do not hold: they contradict what is fixed', { ...problem })
      told = problem?.text ?? ''
      left = Object.fromEntries(kept)
    }
  }

  return {
    now: () => settings,
    list,
    async refresh() {
      take(holding((await read()).values))
    },
    async change(changes) {
      const wanted = checked(changes, fixed)
      for (;;) {
        const { revision, values } = await read()
        const next = merged(values, wanted)
        const problems = problemsOf(inForce(next), Object.keys(wanted))
        if (problems.length > 0) throw new SettingsContradictError(problems)
        try {
          await records.put(STORED, { ...KEY, revision, value: next, at: clock.now() })
          take(next)
          return list()
        } catch (error) {
          if (!(error instanceof RevisionConflictError)) throw error
        }
      }
    },
  }
}

/** Values that are what they may be; what an older version stored and this one does not know is left out. */
function known(values: Readonly<Record<string, Json>>): SomeSettings {
  const fine = Object.entries(values).filter(
    ([key, value]) => isSettingKey(key) && SETTINGS[key].schema.safeParse(value).success,
  )
  return SomeSettings.parse(Object.fromEntries(fine))
}

/** @throws {RefusedError} for what cannot be set alone. */
function checked(
  changes: Readonly<Record<string, Json>>,
  fixed: readonly FixedSettings[],
): Readonly<Partial<Record<SettingKey, Json>>> {
  for (const [key, value] of Object.entries(changes)) {
    if (!isSettingKey(key))
      throw new RefusedError(
        422,
        'unknown-setting',
        `There is no setting ${key}; GET /settings lists those that there are`,
      )
    const place = fixed.findLast(({ values }) => values[key] !== undefined)?.place
    if (place !== undefined)
      throw new RefusedError(
        409,
        'setting-fixed',
        `${key} is set in ${place}; change it there, or remove it there first`,
      )
    const parsed = SETTINGS[key].schema.safeParse(value)
    if (value !== null && !parsed.success)
      throw new RefusedError(
        400,
        'bad-request',
        `${key}: ${parsed.error.issues.map(({ message }) => message).join('; ')}`,
      )
  }
  return changes
}

function merged(values: SomeSettings, wanted: Readonly<Partial<Record<SettingKey, Json>>>): SomeSettings {
  const all = Object.entries({ ...values, ...wanted }).filter(([, value]) => value !== null)
  return SomeSettings.parse(Object.fromEntries(all))
}

function rowOf(
  key: SettingKey,
  at: { readonly settings: Settings; readonly stored: SomeSettings; readonly fixed: readonly FixedSettings[] },
): SettingRow {
  const { section, name, says, unit, usual, schema, least, most, choices, places } = SETTINGS[key]
  const source = at.fixed.findLast(({ values }) => values[key] !== undefined)?.source
  return {
    key,
    section,
    name,
    says,
    unit,
    value: at.settings[key],
    usual,
    schema: z.record(z.string(), Json).parse(z.toJSONSchema(schema)),
    least: least ?? null,
    most: most ?? null,
    choices: choices ? [...choices] : null,
    source: source ?? (at.stored[key] === undefined ? 'default' : 'stored'),
    places: [...places],
  }
}
