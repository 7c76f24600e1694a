import { MalformedScheduleError } from './read-cron.ts'
import { dayNumber, readWallTime, type WallDay, wallDay } from './wall-days.ts'
import type { WallPattern } from './wall-pattern.ts'
import { DAY_MINUTES, type Zone } from './zone-time.ts'

/** So many occurrences a rule may count. */
const MOST_COUNTED = 10_000
/** A rule that counts is followed for so many days. */
const COUNTED_DAYS = 36_525

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** What a rule of RFC 5545 says, as far as schedules take it. */
interface Rule {
  readonly freq: (typeof FREQUENCIES)[number]
  readonly interval: number
  readonly months: readonly number[]
  readonly monthDays: readonly number[]
  readonly weekdays: readonly { readonly weekday: number; readonly nth: number | null }[]
  readonly hours: readonly number[]
  readonly minutes: readonly number[]
  readonly positions: readonly number[]
  readonly weekStart: number
  readonly anchor: WallDay
}

const FREQUENCIES = ['MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
const NAMES = new Set(
  'FREQ INTERVAL COUNT UNTIL BYMONTH BYMONTHDAY BYDAY BYHOUR BYMINUTE BYSECOND BYSETPOS WKST'.split(' '),
)

/**
 * Reads an RRULE, with a DTSTART line before it or without; `anchorMinute` is the wall time at which it begins otherwise.
 *
 * @throws {MalformedScheduleError}
 */
export function readRrule(
  text: string,
  { zone, anchorMinute }: { readonly zone: Zone; readonly anchorMinute: number },
): WallPattern {
  const lines = text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const start = lines.find((line) => /^DTSTART/i.test(line))
  const begins = start === undefined ? anchorMinute : startOf(start, zone)
  const rules = lines.filter((line) => line !== start)
  if (rules.length !== 1 || rules[0] === undefined)
    throw new MalformedScheduleError(
      `A schedule has one RRULE, and a DTSTART line before it if it needs one; this has ${rules.length}.`,
    )
  const said = partsOf(rules[0].replace(/^RRULE:/i, ''))
  const rule = ruleOf(said, begins)
  const until = said.get('UNTIL')
  const count = said.get('COUNT')
  if (until !== undefined && count !== undefined)
    throw new MalformedScheduleError('A rule ends by UNTIL or by COUNT, not by both.')
  const endless: WallPattern = {
    isFrequent: isFrequent(rule),
    firstMinute: begins,
    lastMinute: until === undefined ? null : endOf(until, zone),
    timesOn: timesOf(rule, begins),
  }
  return count === undefined
    ? endless
    : { ...endless, lastMinute: lastCounted(endless, wholeIn('COUNT', count, [1, MOST_COUNTED])) }
}

function startOf(line: string, zone: Zone): number {
  const [, parameter, value = ''] = /^DTSTART(?:;([^:]*))?:(.*)$/i.exec(line) ?? []
  // The zone of the schedule holds for all of it: another one would be shown nowhere.
  if (parameter !== undefined && parameter.toUpperCase() !== `TZID=${zone.name.toUpperCase()}`)
    throw new MalformedScheduleError(
      `DTSTART says "${parameter}", and the time zone of the schedule is ${zone.name}: choose the zone there, and leave it out here.`,
    )
  return timeOf('DTSTART', value, zone)
}

function endOf(value: string, zone: Zone): number {
  const end = timeOf('UNTIL', value, zone)
  return value.includes('T') ? end : end + DAY_MINUTES - 1
}

function timeOf(name: string, value: string, zone: Zone): number {
  const wall = readWallTime(value.replace(/Z$/i, ''))
  if (wall === null) throw new MalformedScheduleError(`${name} "${value}" is no time; write it like 20260329T023000.`)
  return /Z$/i.test(value) ? zone.wallOf(wall * 60_000) : wall
}

function partsOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const part of text.toUpperCase().split(';')) {
    const [name = '', value = ''] = part.split('=')
    if (!NAMES.has(name) || value === '')
      throw new MalformedScheduleError(`"${part}" is no part of a rule that schedules take: ${[...NAMES].join(', ')}.`)
    found.set(name, value)
  }
  return found
}

function ruleOf(said: ReadonlyMap<string, string>, begins: number): Rule {
  const freq = FREQUENCIES.find((name) => name === said.get('FREQ'))
  if (freq === undefined)
    throw new MalformedScheduleError(
      `FREQ is one of ${FREQUENCIES.join(', ')}; a schedule runs at whole minutes, and not more often.`,
    )
  if (said.has('BYSECOND') && said.get('BYSECOND') !== '0')
    throw new MalformedScheduleError('A schedule runs at whole minutes: BYSECOND can only be 0.')
  const numbers = (name: string, range: readonly [number, number]): readonly number[] =>
    (said.get(name)?.split(',') ?? []).map((value) => wholeIn(name, value, range))
  const time = ((begins % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES
  const isByClock = freq === 'MINUTELY' || freq === 'HOURLY'
  const or = (given: readonly number[], own: number): readonly number[] => (given.length > 0 ? ordered(given) : [own])
  const hours = numbers('BYHOUR', [0, 23])
  const minutes = numbers('BYMINUTE', [0, 59])
  const positions = numbers('BYSETPOS', [-366, 366])
  if (isByClock && positions.length > 0)
    throw new MalformedScheduleError('BYSETPOS is for rules by days, weeks, months or years.')
  if (positions.includes(0)) throw new MalformedScheduleError('BYSETPOS counts from 1, or from the end from -1.')
  return {
    freq,
    interval: wholeIn('INTERVAL', said.get('INTERVAL') ?? '1', [1, 10_000]),
    months: numbers('BYMONTH', [1, 12]),
    monthDays: numbers('BYMONTHDAY', [-31, 31]),
    weekdays: (said.get('BYDAY')?.split(',') ?? []).map((value) => weekdayOf(value, freq)),
    hours: isByClock ? hours : or(hours, Math.floor(time / 60)),
    minutes: freq === 'MINUTELY' ? minutes : or(minutes, time % 60),
    positions,
    weekStart: Math.max(0, WEEKDAYS.indexOf(said.get('WKST') ?? 'MO')),
    anchor: wallDay(Math.floor(begins / DAY_MINUTES)),
  }
}

function weekdayOf(value: string, freq: Rule['freq']): Rule['weekdays'][number] {
  const [, nth, name = ''] = /^([+-]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/.exec(value) ?? []
  if (name === '' || (nth !== undefined && (Number(nth) === 0 || (freq !== 'MONTHLY' && freq !== 'YEARLY'))))
    throw new MalformedScheduleError(`BYDAY "${value}" is no day of the week, such as MO, or 1MO by months and years.`)
  return { weekday: WEEKDAYS.indexOf(name), nth: nth === undefined ? null : Number(nth) }
}

function wholeIn(name: string, value: string, [from, to]: readonly [number, number]): number {
  const number = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= from && number <= to))
    throw new MalformedScheduleError(`${name} "${value}" is no number from ${from} to ${to}.`)
  return number
}

function isFrequent({ freq, interval, hours, minutes }: Rule): boolean {
  if (freq === 'MINUTELY') return interval < 60
  if (freq === 'HOURLY' && interval === 1 && hours.length === 0) return true
  return minutes.length > 1 || hours.length === 24
}

function timesOf(rule: Rule, begins: number): WallPattern['timesOn'] {
  if (rule.freq === 'MINUTELY' || rule.freq === 'HOURLY') {
    const allowed = allowedTimes(rule)
    return (day) => clockTimes(rule, { day, begins, allowed })
  }
  const times = rule.hours.flatMap((hour) => rule.minutes.map((minute) => hour * 60 + minute))
  if (rule.positions.length === 0) return (day) => (isOn(rule, day) ? times : [])
  let known: { readonly key: number; readonly picked: readonly number[] } | null = null
  return (day) => {
    const days = periodOf(rule, day)
    const key = days[0] ?? 0
    if (known?.key !== key) {
      const all = days
        .filter((number) => isOn(rule, wallDay(number)))
        .flatMap((number) => times.map((time) => number * DAY_MINUTES + time))
      const picked = rule.positions
        .map((position) => all.at(position > 0 ? position - 1 : position))
        .filter((minute) => minute !== undefined)
      known = { key, picked }
    }
    const from = day.number * DAY_MINUTES
    return ordered(
      known.picked.filter((minute) => minute >= from && minute < from + DAY_MINUTES).map((minute) => minute - from),
    )
  }
}

/** The minutes of a day that a rule by minutes or hours leaves. */
function allowedTimes({ hours, minutes }: Rule): readonly number[] {
  return Array.from({ length: DAY_MINUTES }, (_, time) => time).filter(
    (time) =>
      (hours.length === 0 || hours.includes(Math.floor(time / 60))) &&
      (minutes.length === 0 || minutes.includes(time % 60)),
  )
}

/** Every so many minutes or hours from the beginning on, by the calendar. */
function clockTimes(
  rule: Rule,
  { day, begins, allowed }: { readonly day: WallDay; readonly begins: number; readonly allowed: readonly number[] },
): readonly number[] {
  if (!isDayAllowed(rule, day)) return []
  const from = day.number * DAY_MINUTES
  const isHourly = rule.freq === 'HOURLY'
  const first = Math.floor(begins / 60)
  return allowed.filter((time) => {
    const since = isHourly ? Math.floor((from + time) / 60) - first : from + time - begins
    return since >= 0 && since % rule.interval === 0
  })
}

function isOn(rule: Rule, day: WallDay): boolean {
  if (!isPeriodOn(rule, day) || !isDayAllowed(rule, day)) return false
  if (rule.weekdays.length > 0 || rule.monthDays.length > 0) return true
  switch (rule.freq) {
    case 'WEEKLY':
      return day.weekday === rule.anchor.weekday
    case 'MONTHLY':
      return day.day === rule.anchor.day
    case 'YEARLY':
      return day.day === rule.anchor.day && (rule.months.length > 0 || day.month === rule.anchor.month)
    case 'DAILY':
    case 'HOURLY':
    case 'MINUTELY':
      return true
  }
}

function isDayAllowed(rule: Rule, day: WallDay): boolean {
  if (rule.months.length > 0 && !rule.months.includes(day.month)) return false
  const { monthDays, weekdays } = rule
  if (
    monthDays.length > 0 &&
    !monthDays.some((number) => day.day === (number > 0 ? number : day.daysInMonth + 1 + number))
  )
    return false
  return weekdays.length === 0 || weekdays.some((wanted) => isWeekday(rule, day, wanted))
}

function isWeekday(rule: Rule, day: WallDay, { weekday, nth }: Rule['weekdays'][number]): boolean {
  if (day.weekday !== weekday) return false
  if (nth === null) return true
  const isOfYear = rule.freq === 'YEARLY' && rule.months.length === 0
  const from = isOfYear ? (dayNumber({ year: day.year, month: 1, day: 1 }) ?? 0) : day.number - day.day + 1
  const to = isOfYear ? (dayNumber({ year: day.year, month: 12, day: 31 }) ?? 0) : from + day.daysInMonth - 1
  const place = nth > 0 ? Math.floor((day.number - from) / 7) + 1 : -Math.floor((to - day.number) / 7) - 1
  return place === nth
}

function isPeriodOn({ freq, interval, anchor, weekStart }: Rule, day: WallDay): boolean {
  switch (freq) {
    case 'DAILY':
      return (day.number - anchor.number) % interval === 0
    case 'WEEKLY':
      return ((weekOf(day, weekStart) - weekOf(anchor, weekStart)) / 7) % interval === 0
    case 'MONTHLY':
      return ((day.year - anchor.year) * 12 + day.month - anchor.month) % interval === 0
    case 'YEARLY':
      return (day.year - anchor.year) % interval === 0
    case 'HOURLY':
    case 'MINUTELY':
      return true
  }
}

/** The number of the first day of a week. */
function weekOf({ number, weekday }: WallDay, weekStart: number): number {
  return number - ((weekday - weekStart + 7) % 7)
}

/** The days of the week, month or year in which a day is, of which BYSETPOS picks. */
function periodOf(rule: Rule, day: WallDay): readonly number[] {
  switch (rule.freq) {
    case 'WEEKLY':
      return daysFrom(weekOf(day, rule.weekStart), 7)
    case 'MONTHLY':
      return daysFrom(day.number - day.day + 1, day.daysInMonth)
    case 'YEARLY': {
      const first = dayNumber({ year: day.year, month: 1, day: 1 }) ?? 0
      return daysFrom(first, (dayNumber({ year: day.year + 1, month: 1, day: 1 }) ?? 0) - first)
    }
    case 'DAILY':
    case 'HOURLY':
    case 'MINUTELY':
      return [day.number]
  }
}

function daysFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}

/** The wall time at which a rule has happened so often. */
function lastCounted(pattern: WallPattern, count: number): number {
  const begins = pattern.firstMinute ?? 0
  const firstDay = Math.floor(begins / DAY_MINUTES)
  let left = count
  let last = begins - 1
  for (let number = firstDay; number < firstDay + COUNTED_DAYS && left > 0; number++) {
    for (const time of pattern.timesOn(wallDay(number))) {
      const minute = number * DAY_MINUTES + time
      if (minute < begins || left === 0) continue
      last = minute
      left -= 1
    }
  }
  return last
}

function ordered(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((one, other) => one - other)
}
