import { IntlMessageFormat } from 'intl-messageformat'
import type { english } from '../words/english.ts'
import { directionOf } from './languages.ts'
import type { TagsOf, ValuesOf } from './message-values.ts'
import { perSpeech } from './speech.ts'

type English = typeof english

/** The key of a message. */
export type MessageKey = keyof English

/** The key of a message without tags. */
export type TextKey = { [Key in MessageKey]: [TagsOf<English[Key]>] extends [never] ? Key : never }[MessageKey]

/** The key of a message that asks for nothing. Tables hold such keys, since they are made before the language is known. */
export type PlainKey = { [Key in TextKey]: [keyof ValuesOf<English[Key]>] extends [never] ? Key : never }[TextKey]

type Asked<Key extends MessageKey> = Key extends PlainKey ? [] : [values: ValuesOf<English[Key]>]

/** Only these give a message more than its words. */
const SYNTAX = /[{<']/

/** Around what is put into words that go from right to left, so that it keeps its own direction. */
const ISOLATE = { start: '\u2068', end: '\u2069' } as const

/** A message in the language of the page. [UI8] */
export function say<Key extends TextKey>(key: Key, ...[values]: Asked<Key>): string {
  const { text, format } = messageOf(key)
  return format ? String(format.format(isolated(values ?? {}))) : text
}

/** The text of a message, and its reader where it needs one. */
export function messageOf(key: MessageKey): { readonly text: string; readonly format: IntlMessageFormat | null } {
  const { words, locale, formats } = formatsInUse()
  const text = words[key]
  if (text === undefined)
    throw new Error(`The words of ${key} are not loaded: a part that says them has no script of its own`)
  if (!SYNTAX.test(text)) return { text, format: null }
  const known = formats.get(key)
  if (known) return { text, format: known }
  const format = new IntlMessageFormat(text, locale)
  formats.set(key, format)
  return { text, format }
}

const formatsInUse = perSpeech((spoken) => ({
  ...spoken,
  formats: new Map<MessageKey, IntlMessageFormat>(),
  isFromTheRight: directionOf(spoken.language) === 'rtl',
}))

type Value = string | number | Date

function isolated(values: Readonly<Record<string, Value>>): Record<string, Value> {
  if (!formatsInUse().isFromTheRight) return values
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? `${ISOLATE.start}${value}${ISOLATE.end}` : value,
    ]),
  )
}
