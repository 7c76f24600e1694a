import { allRecords, type EntryOf } from '@holdfast/conversation'
import * as z from 'zod'
import type { World } from '../world.ts'

/** A schedule of a world: it is due at each minute that its step divides. */
export interface DueEvery {
  readonly id: string
  readonly minutes: number
  /** Whether a run waits for the one before it: who turns the schedule off drops what waits. */
  readonly mayWait: boolean
  /** From when on it counts, by the clock of who made it. */
  readonly createdAt: number
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Of so many at a time the oldest are passed over and not counted. */
const MOST_COUNTED = 4_000

/** The history keeps so many lines; of what was more, nobody can count what is missing. */
const KEPT_LINES = 100

const Line = z.object({
  plannedAt: z.number(),
  state: z.string(),
  reason: z.string().nullable(),
  conversationId: z.string().nullable(),
})
type Line = z.infer<typeof Line>

const Open = z.object({ plannedAt: z.number(), conversationId: z.string(), inputId: z.string() })

const Schedule = z.object({
  ahead: z.object({ until: z.number(), taken: z.array(z.number()) }).exactOptional(),
  isOn: z.boolean(),
  cursor: z.number(),
  queuedAt: z.number().nullable(),
  open: z.array(Open),
})

/** How the server names them. */
const SCHEDULE = { kind: 'schedule', schema: Schedule } as const
const OCCURRENCE = { kind: 'occurrence', schema: Line } as const
const SHELF = 'installation'

/** Every run that a schedule was asked for, by what is durable. */
function admittedRuns({ watches }: World): readonly EntryOf<'input-admitted'>[] {
  return watches.flatMap(({ entries }) =>
    entries.filter(
      (entry): entry is EntryOf<'input-admitted'> => entry.type === 'input-admitted' && entry.schedule !== undefined,
    ),
  )
}

/** Those that have paused themselves, after three failures in a row: nothing is decided about them. */
export async function pausedOf(world: World, schedules: readonly DueEvery[]): Promise<ReadonlySet<string>> {
  const { records } = world.machine()
  const found = await Promise.all(schedules.map(({ id }) => records.get(SCHEDULE, { ownerId: SHELF, id })))
  return new Set(found.flatMap((record) => (record && !record.value.isOn ? [record.id] : [])))
}

/** No occurrence is asked twice. Looked at after every step: what is doubled is never right. [SCHED1] */
export function seeNoneDoubled(world: World): void {
  const seen = new Set<string>()
  for (const { schedule } of admittedRuns(world)) {
    const name = `${schedule?.scheduleId} at ${schedule?.plannedAt}`
    if (seen.has(name)) world.violate('SCHED1', `${name} was asked twice`)
    seen.add(name)
  }
}

/**
 * At rest every instant that a schedule has passed ran, or its history says why not; what the history says ran stands in
 * a log; nothing is open; and nothing that is due is left. [SCHED1, SCHED7, SCHED9]
 */
export async function seeAllAccounted(
  world: World,
  schedules: readonly DueEvery[],
  { now, paused }: { readonly now: number; readonly paused: ReadonlySet<string> },
): Promise<void> {
  const { records } = world.machine()
  for (const { id, minutes, createdAt, mayWait } of schedules) {
    const found = await records.get(SCHEDULE, { ownerId: SHELF, id })
    if (!found) {
      world.violate('SCHED1', `${id} is not there any more`)
      continue
    }
    const { cursor, queuedAt, open, ahead } = found.value
    const lines = (await allRecords(records, OCCURRENCE, id)).map(({ value }) => value)
    const asked = admittedRuns(world).flatMap(({ schedule }) =>
      schedule?.scheduleId === id ? [schedule.plannedAt] : [],
    )
    const lost = lines.filter(({ plannedAt, conversationId }) => conversationId !== null && !asked.includes(plannedAt))
    for (const { plannedAt, state } of lost)
      world.violate('SCHED1', `${id} is said to have ${state} at ${plannedAt}, and was never asked`)
    for (const { inputId, conversationId } of open.filter((run) => hasEnded(world, run)))
      world.violate('SCHED9', `${id} takes the run of ${inputId} in ${conversationId} for open, which has ended`)
    if (queuedAt !== null) world.violate('SCHED8', `${id} is off, and has one that waits`)
    const isOpen = (at: number) => open.some(({ plannedAt }) => plannedAt === at)
    for (const { plannedAt } of lines.filter((line) => line.state === 'started' && !isOpen(line.plannedAt)))
      world.violate('SCHED9', `${id} is said to run since ${plannedAt}, and nothing of it is open`)
    const next = Math.floor(cursor / (minutes * MINUTE_MS) + 1) * minutes * MINUTE_MS
    // What is made up for waits for what is open.
    if (next <= now && !paused.has(id) && open.length === 0)
      world.violate('SCHED1', `${id} was due at ${next}, it is ${now}, and nobody has decided`)
    if (cursor > now + DAY_MS && !paused.has(id))
      world.violate('SCHED43', `${id} has decided up to ${cursor}, it is ${now}, and nothing of it runs before that`)
    const backAt = lines.findLast(({ state, plannedAt }) => state === 'set-back' && plannedAt <= now)?.plannedAt
    if (backAt !== undefined || ahead !== undefined) {
      const isTold = (at: number) => asked.includes(at) || ahead?.taken.includes(at) || lines.some(isAbout(at))
      const untold = backAt === undefined || ahead === undefined ? [] : instants({ after: backAt, to: cursor, minutes })
      const lostAt = untold.filter((at) => !isTold(at))
      if (lines.length < KEPT_LINES && lostAt.length > Number(mayWait))
        world.violate(
          'SCHED43',
          `${id}: the clock was set back to ${backAt}, and of ${lostAt.join(', ')} nothing is told`,
        )
      continue
    }
    const planned = Math.floor(cursor / (minutes * MINUTE_MS)) - Math.floor(createdAt / (minutes * MINUTE_MS))
    if (lines.length >= KEPT_LINES || planned > MOST_COUNTED) continue
    const failed = lines.filter(({ state, conversationId }) => state === 'failed' && conversationId === null).length
    const skipped = lines.filter(({ state }) => state === 'skipped').length
    const missed = lines.filter(({ state }) => state === 'missed').reduce((sum, line) => sum + countOf(line), 0)
    const left = planned - asked.length - failed - skipped - missed
    if (left < 0 || left > Number(mayWait))
      world.violate(
        'SCHED7',
        `${id}: ${planned} were planned, ${asked.length} ran, ${failed} failed, ${skipped} were skipped, ${missed} missed`,
      )
  }
}

/** Whether the run of an input has come to its end, by the log. */
function hasEnded({ watches }: World, { conversationId, inputId }: z.infer<typeof Open>): boolean {
  const entries = watches.find((watch) => watch.conversationId === conversationId)?.entries ?? []
  const sent = entries.find((entry) => entry.type === 'user-message-sent' && entry.inputId === inputId)
  if (sent?.type !== 'user-message-sent') return false
  return entries.some((entry) => entry.type === 'run-finished' && entry.runId === sent.runId)
}

/** When a schedule is due, the first so many. */
function instants(among: { readonly after: number; readonly to: number; readonly minutes: number }): readonly number[] {
  const stepMs = among.minutes * MINUTE_MS
  const first = Math.floor(among.after / stepMs + 1) * stepMs
  const count = Math.min(MOST_COUNTED, Math.floor((among.to - first) / stepMs) + 1)
  return Array.from({ length: Math.max(0, count) }, (_, index) => first + index * stepMs)
}

/** Whether a line of the history is about an instant: its own, or one of those that were missed. */
function isAbout(at: number): (line: Line) => boolean {
  return ({ plannedAt, state, reason }) => {
    const to = / to (\S+) (\S+) UTC/.exec(reason ?? '')
    if (state !== 'missed' || to === null) return plannedAt === at && state !== 'set-back'
    return plannedAt <= at && at <= Date.parse(`${to[1]}T${to[2]}Z`)
  }
}

/** A line stands for several that were missed. */
function countOf({ reason }: Line): number {
  return Number(/^(\d+) runs/.exec(reason ?? '')?.[1] ?? 1)
}
