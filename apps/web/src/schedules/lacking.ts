import { SCHEDULE_LIMITS } from '@holdfast/protocol'
import type { PlainKey } from '../shared/language/say.ts'
import { isTimed, monthDayOf, ruleOf } from './built-rule.ts'
import type { BuiltRule, ScheduleValue } from './kept-draft.ts'

/** The words for what is missing or wrong. */
export type Lack = PlainKey

/** The fields of the form that may lack something. */
type LackingField =
  | keyof Pick<ScheduleValue, 'name' | 'text' | 'timeZone' | 'jitter' | 'runUsd' | 'dayUsd' | 'monthUsd'>
  | keyof Pick<BuiltRule, 'time' | 'weekdays' | 'monthDay' | 'at' | 'raw' | 'awaited'>

/** What the fields of a form lack; nothing for those that are as they should be. */
export type Lacks = { readonly [Name in LackingField]?: Lack }

interface Written {
  readonly value: ScheduleValue
  readonly built: BuiltRule
}

/** What is written and cannot be: it is said at once. [UI114] */
export function wrongIn({ value, built }: Written): Lacks {
  return {
    ...lack('name', value.name.trim().length > SCHEDULE_LIMITS.name, 'schedules.wrong-name'),
    ...lack('text', value.text.trim().length > SCHEDULE_LIMITS.text, 'schedules.wrong-text'),
    ...lack('monthDay', built.kind === 'monthly' && monthDayOf(built.monthDay) === null, 'schedules.wrong-month-day'),
    ...lack('jitter', isTimed(built) && jitterOf(value) === null, 'schedules.wrong-jitter'),
    ...lack('runUsd', usdOf(value.runUsd) === null, 'schedules.wrong-budget'),
    ...lack('dayUsd', usdOf(value.dayUsd) === null, 'schedules.wrong-budget'),
    ...lack('monthUsd', usdOf(value.monthUsd) === null, 'schedules.wrong-budget'),
  }
}

/** What is not there yet: it is said when somebody wants to save. [UI114] */
export function missingIn({ value, built }: Written): Lacks {
  const { kind } = built
  const hasTime = /^\d\d:\d\d$/.test(built.time)
  const isClock = isTimed(built) && kind !== 'once' && kind !== 'raw'
  return {
    ...lack('name', value.name.trim() === '', 'schedules.lacks-name'),
    ...lack('text', value.text.trim() === '', 'schedules.lacks-text'),
    ...lack('timeZone', value.timeZone.trim() === '', 'schedules.lacks-zone'),
    ...lack('time', isClock && !hasTime, 'schedules.lacks-time'),
    ...lack('weekdays', kind === 'weekly' && built.weekdays.length === 0, 'schedules.lacks-days'),
    ...lack('at', kind === 'once' && built.at === '', 'schedules.lacks-at'),
    ...lack('raw', kind === 'raw' && ruleOf(built) === null, 'schedules.lacks-rule'),
    ...lack('awaited', kind === 'after-schedule' && built.awaited === '', 'schedules.lacks-schedule'),
    ...lack('awaited', kind === 'after-conversation' && built.awaited === '', 'schedules.lacks-conversation'),
  }
}

/** How much later the runs may be, in minutes; null for what is no such number. */
export function jitterOf({ jitter }: Pick<ScheduleValue, 'jitter'>): number | null {
  const minutes = jitter.trim() === '' ? 0 : Number(jitter)
  return Number.isInteger(minutes) && minutes >= 0 && minutes <= 60 ? minutes : null
}

/** The least and the most that a budget is. */
const LEAST_USD = 0.0001
const MOST_USD = 1_000_000

/** Dollars as they are written; undefined for none, null for what is no such amount. */
export function usdOf(text: string): number | undefined | null {
  if (text.trim() === '') return undefined
  const amount = Number(text.replace('$', '').replace(',', '.'))
  return amount >= LEAST_USD && amount <= MOST_USD ? amount : null
}

function lack(field: LackingField, isLacking: boolean, words: Lack): Lacks {
  return isLacking ? { [field]: words } : {}
}
