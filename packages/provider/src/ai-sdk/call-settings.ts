import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Json } from '@holdfast/conversation'
import { type ModelRequest, ProviderError } from '../model-port.ts'

/** What every package is told in the interface's own words. */
type CallSettings = Pick<
  LanguageModelV4CallOptions,
  'temperature' | 'topP' | 'topK' | 'presencePenalty' | 'frequencyPenalty' | 'seed'
>

/** Our names of the settings, which are those of the wire formats, and the interface's. */
const SETTINGS = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  seed: 'seed',
} as const

/**
 * The parameters that the interface has a field for.
 *
 * @throws {ProviderError} `bad-request` when one of them is no number.
 */
export function callSettings(parameters: ModelRequest['parameters']): CallSettings {
  const settings: { -readonly [Name in keyof CallSettings]: CallSettings[Name] } = {}
  for (const [name, value] of Object.entries(parameters)) {
    if (!isSetting(name)) continue
    if (typeof value !== 'number')
      throw new ProviderError('bad-request', `The parameter "${name}" is a number, not ${JSON.stringify(value)}`, {})
    settings[SETTINGS[name]] = value
  }
  return settings
}

/** All other parameters: a package takes them among its own options, under its own names. */
export function packageParameters(parameters: ModelRequest['parameters']): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !isSetting(name)))
}

function isSetting(name: string): name is keyof typeof SETTINGS {
  return Object.hasOwn(SETTINGS, name)
}
