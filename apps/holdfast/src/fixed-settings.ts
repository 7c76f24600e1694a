import {
  type AgentSettings,
  CommandNetwork,
  type SettingKey,
  type Settings,
  SomeSettings,
  settingProblems,
  settingsOfConversation,
  settingsOver,
  USUAL_SETTINGS,
} from '@holdfast/conversation'
import { inputWords } from '@holdfast/protocol'
import type { FixedSettings } from '@holdfast/server'
import { CliError } from './cli-error.ts'
import { lineOfSetting } from './config-file.ts'
import type { ConfigFile } from './config-file-schema.ts'

/** The variable that holds settings as JSON. */
const SETTINGS_VARIABLE = 'HOLDFAST_SETTINGS'

/** Where settings may be said outside of the API. */
export interface FixedSources {
  readonly file: ConfigFile
  /** Null where there is no file. */
  readonly path: string | null
  /** A variable of the environment; undefined where it is not set. */
  readonly variable: (name: string) => string | undefined
}

/**
 * The settings of the file and of the environment, in the order in which they stand above each other.
 *
 * @throws {CliError} for what is no setting, and for settings that contradict each other, with the line of the file.
 */
export function readFixedSettings({ file, path, variable }: FixedSources): readonly FixedSettings[] {
  const ofFile = file.settings ?? {}
  const text = variable(SETTINGS_VARIABLE)
  const ofEnvironment = text === undefined ? {} : parsed(text)
  const network = networkOf(variable(NETWORK_VARIABLE))
  const all = settingsOver(settingsOver(USUAL_SETTINGS, ofFile), ofEnvironment)
  const [problem] = settingProblems(all)
  if (problem) {
    const keys = problem.keys.filter((key) => ofEnvironment[key] !== undefined || ofFile[key] !== undefined)
    const places = keys.map((key) => placeOf(key, { isOfFile: ofEnvironment[key] === undefined, path }))
    throw new CliError(
      'E_CONFIG',
      2,
      `Settings contradict each other. ${problem.text}. They are in ${places.join(', ')}.`,
    )
  }
  for (const { id, settings } of file.agents ?? []) checkAgent(id, settings, all)
  return [
    ...(path === null ? [] : [{ source: 'file' as const, place: path, values: ofFile }]),
    ...(file.commands?.network === undefined
      ? []
      : [{ source: 'file' as const, place: `${path} (commands)`, values: { commandNetwork: file.commands.network } }]),
    ...(text === undefined
      ? []
      : [{ source: 'environment' as const, place: SETTINGS_VARIABLE, values: ofEnvironment }]),
    ...(network === null
      ? []
      : [{ source: 'environment' as const, place: NETWORK_VARIABLE, values: { commandNetwork: network } }]),
  ]
}

/** What holds where nothing is stored. */
export function fixedOrUsual({ fixedSettings }: { readonly fixedSettings: readonly FixedSettings[] }): Settings {
  return fixedSettings.reduce((below, { values }) => settingsOver(below, values), USUAL_SETTINGS)
}

/** A variable of its own, for containers. */
const NETWORK_VARIABLE = 'HOLDFAST_COMMAND_NETWORK'

function networkOf(text: string | undefined): CommandNetwork | null {
  if (text === undefined) return null
  const read = CommandNetwork.safeParse(text)
  if (read.success) return read.data
  throw new CliError('E_CONFIG', 2, `${NETWORK_VARIABLE} is none, outside or host, not "${text}".`)
}

/** @throws {CliError} for an agent of the file whose settings cannot hold together above the installation's. */
function checkAgent(id: string, own: AgentSettings, installation: Settings): void {
  const settings = settingsOfConversation(installation, own)
  const [problem] = settingProblems(settings).filter(({ keys }) => keys.some((key) => Object.hasOwn(own, key)))
  if (problem) throw new CliError('E_CONFIG', 2, `Settings of the agent ${id} contradict each other. ${problem.text}.`)
}

function parsed(text: string): SomeSettings {
  const read = SomeSettings.safeParse(jsonOf(text))
  if (read.success) return read.data
  throw new CliError(
    'E_CONFIG',
    2,
    `${SETTINGS_VARIABLE} cannot be used: ${inputWords(read.error, 'it')}. See what there is: holdfast settings`,
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new CliError('E_CONFIG', 2, `${SETTINGS_VARIABLE} is not JSON. Write it as {"stepsPerRun": 100}.`)
  }
}

function placeOf(
  key: SettingKey,
  { isOfFile, path }: { readonly isOfFile: boolean; readonly path: string | null },
): string {
  if (!isOfFile || path === null) return `${SETTINGS_VARIABLE} (${key})`
  return `${path}:${lineOfSetting(path, key)} (${key})`
}
