const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const exact = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hourCycle: 'h23' })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const whole = new Intl.NumberFormat()

const DAY_MS = 86_400_000

/** Hours and minutes. `at` is in milliseconds since the Unix epoch, as everywhere here. */
export function timeOfDay(at: number): string {
  return clock.format(at)
}

/** When, as short as the list has room for. */
export function listTime(at: number, now: number): string {
  const days = daysBefore(at, now)
  if (days <= 1) return clock.format(at)
  return days < 7 ? weekday.format(at) : day.format(at)
}

/** The group of the list that a time belongs to. */
export function listGroup(at: number, now: number): string {
  const days = daysBefore(at, now)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return days < 7 ? 'Previous 7 days' : 'Older'
}

/** Tokens as the margin has room for: 240, 1.2k. */
export function shortCount(count: number): string {
  return compact.format(count).toLowerCase()
}

/** A whole number in words' company: 1,204. */
export function wholeCount(count: number): string {
  return whole.format(count)
}

/** How long something took: 0.04 s, 3.1 s, 1:05. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${(ms / 1_000).toFixed(2)} s`
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Whole seconds as a clock shows them: 0:12. */
export function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Hours, minutes and seconds. */
export function exactTime(at: number): string {
  return exact.format(at)
}

function daysBefore(at: number, now: number): number {
  return Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / DAY_MS)
}
