import type { Clock } from '@holdfast/conversation'
import type { CatchUps } from './catch-ups.ts'
import { type Claims, unlessClaimed, type Wanted } from './claims.ts'
import { type DueDecision, decideDue } from './decide-due.ts'
import { lineOf, missedWords, withNews, withoutQueued } from './occurrence-lines.ts'
import type { StoredSchedule } from './schedule-record.ts'
import type { ScheduleRecord, StoredSchedules } from './stored-schedules.ts'
import type { Timetable } from './times/timetable.ts'

/** What it works with. */
export interface DecideDeps {
  readonly stored: StoredSchedules
  readonly claims: Claims
  readonly clock: Clock
  readonly tableOf: (value: StoredSchedule) => Timetable
  readonly catchUps: CatchUps
}

/** What is on time needs none. */
const NO_PLACE = (): void => {}

/**
 * Decides about all that is due of a schedule until nothing is. @returns when it is due the next time where it has to wait for
 * others; null where its own record says it.
 */
export async function decideSchedule(
  deps: DecideDeps,
  { id, isClosing }: { readonly id: string; readonly isClosing: () => boolean },
): Promise<number | null> {
  const { stored, clock, tableOf } = deps
  const nextLook = (value: StoredSchedule, now: number): number | null =>
    value.isOn ? (tableOf(value).after(now, 1)[0] ?? null) : null
  // Of many that wait for a place none asks the store before there is one.
  const known = stored.get(id)
  if (known && waitsForPlace(deps, known)) return soon(nextLook(known.value, clock.now()), clock.now())
  // Another process may have claimed it since: it is read before it is tried.
  for (let record = await stored.read(id); record && !isClosing(); record = await stored.read(id)) {
    await deps.claims.heal(record)
    const now = clock.now()
    const { value } = record
    const decision = decideDue(value, tableOf(value), now)
    if (decision === null) return nextLook(value, now)
    const place = isCatchUp(decision) ? deps.catchUps.take(value.ownerId) : NO_PLACE
    if (place === null) return soon(nextLook(value, now), now)
    try {
      await unlessClaimed(carryOut(deps.claims, record, decision))
    } finally {
      place()
    }
  }
  return null
}

/** Where all places are taken it is looked again after so long: that a run of another process has ended nobody tells. In milliseconds. */
const PLACE_LOOK_MS = 15_000

function soon(next: number | null, now: number): number {
  return Math.min(next ?? Number.POSITIVE_INFINITY, now + PLACE_LOOK_MS)
}

function waitsForPlace({ catchUps, clock, tableOf }: DecideDeps, { value }: ScheduleRecord): boolean {
  if (catchUps.hasPlace(value.ownerId)) return false
  const decision = decideDue(value, tableOf(value), clock.now())
  return decision !== null && isCatchUp(decision)
}

function isCatchUp({ act }: DueDecision): boolean {
  return act.type === 'run' && act.isLate
}

async function carryOut(claims: Claims, record: ScheduleRecord, { cursor, missed, act }: DueDecision): Promise<void> {
  const value: StoredSchedule = { ...record.value, cursor: Math.max(cursor, record.value.cursor) }
  const lines =
    missed === null
      ? []
      : [lineOf({ plannedAt: missed.firstAt, state: 'missed', reason: missedWords(missed), cause: 'clock' })]
  switch (act.type) {
    case 'none':
      return claims.write(record, value, lines)
    case 'queue':
      return claims.write(record, { ...value, queuedAt: act.plannedAt }, lines)
    case 'skip': {
      const { plannedAt, reason } = act
      return claims.write(record, value, [...lines, lineOf({ plannedAt, state: 'skipped', reason, cause: 'clock' })])
    }
    case 'run':
      await run(claims, record, { value: lines.reduce(withNews, value), lines, act })
  }
}

async function run(
  claims: Claims,
  record: ScheduleRecord,
  {
    value,
    lines,
    act: { plannedAt, isLate },
  }: {
    readonly value: StoredSchedule
    readonly lines: Parameters<Claims['note']>[1]
    readonly act: Extract<DueDecision['act'], { readonly type: 'run' }>
  },
): Promise<void> {
  await claims.begin(record, ...wantedOf(value, { plannedAt, isLate }))
  await claims.note(record.id, lines)
}

/** What begins: the rule's own, or what waited for it. */
function wantedOf(
  value: StoredSchedule,
  { plannedAt, isLate }: Pick<Wanted, 'plannedAt' | 'isLate'>,
): readonly [StoredSchedule, Wanted] {
  if (plannedAt !== value.queuedAt) return [value, { plannedAt, isLate, cause: 'clock', said: [] }]
  const { queuedTrigger } = value
  const told = queuedTrigger
    ? { cause: queuedTrigger.cause, source: queuedTrigger.source, chain: queuedTrigger.chain, said: queuedTrigger.said }
    : { cause: 'clock' as const, said: [] }
  return [withoutQueued(value), { plannedAt, isLate, ...told }]
}
