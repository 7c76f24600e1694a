import type { WallDay } from './wall-days.ts'
import type { WallPattern } from './wall-pattern.ts'

/** A rule that cannot be read, or is none that a schedule may have; the message says what is wrong and what to write. */
export class MalformedScheduleError extends Error {
  override readonly name = 'MalformedScheduleError'
  readonly code = 'malformed-schedule'
}

interface Field {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly words: readonly string[]
}

const MINUTE: Field = { name: 'minute', from: 0, to: 59, words: [] }
const HOUR: Field = { name: 'hour', from: 0, to: 23, words: [] }
const DAY: Field = { name: 'day of the month', from: 1, to: 31, words: [] }
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const MONTH: Field = { name: 'month', from: 1, to: 12, words: MONTHS }
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const WEEKDAY: Field = { name: 'day of the week', from: 0, to: 7, words: WEEKDAYS }

const SHORT: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}

/**
 * Reads a cron expression of five fields: minute, hour, day of the month (`L` is the last), month, day of the week. Where both
 * days are limited, either is enough, as in every cron.
 *
 * @throws {MalformedScheduleError}
 */
export function readCron(expression: string): WallPattern {
  const text = expression.trim()
  const fields = (SHORT[text.toLowerCase()] ?? text).split(/\s+/)
  if (fields.length === 6)
    throw new MalformedScheduleError(
      `"${text}" has six fields. A schedule runs at whole minutes: leave the field of seconds out.`,
    )
  const [minute, hour, day, month, weekday] = fields
  if (
    fields.length !== 5 ||
    minute === undefined ||
    hour === undefined ||
    day === undefined ||
    month === undefined ||
    weekday === undefined
  )
    throw new MalformedScheduleError(
      `"${text}" has ${fields.length} fields, not five: minute, hour, day of the month, month, day of the week.`,
    )
  const minutes = valuesOf(minute, MINUTE)
  const hours = valuesOf(hour, HOUR)
  const isLast = day.toUpperCase().split(',').includes('L')
  const numbers = day
    .split(',')
    .filter((part) => part.toUpperCase() !== 'L')
    .join(',')
  const days = new Set(numbers === '' ? [] : valuesOf(numbers, DAY))
  const months = new Set(valuesOf(month, MONTH))
  const weekdays = new Set(valuesOf(weekday, WEEKDAY).map((value) => value % 7))
  const isDayLimited = !day.startsWith('*')
  const isWeekdayLimited = !weekday.startsWith('*')
  const times = hours.flatMap((each) => minutes.map((one) => each * 60 + one))

  function isOn(at: WallDay): boolean {
    if (!months.has(at.month)) return false
    const isDay = days.has(at.day) || (isLast && at.day === at.daysInMonth)
    const isWeekday = weekdays.has(at.weekday)
    return isDayLimited && isWeekdayLimited ? isDay || isWeekday : isDay && isWeekday
  }

  return {
    isFrequent: minutes.length > 1 || hours.length === 24,
    firstMinute: null,
    lastMinute: null,
    timesOn: (at) => (isOn(at) ? times : NONE),
  }
}

const NONE: readonly number[] = []

/** @throws {MalformedScheduleError} */
function valuesOf(text: string, field: Field): readonly number[] {
  const found = new Set<number>()
  for (const part of text.split(',')) for (const value of rangeOf(part, field)) found.add(value)
  return [...found].sort((one, other) => one - other)
}

function rangeOf(part: string, field: Field): readonly number[] {
  const parts = /^(\*|[A-Za-z0-9]+)(?:-([A-Za-z0-9]+))?(?:\/(\d+))?$/.exec(part)
  const [, first = '', last, step] = parts ?? []
  if (!parts || (first === '*' && last !== undefined)) throw wrong(part, field)
  const from = first === '*' ? field.from : oneOf(first, field)
  const end = step === undefined ? from : field.to
  const to = first === '*' ? field.to : last === undefined ? end : oneOf(last, field)
  const every = step === undefined ? 1 : Number(step)
  if (every < 1 || from > to) throw wrong(part, field)
  const values: number[] = []
  for (let value = from; value <= to; value += every) values.push(value)
  return values
}

function oneOf(text: string, field: Field): number {
  const word = field.words.indexOf(text.toUpperCase())
  const value = word >= 0 ? word + field.from : /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= field.from && value <= field.to)) throw wrong(text, field)
  return value
}

function wrong(part: string, { name, from, to }: Field): MalformedScheduleError {
  return new MalformedScheduleError(
    `"${part}" is no ${name}: ${from} to ${to}, with - for a range, , for several, / for steps.`,
  )
}
