import { type PresetRow, routes } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { Api } from '../reach/api.ts'
import { withApi } from '../reach/with-api.ts'
import { plainText } from '../terminal/plain-text.ts'

/** What `holdfast presets list` was asked for. */
export interface PresetsOptions {
  readonly dataDir?: string
  readonly json: boolean
}

/** Prints the presets that conversations may begin with, and what each sets. @returns the exit code. [CLI20] */
export function listPresets({ json, ...options }: PresetsOptions): Promise<number> {
  return withApi({ ...options, looksOnly: true }, async (api) => {
    const { presets, hasSandbox } = await api.call(routes.listPresets, {})
    for (const row of presets) process.stdout.write(`${json ? JSON.stringify(row) : lineOf(row, hasSandbox)}\n`)
    return 0
  })
}

/**
 * The id of the preset that a person means by its id or its name.
 *
 * @throws {CliError} when there is none, or more than one has the name.
 */
export async function presetIdOf(api: Api, wanted: string): Promise<string> {
  const { presets } = await api.call(routes.listPresets, {})
  const byId = presets.find(({ id }) => id === wanted)
  const named = presets.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  const one = byId ?? (named.length === 1 ? named[0] : undefined)
  if (one) return one.id
  const what =
    named.length > 1
      ? `${named.length} presets are called ${wanted}: ${named.map(({ id }) => id).join(', ')}. Give the id`
      : `There is no preset ${wanted}. See which there are: holdfast presets list`
  throw new CliError('E_UNKNOWN_PRESET', 3, `${plainText(what)}.`)
}

function lineOf({ id, name, says, origin, settings }: PresetRow, hasSandbox: boolean | null): string {
  const { instructions, includedTools, ...plain } = settings
  const sets = [
    ...Object.entries(plain).map(
      ([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
    ),
    ...(includedTools === undefined ? [] : [`${includedTools.length} tools`]),
    ...(instructions === undefined ? [] : ['instructions']),
    ...(settings.permissionMode === 'sandboxed' && hasSandbox === false
      ? ['there is no sandbox here: commands ask']
      : []),
  ]
  const kind = origin === 'changed' ? 'changed by you' : origin
  return [id, name, kind, says, sets.join(', ')]
    .filter((word) => word !== '')
    .map(plainText)
    .join('  ')
}
