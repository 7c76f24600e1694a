import type { ScheduleRule } from '@holdfast/protocol'
import type { BuiltRule } from './kept-draft.ts'

/** The days of the week as RRULE has them, and a date that was one, to be named in the language of the page. */
export const WEEKDAYS = [
  { code: 'MO', at: Date.UTC(2026, 0, 5) },
  { code: 'TU', at: Date.UTC(2026, 0, 6) },
  { code: 'WE', at: Date.UTC(2026, 0, 7) },
  { code: 'TH', at: Date.UTC(2026, 0, 8) },
  { code: 'FR', at: Date.UTC(2026, 0, 9) },
  { code: 'SA', at: Date.UTC(2026, 0, 10) },
  { code: 'SU', at: Date.UTC(2026, 0, 11) },
] as const

/** The rule that was built; null while it lacks something. [UI99] */
export function ruleOf(built: BuiltRule): ScheduleRule | null {
  const { kind, weekdays, monthDay, short, at, raw, awaited, path } = built
  const [hour, minute] = built.time.split(':').map(Number)
  if (kind === 'once') return at === '' ? null : { type: 'once', at }
  if (kind === 'raw') return readRaw(raw)
  if (kind === 'hook') return { type: kind }
  if (kind === 'folder') return { type: kind, path: path.trim() }
  if (kind === 'after-schedule') return awaited === '' ? null : { type: kind, scheduleId: awaited }
  if (kind === 'after-conversation') return awaited === '' ? null : { type: kind, conversationId: awaited }
  if (hour === undefined || minute === undefined || Number.isNaN(hour) || Number.isNaN(minute)) return null
  const time = `BYHOUR=${hour};BYMINUTE=${minute}`
  switch (kind) {
    case 'hourly':
      return { type: 'cron', expression: `${minute} * * * *` }
    case 'daily':
      return { type: 'cron', expression: `${minute} ${hour} * * *` }
    case 'weekdays':
      return { type: 'cron', expression: `${minute} ${hour} * * MON-FRI` }
    case 'weekly':
      if (weekdays.length === 0) return null
      return { type: 'rrule', text: `FREQ=WEEKLY;BYDAY=${weekdays.join(',')};${time}` }
    case 'monthly': {
      const wanted = monthDayOf(monthDay)
      if (wanted === null) return null
      const days = Array.from({ length: Math.max(1, wanted - 27) }, (_, index) => 28 + index)
      const isShort = wanted > 28 && short === 'last-day'
      const day = isShort ? `BYMONTHDAY=${days.join(',')};BYSETPOS=-1` : `BYMONTHDAY=${wanted}`
      return { type: 'rrule', text: `FREQ=MONTHLY;${day};${time}` }
    }
  }
}

/** A day that some month has; null for anything else. */
export function monthDayOf(written: string): number | null {
  const day = written.trim() === '' ? Number.NaN : Number(written)
  return Number.isInteger(day) && day >= 1 && day <= 31 ? day : null
}

function readRaw(raw: string): ScheduleRule | null {
  const text = raw.trim()
  if (text === '') return null
  return /FREQ=/i.test(text) ? { type: 'rrule', text } : { type: 'cron', expression: text }
}

/** The form of a rule that is kept; one that no choice makes is shown as it is written. */
export function builtOf(rule: ScheduleRule | null): BuiltRule {
  const usual: BuiltRule = {
    kind: 'daily',
    time: '09:00',
    weekdays: ['MO'],
    monthDay: '1',
    short: 'skip',
    at: '',
    raw: '',
    awaited: '',
    path: '',
  }
  if (rule === null) return usual
  switch (rule.type) {
    case 'once':
      return { ...usual, kind: 'once', at: rule.at.slice(0, 16) }
    case 'hook':
      return { ...usual, kind: 'hook' }
    case 'folder':
      return { ...usual, kind: 'folder', path: rule.path }
    case 'after-schedule':
      return { ...usual, kind: 'after-schedule', awaited: rule.scheduleId }
    case 'after-conversation':
      return { ...usual, kind: 'after-conversation', awaited: rule.conversationId }
    case 'cron':
      return ofWritten(rule.expression, usual)
    case 'rrule':
      return ofWritten(rule.text, usual)
  }
}

/** Whether times set it off. */
export function isTimed({ kind }: Pick<BuiltRule, 'kind'>): boolean {
  return kind !== 'hook' && kind !== 'folder' && kind !== 'after-schedule' && kind !== 'after-conversation'
}

function ofWritten(raw: string, usual: BuiltRule): BuiltRule {
  const cron = /^(\d{1,2}) (\*|\d{1,2}) \* \* (\*|MON-FRI)$/.exec(raw)
  if (cron) {
    const [, minute = '0', hour = '0', days] = cron
    const time = `${hour === '*' ? '00' : hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
    return { ...usual, kind: days === '*' ? (hour === '*' ? 'hourly' : 'daily') : 'weekdays', time }
  }
  const [, freq, days = '', hour = '', minute = ''] =
    /^FREQ=(WEEKLY|MONTHLY);(?:BYDAY|BYMONTHDAY)=([A-Z0-9,]+)(?:;BYSETPOS=-1)?;BYHOUR=(\d+);BYMINUTE=(\d+)$/.exec(
      raw,
    ) ?? []
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (freq === 'WEEKLY') return { ...usual, kind: 'weekly', time, weekdays: days.split(',') }
  const last = Number(days.split(',').at(-1))
  if (freq === 'MONTHLY' && last >= 1 && last <= 31)
    return {
      ...usual,
      kind: 'monthly',
      time,
      monthDay: String(last),
      short: raw.includes('BYSETPOS') ? 'last-day' : 'skip',
    }
  return { ...usual, kind: 'raw', raw }
}
