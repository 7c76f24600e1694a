import { say } from './language/say.ts'
import { perSpeech } from './language/speech.ts'

const clock = dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const exact = dates({ timeStyle: 'medium', hourCycle: 'h23' })
const moment = dates({ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })
const weekday = dates({ weekday: 'short' })
const day = dates({ day: 'numeric', month: 'short' })
const whole = numbers({})
const tenths = numbers({ minimumFractionDigits: 1, maximumFractionDigits: 1 })
const hundredths = numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 })
const compact = perSpeech(() => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }))
const pointSign = perSpeech(
  ({ locale }) => new Intl.NumberFormat(locale).formatToParts(0.1).find(({ type }) => type === 'decimal')?.value ?? '.',
)

const DAY_MS = 86_400_000

/** Hours and minutes. `at` is in milliseconds since the Unix epoch, as everywhere here. */
export function timeOfDay(at: number): string {
  return clock().format(at)
}

/** Day, hours and minutes: of what may be read years later. */
export function dayAndTime(at: number): string {
  return moment().format(at)
}

/** When, as short as the list has room for. */
export function listTime(at: number, now: number): string {
  const days = daysBefore(at, now)
  if (days <= 1) return clock().format(at)
  return days < 7 ? weekday().format(at) : day().format(at)
}

/** The group of the list that a time belongs to. */
export function listGroup(at: number, now: number): string {
  const days = daysBefore(at, now)
  if (days <= 0) return say('page.today')
  if (days === 1) return say('page.yesterday')
  return days < 7 ? say('page.previous-days', { days: 7 }) : say('page.older')
}

/** Tokens as the margin has room for: 240, 1.2k. */
export function shortCount(count: number): string {
  // The signs for thousands and more are the same in every language, as those of bytes are.
  const parts = compact()
    .formatToParts(count)
    .map(({ type, value }) => (type === 'decimal' ? pointSign() : value))
  return parts.join('').toLowerCase()
}

/** A whole number in words' company: 1,204. */
export function wholeCount(count: number): string {
  return whole().format(count)
}

/** The shortest time that two digits tell, in milliseconds. */
const SHORTEST_MS = 10

/** How long something took: 0.04 s, 3.1 s, 1:05. */
export function durationText(ms: number): string {
  // What took time took no “0.00 s”.
  if (ms > 0 && ms < SHORTEST_MS) return say('page.less-than', { time: secondsText(SHORTEST_MS) })
  if (ms < 1_000) return secondsText(ms)
  if (ms < 59_950) return say('page.seconds', { seconds: tenths().format(ms / 1_000) })
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Seconds with two digits behind the point: 0.04 s. */
export function secondsText(ms: number): string {
  return say('page.seconds', { seconds: hundredths().format(ms / 1_000) })
}

/** A share with one digit behind the point: 46.0 %. */
export function percentText(share: number): string {
  return say('page.percent', { percent: tenths().format(share * 100) })
}

/** Whole seconds as a clock shows them: 0:12. */
export function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Hours, minutes and seconds. */
export function exactTime(at: number): string {
  return exact().format(at)
}

function dates(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  return perSpeech(({ locale }) => new Intl.DateTimeFormat(locale, options))
}

function numbers(options: Intl.NumberFormatOptions): () => Intl.NumberFormat {
  return perSpeech(({ locale }) => new Intl.NumberFormat(locale, options))
}

function daysBefore(at: number, now: number): number {
  return Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / DAY_MS)
}

/** How many lines a text has, as editors count them: the end of the last line begins no other. */
export function lineCount(text: string): number {
  return text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0)
}
