import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { readTimetable, type ScheduleRule } from '../src/schedules/times/timetable.ts'
import { openZone } from '../src/schedules/times/zone-time.ts'

const cron = (expression: string): ScheduleRule => ({ type: 'cron', expression })
const rrule = (text: string): ScheduleRule => ({ type: 'rrule', text })

function next(rule: ScheduleRule, timeZone: string, from: string, count = 5): string[] {
  const anchorAt = Date.parse(from)
  return readTimetable({ rule, timeZone, anchorAt })
    .after(anchorAt, count)
    .map((at) => new Date(at).toISOString().slice(0, 16))
}

describe('rules of schedules', () => {
  it('[SCHED3] reads cron, with either day where both are limited', () => {
    expect(next(cron('0 9 * * MON-FRI'), 'UTC', '2026-11-27T10:00:00Z', 2)).toEqual([
      '2026-11-30T09:00',
      '2026-12-01T09:00',
    ])
    expect(next(cron('0 0 13 * FRI'), 'UTC', '2026-11-01T00:00:00Z', 3)).toEqual([
      '2026-11-06T00:00',
      '2026-11-13T00:00',
      '2026-11-20T00:00',
    ])
    expect(next(cron('30 6 L * *'), 'UTC', '2026-01-31T07:00:00Z', 2)).toEqual(['2026-02-28T06:30', '2026-03-31T06:30'])
    expect(next(cron('*/20 8 * * *'), 'Asia/Tokyo', '2026-01-01T00:00:00Z', 2)).toEqual([
      '2026-01-01T23:00',
      '2026-01-01T23:20',
    ])
    expect(next(cron('0 0 29 2 *'), 'UTC', '2026-01-01T00:00:00Z', 2)).toEqual(['2028-02-29T00:00', '2032-02-29T00:00'])
    expect(next(cron('@weekly'), 'UTC', '2026-11-26T00:00:00Z', 1)).toEqual(['2026-11-29T00:00'])
  })

  it('[SCHED3] reads RRULE: months without a day are skipped or end on their last one, as it says', () => {
    const from = '2026-01-01T08:00:00Z'
    expect(next(rrule('FREQ=MONTHLY;BYMONTHDAY=31'), 'UTC', from, 3)).toEqual([
      '2026-01-31T08:00',
      '2026-03-31T08:00',
      '2026-05-31T08:00',
    ])
    expect(next(rrule('FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1'), 'UTC', from, 3)).toEqual([
      '2026-01-31T08:00',
      '2026-02-28T08:00',
      '2026-03-31T08:00',
    ])
    expect(next(rrule('FREQ=MONTHLY;BYDAY=1MO,-1FR;BYHOUR=7;BYMINUTE=0'), 'UTC', from, 3)).toEqual([
      '2026-01-05T07:00',
      '2026-01-30T07:00',
      '2026-02-02T07:00',
    ])
    expect(next(rrule('FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH'), 'UTC', from, 4)).toEqual([
      '2026-01-13T08:00',
      '2026-01-15T08:00',
      '2026-01-27T08:00',
      '2026-01-29T08:00',
    ])
    expect(next(rrule('DTSTART:20260105T093000\nRRULE:FREQ=DAILY;COUNT=2'), 'UTC', from)).toEqual([
      '2026-01-05T09:30',
      '2026-01-06T09:30',
    ])
    expect(next(rrule('DTSTART;TZID=Europe/Berlin:20260105T093000\nFREQ=DAILY'), 'Europe/Berlin', from, 1)).toEqual([
      '2026-01-05T08:30',
    ])
    expect(next(rrule('FREQ=DAILY;UNTIL=20260103'), 'UTC', from)).toEqual(['2026-01-02T08:00', '2026-01-03T08:00'])
    expect(next(rrule('FREQ=HOURLY;INTERVAL=7'), 'UTC', from, 3)).toEqual([
      '2026-01-01T15:00',
      '2026-01-01T22:00',
      '2026-01-02T05:00',
    ])
  })

  it.each([
    ['six fields', cron('* * * * * *'), 'six fields'],
    ['an hour 24', cron('0 24 * * *'), '"24" is no hour'],
    ['words', cron('every day'), 'has 2 fields'],
    ['seconds', rrule('FREQ=SECONDLY'), 'not more often'],
    ['a zone of its own', rrule('DTSTART;TZID=America/New_York:20270313T023000\nFREQ=DAILY'), 'leave it out here'],
    ['nonsense', rrule('FREQ=DAILY;BYEASTER=1'), '"BYEASTER=1" is no part'],
    ['two ends', rrule('FREQ=DAILY;COUNT=3;UNTIL=20270101'), 'not by both'],
    ['no time', { type: 'once', at: 'tomorrow' } as const, 'is no time'],
  ])('[SCHED3] says what is wrong with %s', (_, rule, words) => {
    expect(() => readTimetable({ rule, timeZone: 'UTC', anchorAt: 0 })).toThrow(words)
  })

  it('[SCHED3] refuses a zone that does not exist, and finds nothing in a rule that never fires', () => {
    expect(() => readTimetable({ rule: cron('0 0 * * *'), timeZone: 'Mars/Olympus', anchorAt: 0 })).toThrow(
      'There is no time zone "Mars/Olympus"',
    )
    expect(next(cron('0 0 30 2 *'), 'Europe/Berlin', '2026-01-01T00:00:00Z')).toEqual([])
  })
})

describe('changes of the clocks', () => {
  it('[SCHED4] runs at the first instant behind a gap, once in an hour that comes twice, and in both by a frequent rule', () => {
    expect(next(cron('30 2 * * *'), 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ])
    expect(next(cron('30 2 * * *'), 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
    expect(next(cron('30 * * * *'), 'Europe/Berlin', '2026-10-25T00:00:00Z', 3)).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T01:30',
      '2026-10-25T02:30',
    ])
    expect(next(rrule('FREQ=DAILY;BYHOUR=2;BYMINUTE=30'), 'America/New_York', '2026-03-07T12:00:00Z', 2)).toEqual([
      '2026-03-08T07:00',
      '2026-03-09T06:30',
    ])
  })

  it('[SCHED4] says of every zone what a Temporal implementation does, at its changes from 2020 to 2035', () => {
    const every = process.env['HOLDFAST_FULL'] ? 1 : 12
    const zones = Intl.supportedValuesOf('timeZone').filter((_, index) => index % every === 0)
    const differences = zones.flatMap((zone) => differencesIn(zone))
    expect(differences).toEqual([])
    expect(zones.length).toBeGreaterThan(30)
  }, 1_800_000)

  it.each([
    // In an hour that comes twice: half an hour that lies behind by the wall lies ahead.
    ['Europe/Berlin', '2026-10-24T22:00Z', '*/10 * * * *'],
    ['Australia/Lord_Howe', '2026-04-04T12:00Z', '*/10 * * * *'],
    ['Europe/Berlin', '2026-03-28T22:00Z', '*/10 * * * *'],
    // The clocks went back from one minute past midnight: times of two days are mixed.
    ['America/St_Johns', '2010-11-07T00:00Z', '*/20 * * * *'],
    ['America/St_Johns', '2010-11-07T00:00Z', '40 23 * * *'],
  ])(
    '[SCHED5] shows at a change of the clocks of %s from %s what runs one after the other by %s',
    (timeZone, from, rule) => {
      const table = readTimetable({ rule: cron(rule), timeZone, anchorAt: Date.parse(from) })
      const shown = table.after(Date.parse(from), 40)
      const run: number[] = []
      for (let at = Date.parse(from); run.length < 40; at = run.at(-1) ?? at)
        run.push(...table.between(at, Number.POSITIVE_INFINITY, 1))
      expect(run).toEqual(shown)
      if (rule.startsWith('*')) {
        const every = Number(/\d+/.exec(rule)?.[0]) * 60_000
        expect(shown.every((at, index) => index === 0 || at - (shown[index - 1] ?? 0) <= every)).toBe(true)
      }
    },
  )

  it('[SCHED5] shows five that are the next five, whatever the rule', () => {
    const count = process.env['HOLDFAST_FULL'] ? 10_000 : 1_000
    const random = seeded(19)
    for (let number = 0; number < count; number++) {
      const source = randomSource(random)
      const table = readTimetable(source)
      const from = source.anchorAt + Math.floor(random() * 400 * 86_400_000)
      const shown = table.after(from, 5)
      const run: number[] = []
      for (let at = from; run.length < 5; ) {
        const [one] = table.between(at, Number.POSITIVE_INFINITY, 1)
        if (one === undefined) break
        run.push(one)
        at = one
      }
      expect(run, JSON.stringify(source)).toEqual(shown)
    }
  }, 1_800_000)
})

/** Where a change of a zone is not treated as the table says, by what Temporal knows of it. */
function differencesIn(zone: string): string[] {
  const own = openZone(zone)
  if (own === null) return [`${zone} is not known`]
  const found: string[] = []
  let at = Temporal.ZonedDateTime.from(`2020-01-01T00:00[${zone}]`)
  const end = Temporal.Instant.from('2036-01-01T00:00Z').epochMilliseconds
  for (
    let change = at.getTimeZoneTransition('next');
    change && change.epochMilliseconds < end;
    change = at.getTimeZoneTransition('next')
  ) {
    for (let minutes = -180; minutes <= 180; minutes += 15) {
      const before = change.subtract({ nanoseconds: 1 })
      const wall = before.toPlainDateTime().round('minute').add({ minutes })
      const earlier = wall.toZonedDateTime(zone, { disambiguation: 'earlier' }).epochMilliseconds
      const later = wall.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds
      const isGap = !Temporal.Instant.fromEpochMilliseconds(later)
        .toZonedDateTimeISO(zone)
        .toPlainDateTime()
        .equals(wall)
      const wanted = isGap ? [change.epochMilliseconds] : earlier === later ? [earlier] : [earlier, later]
      const minute = Math.round(wall.toZonedDateTime('UTC').epochMilliseconds / 60_000)
      const gotten = own.instantsOf(minute)
      if (gotten.join() !== wanted.join())
        found.push(`${zone} ${wall.toString()}: ${gotten.join()} and not ${wanted.join()}`)
    }
    at = change
  }
  return found
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function randomSource(random: () => number) {
  const whole = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1))
  const pick = <Value>(values: readonly Value[]): Value | undefined => values[whole(0, values.length - 1)]
  const field = (from: number, to: number): string => {
    const kind = whole(0, 3)
    if (kind === 0) return '*'
    if (kind === 1) return `*/${whole(1, to)}`
    if (kind === 2) return String(whole(from, to))
    return `${whole(from, Math.floor(to / 2))}-${whole(Math.ceil(to / 2), to)}`
  }
  const zone = pick([
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'UTC',
    'Asia/Kathmandu',
    'America/Havana',
    'Antarctica/Troll',
  ])
  const expression = `${field(0, 59)} ${field(0, 23)} ${field(1, 31)} ${field(1, 12)} ${field(0, 6)}`
  const freq = pick(['MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])
  const parts = [`FREQ=${freq}`, `INTERVAL=${whole(1, 5)}`]
  if (random() < 0.4) parts.push(`BYDAY=${pick(['MO', 'TU,WE', 'SU', 'FR'])}`)
  if (random() < 0.3) parts.push(`BYHOUR=${whole(0, 3)}`)
  if (random() < 0.3) parts.push(`BYMINUTE=${whole(0, 29)},${whole(30, 59)}`)
  if (random() < 0.2) parts.push(`COUNT=${whole(1, 400)}`)
  const rule: ScheduleRule = random() < 0.5 ? cron(expression) : rrule(parts.join(';'))
  return {
    rule,
    timeZone: zone ?? 'UTC',
    anchorAt: Date.UTC(2026, whole(0, 11), whole(1, 28), whole(0, 23), whole(0, 59)),
  }
}
