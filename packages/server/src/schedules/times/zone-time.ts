/** Wall time is counted in minutes since 1970-01-01T00:00 of a calendar without zones. */
export const DAY_MINUTES = 1_440
const MINUTE_MS = 60_000
const QUARTER_MS = 900_000
const HOUR_MS = 3_600_000
/** No zone is further from another time of its own than this. */
const REACH_MS = 36 * HOUR_MS

/** A time zone, as rules of schedules use it. */
export interface Zone {
  readonly name: string
  /** How far wall time is ahead of UTC at an instant, in milliseconds. */
  offsetAt(instant: number): number
  /** The wall time of an instant, in whole minutes. */
  wallOf(instant: number): number
  /**
   * The instants at which the clocks of the zone show a wall time, in their order: one, two where the hour comes twice. Where the
   * clocks skip it: the first instant behind the gap. [SCHED4]
   */
  instantsOf(wallMinute: number): readonly [number] | readonly [number, number]
}

/** Opens a time zone by its name in the IANA database; null for a name that does not exist. Rules of one zone share it. */
export function openZone(name: string): Zone | null {
  const before = opened.get(name)
  if (before !== undefined) return before
  const format = formatOf(name)
  if (format === null) return null
  if (opened.size >= MOST_OPENED) opened.clear()
  const zone = zoneBy(name, format)
  opened.set(name, zone)
  return zone
}

/** A zone as it is written, where another case was given. */
export function spelledZone(name: string): string {
  const spelled = formatOf(name)?.resolvedOptions().timeZone
  return spelled !== undefined && spelled.toLowerCase() === name.toLowerCase() ? spelled : name
}

/** Its formatter takes milliseconds to make and the memory of a long conversation: one for each rule is too much. */
const opened = new Map<string, Zone>()
/** There are fewer zones, and other spellings of them. */
const MOST_OPENED = 1_000

function zoneBy(name: string, format: Intl.DateTimeFormat): Zone {
  /** By quarters of an hour, at their beginning. */
  const known = new Map<number, number>()

  function offsetOfQuarter(quarter: number): number {
    const before = known.get(quarter)
    if (before !== undefined) return before
    if (known.size > MOST_KNOWN) known.clear()
    const offset = readOffset(format, quarter * QUARTER_MS)
    known.set(quarter, offset)
    return offset
  }

  /** Clocks may change within a quarter, as those of Casey do at one minute past midnight. */
  function offsetAt(instant: number): number {
    const quarter = Math.floor(instant / QUARTER_MS)
    const offset = offsetOfQuarter(quarter)
    return offset === offsetOfQuarter(quarter + 1) ? offset : readOffset(format, instant)
  }

  /** The first instant with another offset than `from` has; `to` has that offset. */
  function changeBetween(from: number, to: number): number {
    const before = offsetAt(from)
    let low = Math.floor(from / MINUTE_MS)
    let high = Math.ceil(to / MINUTE_MS)
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (offsetAt(middle * MINUTE_MS) === before) low = middle
      else high = middle
    }
    return high * MINUTE_MS
  }

  return {
    name,
    offsetAt,
    wallOf: (instant) => Math.floor((instant + offsetAt(instant)) / MINUTE_MS),
    instantsOf(wallMinute) {
      const asUtc = wallMinute * MINUTE_MS
      const offsets = new Set([offsetAt(asUtc - REACH_MS), offsetAt(asUtc), offsetAt(asUtc + REACH_MS)])
      const shown = [...offsets].map((offset) => asUtc - offset).filter((at) => at + offsetAt(at) === asUtc)
      const [first, second] = shown.sort((one, other) => one - other)
      if (first !== undefined) return second === undefined ? [first] : [first, second]
      return [changeBetween(asUtc - REACH_MS, asUtc + REACH_MS)]
    },
  }
}

const MOST_KNOWN = 20_000

function formatOf(name: string): Intl.DateTimeFormat | null {
  // Offsets such as +02:00 have no clock changes, and Intl takes them for names.
  if (/^[+-]/.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en-US', { ...FIELDS, timeZone: name })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const FIELDS = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const

function readOffset(format: Intl.DateTimeFormat, instant: number): number {
  const shown = new Map<string, number>()
  for (const { type, value } of format.formatToParts(instant)) shown.set(type, Number(value))
  const part = (type: string): number => shown.get(type) ?? 0
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return wall - Math.floor(instant / 1_000) * 1_000
}
