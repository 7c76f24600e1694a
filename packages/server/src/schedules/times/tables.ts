import { readTimetable, type Timetable, type TimetableSource } from './timetable.ts'

const MOST_KEPT = 20_000

/** Reads timetables, and keeps what was read. */
export function createTables(): (value: TimetableSource) => Timetable {
  const tables = new Map<string, Timetable>()
  return (value) => {
    const { rule, timeZone, anchorAt, delayMs } = value
    const source = JSON.stringify({ rule, timeZone, anchorAt, delayMs })
    const before = tables.get(source)
    if (before) return before
    if (tables.size > MOST_KEPT) tables.clear()
    const table = readTimetable(value)
    tables.set(source, table)
    return table
  }
}
