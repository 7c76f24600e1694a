import { expect, it } from 'vitest'
import { builtOf, ruleOf } from '../src/schedules/built-rule.ts'

const usual = builtOf(null)

it.each([
  [
    { ...usual, kind: 'hourly', time: '00:05' },
    { type: 'cron', expression: '5 * * * *' },
  ],
  [
    { ...usual, kind: 'daily', time: '09:30' },
    { type: 'cron', expression: '30 9 * * *' },
  ],
  [
    { ...usual, kind: 'weekdays', time: '02:30' },
    { type: 'cron', expression: '30 2 * * MON-FRI' },
  ],
  [
    { ...usual, kind: 'weekly', time: '07:00', weekdays: ['TU', 'TH'] },
    { type: 'rrule', text: 'FREQ=WEEKLY;BYDAY=TU,TH;BYHOUR=7;BYMINUTE=0' },
  ],
  [
    { ...usual, kind: 'monthly', time: '07:00', monthDay: '31' },
    { type: 'rrule', text: 'FREQ=MONTHLY;BYMONTHDAY=31;BYHOUR=7;BYMINUTE=0' },
  ],
  [
    { ...usual, kind: 'monthly', time: '07:00', monthDay: '30', short: 'last-day' },
    { type: 'rrule', text: 'FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1;BYHOUR=7;BYMINUTE=0' },
  ],
  [
    { ...usual, kind: 'once', at: '2026-03-29T02:30' },
    { type: 'once', at: '2026-03-29T02:30' },
  ],
  [
    { ...usual, kind: 'raw', raw: ' */5 * * * * ' },
    { type: 'cron', expression: '*/5 * * * *' },
  ],
] as const)('[UI99] builds %j', (built, rule) => {
  expect(ruleOf(built)).toEqual(rule)
  // What was built is offered to be changed in the same form.
  expect(ruleOf(builtOf(rule))).toEqual(rule)
})

it('[UI99] builds nothing while something lacks', () => {
  expect(ruleOf({ ...usual, kind: 'weekly', weekdays: [] })).toBeNull()
  expect(ruleOf({ ...usual, kind: 'raw', raw: ' ' })).toBeNull()
  expect(ruleOf({ ...usual, kind: 'once', at: '' })).toBeNull()
  for (const monthDay of ['32', '0', '', '1.5', 'x']) expect(ruleOf({ ...usual, kind: 'monthly', monthDay })).toBeNull()
})
