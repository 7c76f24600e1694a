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

const FAILURES_TO_PAUSE = 3

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
  failuresInRow: z.number(),
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
export async function seeAllAccounted(world: World, schedules: readonly DueEvery[], now: number): Promise<void> {
  const { records } = world.machine()
  for (const { id, minutes, createdAt, mayWait } of schedules) {
    const found = await records.get(SCHEDULE, { ownerId: SHELF, id })
    if (!found) {
      world.violate('SCHED1', `${id} is not there any more`)
      continue
    }
    const { cursor, queuedAt, open, failuresInRow } = found.value
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
    // One that failed three times in a row has paused itself; what is made up for waits for what is open.
    if (next <= now && failuresInRow < FAILURES_TO_PAUSE && open.length === 0)
      world.violate('SCHED1', `${id} was due at ${next}, it is ${now}, and nobody has decided`)
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

/** A line stands for several that were missed. */
function countOf({ reason }: Line): number {
  return Number(/^(\d+) runs/.exec(reason ?? '')?.[1] ?? 1)
}
