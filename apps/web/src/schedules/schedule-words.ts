import type { OccurrenceRow, ScheduleRow } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'
import { perSpeech } from '../shared/language/speech.ts'

const days = perSpeech(({ locale }) => new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }))
const money = perSpeech(
  ({ locale }) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 }),
)

/** What the kinds of built rules are called. */
export const KIND_WORDS = {
  hourly: 'schedules.kind-hourly',
  daily: 'schedules.kind-daily',
  weekdays: 'schedules.kind-weekdays',
  weekly: 'schedules.kind-weekly',
  monthly: 'schedules.kind-monthly',
  once: 'schedules.kind-once',
  raw: 'schedules.kind-raw',
  hook: 'schedules.kind-hook',
  'after-schedule': 'schedules.kind-after-schedule',
  'after-conversation': 'schedules.kind-after-conversation',
  folder: 'schedules.kind-folder',
} as const

/** What set a run off; a time needs no words. */
const CAUSE_WORDS = {
  person: 'schedules.cause-person',
  hook: 'schedules.cause-hook',
  run: 'schedules.cause-run',
  folder: 'schedules.cause-folder',
} as const

/** What runs may do while nobody is there. */
export const UNATTENDED_WORDS = {
  deny: 'schedules.unattended-deny',
  'allow-list': 'schedules.unattended-allow-list',
  full: 'schedules.unattended-full',
} as const

/** What that means, in a sentence. */
export const UNATTENDED_MEANS = {
  deny: 'schedules.means-deny',
  'allow-list': 'schedules.means-allow-list',
  full: 'schedules.means-full',
} as const

/** What becomes of missed runs. */
export const MISSED_WORDS = {
  once: 'schedules.missed-once',
  skip: 'schedules.missed-skip',
  all: 'schedules.missed-all',
} as const

/** What becomes of a run while another is open. */
export const OVERLAP_WORDS = {
  skip: 'schedules.overlap-skip',
  queue: 'schedules.overlap-queue',
  parallel: 'schedules.overlap-parallel',
} as const

/** What becomes of months without the day. */
export const SHORT_WORDS = {
  skip: 'schedules.short-skip',
  'last-day': 'schedules.short-last-day',
} as const

/** What became of a run. */
const STATE_WORDS = {
  planned: 'schedules.state-planned',
  started: 'schedules.state-started',
  succeeded: 'schedules.state-succeeded',
  stopped: 'schedules.state-stopped',
  failed: 'schedules.state-failed',
  denied: 'schedules.state-denied',
  skipped: 'schedules.state-skipped',
  missed: 'schedules.state-missed',
  'set-back': 'schedules.state-set-back',
} as const

/** What the kinds of items of the inbox are called. */
export const ITEM_WORDS = {
  permission: 'inbox.permission',
  question: 'inbox.question',
  client: 'inbox.client',
  failed: 'inbox.failed',
  finished: 'inbox.finished',
  'schedule-failed': 'inbox.schedule-failed',
  'schedule-finished': 'inbox.schedule-finished',
  'schedule-stopped': 'inbox.schedule-stopped',
  'schedule-missed': 'inbox.schedule-missed',
  'schedule-clock': 'inbox.schedule-clock',
  'schedule-paused': 'inbox.schedule-paused',
} as const

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

/** An amount of US dollars. */
export function moneyText(usd: number): string {
  return money().format(usd)
}

/** What a run cost; nothing where nobody knows. */
export function costWord(costUsd: number | null): string | null {
  return costUsd === null || costUsd === 0 ? null : moneyText(costUsd)
}

function isTimedRule({ type }: ScheduleRow['rule']): boolean {
  return type === 'cron' || type === 'rrule' || type === 'once'
}

/** What a schedule does next, in words. */
export function nextWord({ isOn, nextAt, timeZone, pausedReason, rule, last }: ScheduleRow): string {
  // It waited for one run.
  const isOver = rule.type === 'after-conversation' && last?.cause === 'run'
  if (!isOn && isOver && pausedReason === null) return say('schedules.over')
  if (!isOn) return say(pausedReason === null ? 'schedules.paused' : 'schedules.paused-itself')
  if (!isTimedRule(rule)) return say('schedules.waits')
  return nextAt === null
    ? say('schedules.over')
    : say('schedules.next-at', { time: timeText(nextAt, timeZone), zone: timeZone })
}

/** What set a run off, in words; null for a time. */
export function causeWord(cause: OccurrenceRow['cause']): string | null {
  return cause === 'clock' ? null : say(CAUSE_WORDS[cause])
}

/** What became of a run, in words. */
export function stateWord(state: OccurrenceRow['state']): string {
  return say(STATE_WORDS[state])
}
