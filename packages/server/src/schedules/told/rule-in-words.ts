import type { ScheduleRule } from '../times/timetable.ts'

const DAYS = [
  ['MO', 'Monday'],
  ['TU', 'Tuesday'],
  ['WE', 'Wednesday'],
  ['TH', 'Thursday'],
  ['FR', 'Friday'],
  ['SA', 'Saturday'],
  ['SU', 'Sunday'],
] as const

/** When a schedule runs, or what sets it off, in English words for a model; a rule that no form makes stays as it is written. [SCHED52] */
export function ruleInWords(
  rule: ScheduleRule,
  { conversationId, nameOf }: { readonly conversationId: string; readonly nameOf: (id: string) => string | null },
): string {
  switch (rule.type) {
    case 'cron':
      return cronInWords(rule.expression) ?? `by cron ${rule.expression}`
    case 'rrule':
      return rruleInWords(rule.text) ?? `by ${rule.text}`
    case 'once':
      return `once at ${rule.at.replace('T', ' ')}`
    case 'hook':
      return 'when a signed call comes'
    case 'after-schedule': {
      const name = nameOf(rule.scheduleId)
      return name === null ? 'after another schedule, which is gone' : `after each run of ${JSON.stringify(name)}`
    }
    case 'after-conversation':
      return `once, after the next answer in ${rule.conversationId === conversationId ? 'this' : 'another'} conversation`
    case 'folder':
      return `when files change in ${JSON.stringify(rule.path === '' ? '.' : rule.path)} of its workspace`
  }
}

function cronInWords(expression: string): string | null {
  const [, minute = '', hour = '', days = ''] =
    /^(\d{1,2}) (\*|\d{1,2}) \* \* (\*|MON-FRI|1-5)$/.exec(expression.trim()) ?? []
  if (minute === '') return null
  if (hour === '*') return days === '*' ? `every hour at minute ${minute}` : null
  return `${days === '*' ? 'every day' : 'Monday to Friday'} at ${clockTime(hour, minute)}`
}

function rruleInWords(text: string): string | null {
  const [, freq, on = '', hour = '', minute = ''] =
    /^FREQ=(WEEKLY|MONTHLY);(?:BYDAY|BYMONTHDAY)=([A-Z0-9,]+);BYHOUR=(\d{1,2});BYMINUTE=(\d{1,2})$/.exec(text) ?? []
  if (freq === undefined) return null
  const time = clockTime(hour, minute)
  if (freq === 'MONTHLY') return /^\d{1,2}$/.test(on) ? `every month on day ${on} at ${time}` : null
  const days = on.split(',').map((code) => DAYS.find(([known]) => known === code)?.[1])
  return days.includes(undefined) ? null : `every week on ${days.join(', ')} at ${time}`
}

function clockTime(hour: string, minute: string): string {
  return `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
}
