import { Json } from '@holdfast/conversation'
import { routes, type SettingRow } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { Api } from '../reach/api.ts'
import { withApi } from '../reach/with-api.ts'
import { COMPLETED_KEYS } from './setting-keys.ts'

/** What every command about settings is told. */
export interface SettingsOptions {
  readonly dataDir?: string
}

/** Says what is set, by section. @returns the exit code. */
export async function listSettings({
  json,
  changed,
  ...options
}: SettingsOptions & { readonly json: boolean; readonly changed: boolean }): Promise<number> {
  return withApi(options, async (api) => {
    const { settings } = await api.call(routes.listSettings, {})
    const shown = settings.filter(({ source }) => !changed || source !== 'default')
    if (json) process.stdout.write(`${JSON.stringify({ settings: shown })}\n`)
    else process.stdout.write(written(shown))
    const count = settings.filter(({ source }) => source !== 'default').length
    process.stderr.write(`${count} of ${settings.length} settings are not as usual.\n`)
    return 0
  })
}

/** Prints the value of one. @returns the exit code. */
export async function getSetting(
  key: string,
  { json, ...options }: SettingsOptions & { readonly json: boolean },
): Promise<number> {
  return withApi(options, async (api) => {
    const { settings } = await api.call(routes.listSettings, {})
    const row = settings.find((one) => one.key === key)
    if (!row) throw unknown(key)
    process.stdout.write(`${json ? JSON.stringify(row) : valueText(row.value)}\n`)
    return 0
  })
}

/** Sets values: `key value`, `key=value`, or one and more of the latter. @returns the exit code. */
export async function setSettings(words: readonly string[], options: SettingsOptions): Promise<number> {
  const changes = settingChanges(words)
  return withApi(options, (api) => change(api, changes))
}

/** Gives settings their defaults back. @returns the exit code. */
export async function resetSettings(keys: readonly string[], options: SettingsOptions): Promise<number> {
  return withApi(options, (api) => change(api, Object.fromEntries(keys.map((key) => [key, null]))))
}

async function change(api: Api, changes: Readonly<Record<string, Json>>): Promise<number> {
  const { settings } = await api.call(routes.changeInstallation, { body: { changes: { ...changes } } })
  for (const { key, value } of settings)
    if (Object.hasOwn(changes, key)) process.stderr.write(`${key} is ${valueText(value)} now.\n`)
  return 0
}

/**
 * What the words of a line set.
 *
 * @throws {CliError} for a word without a value, and for a setting that does not exist.
 */
export function settingChanges(words: readonly string[]): Readonly<Record<string, Json>> {
  const [key, value, ...more] = words
  const isPair = key !== undefined && value !== undefined && !key.includes('=') && !value.includes('=')
  const pairs = isPair ? [`${key}=${value}`, ...more] : words
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at > 0) return [knownKey(pair.slice(0, at)), toValue(pair.slice(at + 1))]
      throw new CliError('E_USAGE', 2, `${pair} has no value. Write it as: holdfast settings set ${pair} VALUE`)
    }),
  )
}

/** A number, a switch, or a word. */
function toValue(text: string): Json {
  try {
    return Json.parse(JSON.parse(text))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return text
  }
}

function knownKey(text: string): string {
  if (COMPLETED_KEYS.some((key) => key === text)) return text
  throw unknown(text)
}

function unknown(key: string): CliError {
  const near = COMPLETED_KEYS.filter((one) => one.toLowerCase().includes(key.toLowerCase().slice(0, 5)))
  const meant = near.length === 0 ? '' : ` Do you mean ${near.join(' or ')}?`
  return new CliError(
    'E_UNKNOWN_SETTING',
    3,
    `There is no setting ${key}.${meant} See what there is: holdfast settings`,
  )
}

function written(rows: readonly SettingRow[]): string {
  const width = Math.max(0, ...rows.map(({ key }) => key.length))
  const sections = [...new Set(rows.map(({ section }) => section))]
  return sections
    .map((section) => {
      const lines = rows
        .filter((row) => row.section === section)
        .map(
          (row) =>
            `  ${row.key.padEnd(width)}  ${valueText(row.value)}${sourceText(row)}\n  ${' '.repeat(width)}  ${row.says}\n`,
        )
      return `${section}\n${lines.join('')}`
    })
    .join('\n')
}

function sourceText({ source, usual }: SettingRow): string {
  switch (source) {
    case 'default':
      return ''
    case 'stored':
      return `  (usual: ${valueText(usual)})`
    case 'file':
      return `  (set in the configuration file; usual: ${valueText(usual)})`
    case 'environment':
      return `  (set by HOLDFAST_SETTINGS; usual: ${valueText(usual)})`
  }
}

function valueText(value: Json): string {
  return value === null ? 'none' : String(value)
}
