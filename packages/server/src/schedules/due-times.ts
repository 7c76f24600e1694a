import type { Clock, Random } from '@holdfast/conversation'
import type { BackgroundWork } from './background-work.ts'
import type { DueTime } from './decide-due.ts'

/** When schedules of one process are due, and the one timer to what is due next. [SCHED13] */
export interface DueTimes {
  /** Null for never. Nothing is looked at before `plan`. */
  set(id: string, due: DueTime | null): void
  hasAny(): boolean
  /** Sets the timer to what is due next. */
  plan(): void
  /** Decides about all that is due; where it is asked for meanwhile, once more. */
  look(): void
  close(): void
}

/** The wall clock is looked at so often while something is planned: it may jump, and the machine may sleep. */
const LOOK_MS = 30_000
/** A run begins when it is decided about, and from then on shares the processor with those before it: few at a time are late. */
const DECIDED_AT_ONCE = 32

/** Keeps them, and has `decide` decide about each that is due. */
export function createDueTimes({
  clock,
  random,
  work,
  decide,
}: {
  readonly clock: Clock
  readonly random: Random
  readonly work: BackgroundWork
  readonly decide: (id: string) => Promise<void>
}): DueTimes {
  const dueTimes = new Map<string, DueTime>()
  let cancelTimer = (): void => {}
  let looking: Promise<void> | null = null
  let isWanted = false
  let isClosed = false

  function plan(): void {
    cancelTimer()
    cancelTimer = () => {}
    if (isClosed) return
    let next = Number.POSITIVE_INFINITY
    const now = clock.now()
    for (const due of dueTimes.values()) next = Math.min(next, isDue(due, now) ? now : due.at)
    if (next < Number.POSITIVE_INFINITY) cancelTimer = clock.after(Math.min(LOOK_MS, Math.max(0, next - now)), look)
  }

  function look(): void {
    isWanted = looking !== null
    if (looking !== null) return
    looking = lookThrough().finally(() => {
      looking = null
      if (isWanted && !isClosed) look()
      else plan()
    })
    work.add(looking)
  }

  async function lookThrough(): Promise<void> {
    const now = clock.now()
    const due = [...dueTimes].filter(([, time]) => isDue(time, now)).map(([id]) => id)
    // Processes on one store begin in different places, so that most find their own.
    const from = Math.floor(random.next() * due.length)
    const order = [...due.slice(from), ...due.slice(0, from)]
    await Promise.all(
      Array.from({ length: DECIDED_AT_ONCE }, async () => {
        for (let id = order.pop(); id !== undefined && !isClosed; id = order.pop()) await decide(id)
      }),
    )
  }

  return {
    set(id, due) {
      if (due === null) dueTimes.delete(id)
      else dueTimes.set(id, due)
    },
    hasAny: () => dueTimes.size > 0,
    plan,
    look,
    close() {
      isClosed = true
      cancelTimer()
    },
  }
}

function isDue({ at, notBefore }: DueTime, now: number): boolean {
  return at <= now || now < notBefore
}
