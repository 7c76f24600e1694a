import { allRecords, type Clock, type Records } from '@holdfast/conversation'
import { because } from './because.ts'
import type { CatchUps } from './catch-ups.ts'
import { type Claims, unlessClaimed, type Wanted } from './claims.ts'
import { type DueDecision, type DueTime, decideDue, nextDue } from './decide-due.ts'
import { lineOf, withNews, withoutQueued } from './occurrence-lines.ts'
import { OCCURRENCE, type StoredSchedule } from './schedule-record.ts'
import { type BehindWatch, foundAt, isFarBehind, setBack } from './set-back.ts'
import type { ScheduleRecord, StoredSchedules } from './stored-schedules.ts'
import type { Timetable } from './times/timetable.ts'

/** What it works with. */
export interface DecideDeps {
  readonly stored: StoredSchedules
  readonly records: Records
  readonly claims: Claims
  readonly clock: Clock
  readonly behind: BehindWatch
  readonly tableOf: (value: StoredSchedule) => Timetable
  readonly catchUps: CatchUps
}

/** What is on time needs none. */
const NO_PLACE = (): void => {}

/** What is decided about, and what is told of it. */
export interface Deciding {
  readonly id: string
  readonly isClosing: () => boolean
  /** Told when it is to be looked at the next time, at the moment at which that is known; null for never by itself. */
  readonly defer: (due: DueTime | null) => void
}

/** Decides about all that is due of a schedule until nothing is. */
export async function decideSchedule(deps: DecideDeps, { id, isClosing, defer }: Deciding): Promise<void> {
  const { stored, clock, tableOf } = deps
  // Of many that wait for a place none asks the store before there is one.
  const known = stored.get(id)
  if (known && waitsForPlace(deps, known)) return defer(soon(known.value, clock.now()))
  let tried = 0
  // Another process may have claimed it since: it is read before it is tried.
  for (let record = await stored.read(id); record && !isClosing(); record = await stored.read(id)) {
    await deps.claims.heal(record)
    const now = clock.now()
    if (isFarBehind(record.value, now)) {
      const waitMs = await goBack(deps, record)
      if (waitMs > 0) return defer({ at: now + waitMs, notBefore: Number.NEGATIVE_INFINITY })
      continue
    }
    const value = foundAt(record.value, now)
    const decision = decideDue(value, tableOf(value), now)
    if (decision === null && value === record.value) {
      // What has changed while it was read may be due now: its own time is not written over.
      if (stored.get(id)?.revision !== record.revision) continue
      return defer(nextLook(value, now))
    }
    const place = decision !== null && isCatchUp(decision) ? deps.catchUps.take(value.ownerId) : NO_PLACE
    if (place === null) return defer(soon(value, now))
    try {
      await unlessClaimed(carryOut(deps.claims, { ...record, value }, actOn(decision, record.revision === tried)))
      tried = record.revision
    } finally {
      place()
    }
  }

  function nextLook(value: StoredSchedule, now: number): DueTime | null {
    return nextDue({ ...value, cursor: Math.max(value.cursor, now) }, tableOf(value))
  }

  /** Where all places are taken it is looked again soon: that a run of another process has ended nobody tells. */
  function soon(value: StoredSchedule, now: number): DueTime {
    const { at, notBefore } = nextLook(value, now) ?? { at: Number.POSITIVE_INFINITY, notBefore: now }
    return { at: Math.min(at, now + PLACE_LOOK_MS), notBefore }
  }
}

const PLACE_LOOK_MS = 15_000

/** What ran already, and was tried and stands as it was, is passed over: by a clock that was set back its time came once more. [SCHED43] */
function actOn(decision: DueDecision | null, isTried: boolean): DueDecision | null {
  if (decision?.act.type !== 'run' || !isTried) return decision
  return { ...decision, act: { type: 'pass', plannedAt: decision.act.plannedAt } }
}

function waitsForPlace({ catchUps, clock, tableOf }: DecideDeps, { value }: ScheduleRecord): boolean {
  if (catchUps.hasPlace(value.ownerId)) return false
  const decision = decideDue(value, tableOf(value), clock.now())
  return decision !== null && isCatchUp(decision)
}

function isCatchUp({ act }: DueDecision): boolean {
  return act.type === 'run' && act.isLate
}

/** Has it go on by a clock that was set back, once that has stood long enough. @returns for how long it has to yet. [SCHED43] */
async function goBack({ records, claims, behind }: DecideDeps, record: ScheduleRecord): Promise<number> {
  const stands = behind.look(record.id)
  if ('waitMs' in stands) return stands.waitMs
  const { from } = stands
  const lines = await allRecords(records, OCCURRENCE, record.id)
  const taken = lines.flatMap(({ value: { plannedAt, source, state } }) =>
    source === undefined && state !== 'missed' ? [plannedAt] : [],
  )
  const value = setBack(record.value, { from, taken })
  const told = because({ code: 'clock-set-back', until: record.value.cursor, from })
  const line = lineOf({ plannedAt: from, source: 'set-back', state: 'set-back', ...told, cause: 'clock' })
  await unlessClaimed(claims.write(record, value, [line]))
  return 0
}

async function carryOut(claims: Claims, record: ScheduleRecord, decision: DueDecision | null): Promise<void> {
  if (decision === null) return claims.write(record, record.value, [])
  const { cursor, missed, act } = decision
  const value: StoredSchedule = { ...record.value, cursor: Math.max(cursor, record.value.cursor) }
  const lines =
    missed === null
      ? []
      : [
          lineOf({
            plannedAt: missed.firstAt,
            state: 'missed',
            ...because({ code: 'server-off', ...missed }),
            cause: 'clock',
          }),
        ]
  switch (act.type) {
    case 'none':
      return claims.write(record, value, lines)
    case 'pass':
      return claims.write(record, act.plannedAt === value.queuedAt ? withoutQueued(value) : value, lines)
    case 'queue':
      return claims.write(record, { ...value, queuedAt: act.plannedAt }, lines)
    case 'skip': {
      const { plannedAt, because: told } = act
      return claims.write(record, value, [...lines, lineOf({ plannedAt, state: 'skipped', ...told, cause: 'clock' })])
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
