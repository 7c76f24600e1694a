import { type Json, SETTINGS, type SettingKey, type SettingUnit } from '@holdfast/conversation'
import { wholeCount } from '../shared/format.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { SETTING_WORDS } from './setting-words.ts'

/** How many of what is stored make one of what people write: thousandths of seconds, hundredths. */
const SCALES: Readonly<Partial<Record<SettingUnit, number>>> = { milliseconds: 1_000, share: 0.01 }

const UNITS: Readonly<Partial<Record<SettingUnit, PlainKey>>> = {
  tokens: 'limits.unit-tokens',
  milliseconds: 'limits.unit-seconds',
  characters: 'limits.unit-characters',
  bytes: 'limits.unit-bytes',
  share: 'limits.unit-percent',
}

const VALUES = {
  tokens: 'limits.in-tokens',
  choice: 'limits.in-tokens',
  milliseconds: 'limits.in-seconds',
  characters: 'limits.in-characters',
  bytes: 'limits.in-bytes',
  share: 'limits.in-percent',
  count: null,
  switch: null,
} as const

const CHOICES: Readonly<Record<string, PlainKey>> = {
  off: 'limits.off',
  low: 'limits.low',
  medium: 'limits.medium',
  high: 'limits.high',
  own: 'limits.their-own',
  providers: 'limits.providers-here',
  none: 'limits.each-other',
  outside: 'limits.public-internet',
  host: 'limits.all-of-this-machine',
}

/** A number as it is written in a field: in seconds and percent where those are meant. */
export function fieldText(key: SettingKey, value: Json): string {
  if (typeof value !== 'number') return ''
  const scaled = value / (SCALES[SETTINGS[key].unit] ?? 1)
  return String(Math.round(scaled * 1_000) / 1_000)
}

/** What a field says: a value that may be stored, null for an empty field, or why it may not be. */
export type ReadField =
  | { readonly type: 'read'; readonly value: number | null }
  | { readonly type: 'refused'; readonly problem: string }

/** Reads a number that was written; what is none, or out of bounds, is refused with the name, the bounds and what to do. [UI19] */
export function readField(key: SettingKey, text: string): ReadField {
  const value = storedValue(key, text)
  const { least, most } = SETTINGS[key]
  if (least === undefined || most === undefined) throw new Error(`The setting ${key} is not a number`)
  if (value === null || (value !== undefined && value >= least && value <= most)) return { type: 'read', value }
  const name = say(SETTING_WORDS[key].name)
  const bounds = { name, least: valueWords(key, least), most: valueWords(key, most) }
  if (value === undefined) return { type: 'refused', problem: say('limits.no-number', { ...bounds, text }) }
  return { type: 'refused', problem: say(value < least ? 'limits.too-small' : 'limits.too-large', bounds) }
}

/** What is stored for a number that was written; null for an empty field, undefined for what is no number. */
function storedValue(key: SettingKey, text: string): number | null | undefined {
  const written = text.trim().replace(',', '.')
  if (written === '') return null
  const number = Number(written)
  if (!Number.isFinite(number)) return undefined
  const scaled = number * (SCALES[SETTINGS[key].unit] ?? 1)
  return SETTINGS[key].unit === 'share' ? Math.round(scaled * 10_000) / 10_000 : Math.round(scaled)
}

/** A value in words, with its unit. */
export function valueWords(key: SettingKey, value: Json): string {
  if (value === null) return say('limits.nothing')
  if (typeof value === 'boolean') return say(value ? 'limits.on' : 'limits.off')
  if (typeof value === 'string') return say(CHOICES[value] ?? 'limits.nothing')
  const { unit } = SETTINGS[key]
  const scaled = Number(value) / (SCALES[unit] ?? 1)
  const message = VALUES[unit]
  return message === null ? wholeCount(scaled) : say(message, { count: scaled })
}

/** The word of a choice. */
export function choiceWord(choice: string): string {
  return say(CHOICES[choice] ?? 'limits.nothing')
}

/** The unit beside a field; empty where the name says it. */
export function unitWord(key: SettingKey): string {
  const unit = UNITS[SETTINGS[key].unit]
  return unit === undefined ? '' : say(unit)
}
