import {
  type Clock,
  type Ids,
  PresetSettings,
  type Records,
  RevisionConflictError,
  type SettingProblem,
  type StoredRecord,
} from '@holdfast/conversation'
import { type PresetSource, SettingsContradictError } from '@holdfast/engine'
import type { PresetRow, routes } from '@holdfast/protocol'
import * as z from 'zod'
import { RefusedError } from '../parts/to-problem.ts'
import { BUILT_IN_PRESETS } from './built-in-presets.ts'

const StoredPreset = z.object({ name: z.string(), says: z.string(), settings: PresetSettings })
type StoredPreset = z.infer<typeof StoredPreset>

const PRESET = { kind: 'preset', schema: StoredPreset } as const

/** Presets of one person, at most. */
const MOST = 100

/** What of a preset is changed; what is absent stays. */
export type PresetChange = z.infer<(typeof routes)['changePreset']['body']>

/** What a preset is made with. */
export type NewPreset = z.infer<(typeof routes)['createPreset']['body']>

/** The presets of people: those that come along, each as its person changed it, and their own. [WS33] */
export interface PresetDirectory extends PresetSource {
  rows(userId: string): Promise<readonly PresetRow[]>
  /** @throws {RefusedError | SettingsContradictError} */
  create(userId: string, preset: NewPreset): Promise<PresetRow>
  /** @throws {RefusedError | SettingsContradictError} */
  change(userId: string, presetId: string, change: PresetChange): Promise<PresetRow>
  /** One that comes along is as it came from then on. @throws {RefusedError} */
  remove(userId: string, presetId: string): Promise<void>
  /** Whether commands run in a sandbox here; null before one was looked for. */
  hasSandbox(): boolean | null
}

/** What it is made of. */
export interface PresetDirectoryDeps {
  readonly records: Records
  readonly clock: Clock
  readonly ids: Ids
  /** Why what a preset sets cannot hold together, empty where it can. [WIN10] */
  readonly contradiction: (settings: PresetSettings) => readonly SettingProblem[]
  readonly hasSandbox: () => boolean | null
}

/** Keeps presets in the records of their people. */
export function createPresetDirectory(deps: PresetDirectoryDeps): PresetDirectory {
  const { records, clock, ids } = deps

  async function stored(userId: string): Promise<readonly StoredRecord<StoredPreset>[]> {
    return records.list(PRESET, { ownerId: userId, limit: MOST + BUILT_IN_PRESETS.length })
  }

  async function rows(userId: string): Promise<readonly PresetRow[]> {
    const own = await stored(userId)
    const changed = new Map(own.map((record) => [record.id, record]))
    const comeAlong = BUILT_IN_PRESETS.map((preset): PresetRow => {
      const record = changed.get(preset.id)
      return record ? rowOf(record) : { ...preset, version: 0, origin: 'built-in' }
    })
    const others = own.filter(({ id }) => !isBuiltIn(id)).map(rowOf)
    return [...comeAlong, ...others.toSorted((one, other) => one.name.localeCompare(other.name))]
  }

  /** @throws {RefusedError} */
  async function found(userId: string, presetId: string): Promise<PresetRow> {
    const row = (await rows(userId)).find(({ id }) => id === presetId)
    if (row) return row
    throw new RefusedError(404, 'unknown-preset', `There is no preset ${presetId}`)
  }

  async function put(
    userId: string,
    { id, version }: { readonly id: string; readonly version: number },
    value: StoredPreset,
  ): Promise<PresetRow> {
    const problems = deps.contradiction(value.settings)
    if (problems.length > 0) throw new SettingsContradictError(problems)
    const write = { ownerId: userId, id, revision: version, value, at: clock.now() }
    return unlessConflict({ id, version }, async () => rowOf(await records.put(PRESET, write)))
  }

  return {
    rows,
    hasSandbox: deps.hasSandbox,
    async create(userId, preset) {
      const own = (await stored(userId)).filter(({ id }) => !isBuiltIn(id))
      if (own.length >= MOST)
        throw new RefusedError(422, 'too-large', `You have ${own.length} presets; delete one first`)
      return put(userId, { id: ids.next('preset'), version: 0 }, preset)
    },
    async change(userId, presetId, { version, ...changes }) {
      const { name, says, settings } = await found(userId, presetId)
      return put(userId, { id: presetId, version }, { name, says, settings, ...changes })
    },
    async remove(userId, presetId) {
      const { version, origin } = await found(userId, presetId)
      if (origin === 'built-in') return
      const write = { ownerId: userId, id: presetId, revision: version }
      await unlessConflict({ id: presetId, version }, () => records.remove(PRESET, write))
    },
    async find({ ownerId, presetId }) {
      const row = (await rows(ownerId)).find(({ id }) => id === presetId)
      return row ? { presetId, name: row.name, settings: row.settings } : null
    },
  }
}

function isBuiltIn(presetId: string): boolean {
  return BUILT_IN_PRESETS.some(({ id }) => id === presetId)
}

function rowOf({ id, revision, value }: StoredRecord<StoredPreset>): PresetRow {
  return { ...value, id, version: revision, origin: isBuiltIn(id) ? 'changed' : 'own' }
}

async function unlessConflict<Result>(
  { id, version }: { readonly id: string; readonly version: number },
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof RevisionConflictError)) throw error
    const detail = `Preset ${id} is at version ${error.currentRevision}, not ${version}; read it again`
    throw new RefusedError(409, 'conflict', detail)
  }
}
