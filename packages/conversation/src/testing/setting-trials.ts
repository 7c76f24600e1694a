import type { Json } from '../json.ts'
import { SETTING_KEYS, SETTINGS, type SettingKey } from '../settings/settings.ts'

/** A value that is tried on a setting, and whether the table's own figures say that it may be set. */
export interface SettingTrial {
  readonly key: SettingKey
  readonly about: string
  /** As JSON holds it; `NaN` is in no JSON, so that it comes as a text. */
  readonly value: Json
  readonly isTaken: boolean
  /** What a refusal must name: the bounds or the words of the setting. */
  readonly named: readonly string[]
}

/**
 * For every setting: its bounds, what lies one step outside of them, and what is no value of its kind. The answer to each is
 * read from the figures of the table, and not from its schemas. [WIN10]
 */
export function settingTrials(): readonly SettingTrial[] {
  return SETTING_KEYS.flatMap((key) => {
    const { unit, least, most, choices } = SETTINGS[key]
    const named = [...(choices ?? []), ...(least === undefined ? [] : [String(least), String(most)])]
    const words = unit === 'switch' ? ['true', 'false'] : named
    const trial = (about: string, value: Json, isTaken: boolean): SettingTrial => ({
      key,
      about,
      value,
      isTaken,
      named: words,
    })
    const step = unit === 'share' ? 0.001 : 1
    const numbers =
      least === undefined || most === undefined
        ? [trial('a number', 7, false)]
        : [
            trial('the least', least, true),
            trial('the most', most, true),
            trial('below', least - step, false),
            trial('above', most + step, false),
            trial('far above', 1e300, false),
            ...(unit === 'share' ? [] : [trial('between two', least + 0.5, false)]),
          ]
    return [
      ...numbers,
      ...(choices ?? []).map((word) => trial('a word of the list', word, true)),
      trial('a switch', true, unit === 'switch'),
      trial('a word', 'many', false),
      trial('no number', 'NaN', false),
      trial('nothing', '', false),
      trial('a list', [], false),
      trial('an object', {}, false),
    ]
  })
}
