import type { OccurrenceRow, ScheduleRow } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'
import { perSpeech } from '../shared/language/speech.ts'

const days = perSpeech(({ locale }) => new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }))
const money = perSpeech(
  ({ locale }) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 }),
)

/** A day of the week, short. */
export function dayWord(at: number): string {
  return days().format(at)
}

/** A time in a time zone, with its day. */
export function timeText(at: number, timeZone: string): string {
  const locale = document.documentElement.lang === '' ? 'en' : document.documentElement.lang
  const options = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  } as const
  try {
    return new Intl.DateTimeFormat(locale, { ...options, hourCycle: 'h23', timeZone }).format(at)
  } catch (error) {
    // A zone that is being written.
    if (error instanceof RangeError) return new Intl.DateTimeFormat(locale, options).format(at)
    throw error
  }
}

/** What a run cost; nothing where nobody knows. */
export function costWord(costUsd: number | null): string | null {
  return costUsd === null || costUsd === 0 ? null : money().format(costUsd)
}

/** What a schedule does next, in words. */
export function nextWord({ isOn, nextAt, timeZone, pausedReason }: ScheduleRow): string {
  if (!isOn) return say(pausedReason === null ? 'schedules.paused' : 'schedules.paused-itself')
  return nextAt === null
    ? say('schedules.over')
    : say('schedules.next-at', { time: timeText(nextAt, timeZone), zone: timeZone })
}

/** What became of a run, in words. */
export function stateWord(state: OccurrenceRow['state']): string {
  return say(`schedules.state-${state}`)
}
