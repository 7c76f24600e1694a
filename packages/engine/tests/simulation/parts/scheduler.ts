import type { Clock } from '@holdfast/conversation'
import type { Chance } from './chance.ts'

/** The wall clock that processes of one machine share. */
export interface Wall {
  /** How far it is on, in milliseconds: the machine has slept, or somebody set it. */
  onMs: number
}

/** Something that computes: a replica, the disk, the people. What a dead one waited for never happens. */
export interface SimulatedProcess {
  readonly name: string
  state: 'running' | 'paused' | 'dead'
  /** How far its wall clock is off that of its machine, in milliseconds. */
  wallOffsetMs: number
  readonly wall: Wall
  /** What it cannot reach now. */
  cutFrom: 'nothing' | 'store' | 'bus' | 'both'
}

/** All that can happen next in a world. It is the only source of order: one seed is one order. */
export interface Scheduler {
  /** Virtual time that only grows, in milliseconds. */
  nowMs(): number
  /** Resolves at a moment that chance picks, if the process lives to see it. */
  hop(process: SimulatedProcess, label: string): Promise<void>
  /** Resolves at a moment that chance picks, but not before `delayMs` milliseconds have passed. */
  hopAfter(process: SimulatedProcess, delayMs: number, label: string): Promise<void>
  clockOf(process: SimulatedProcess): Clock
  /** Lets one thing happen and says which; null when nothing is ready. */
  runOne(): string | null
  /** Moves time on by so many milliseconds; what becomes due is ready then. */
  pass(ms: number): void
  /** Moves time on to the next thing that is due; false when nothing is. */
  passToNext(): boolean
  /** Forgets everything that a dead process waited for. */
  bury(process: SimulatedProcess): void
  /** The calls of its clock that a process waits for, in milliseconds from now, and how much of it is ready. */
  waitingCount(process: SimulatedProcess): { readonly timers: readonly number[]; readonly ready: number }
}

interface Event {
  readonly process: SimulatedProcess
  readonly label: string
  readonly run: () => void
}

interface Timer extends Event {
  readonly dueMs: number
}

/** The Unix time at which every world begins, in milliseconds. */
const EPOCH_MS = 1_700_000_000_000

/** What the engine waits for by its clock; all other timers are those of its surroundings. */
const CLOCK_CALL = 'timer'

/** Makes the scheduler of a world. */
export function createScheduler(chance: Chance): Scheduler {
  let now = 0
  let ready: Event[] = []
  let timers: Timer[] = []

  function pass(ms: number): void {
    now += ms
    const due = timers.filter(({ dueMs }) => dueMs <= now)
    if (due.length === 0) return
    timers = timers.filter(({ dueMs }) => dueMs > now)
    for (const timer of due) ready.push(timer)
  }

  function runnable(): Event[] {
    return ready.filter(({ process }) => process.state === 'running')
  }

  function addTimer(timer: Timer): () => void {
    if (timer.process.state === 'dead') return () => {}
    timers.push(timer)
    return () => {
      timers = timers.filter((other) => other !== timer)
      ready = ready.filter((other) => other !== timer)
    }
  }

  return {
    nowMs: () => now,
    hop: (process, label) =>
      new Promise((resolve) => {
        if (process.state !== 'dead') ready.push({ process, label, run: resolve })
      }),
    hopAfter: (process, delayMs, label) =>
      new Promise((resolve) => {
        addTimer({ process, label, run: resolve, dueMs: now + delayMs })
      }),
    clockOf: (process) => ({
      now: () => EPOCH_MS + Math.floor(now) + process.wall.onMs + process.wallOffsetMs,
      monotonicMs: () => now,
      after: (delayMs, run) => addTimer({ process, label: CLOCK_CALL, run, dueMs: now + Math.max(0, delayMs) }),
    }),
    runOne() {
      const choices = runnable()
      if (choices.length === 0) return null
      const event = chance.pick(choices)
      ready = ready.filter((other) => other !== event)
      event.run()
      return `${event.process.name}: ${event.label}`
    },
    pass,
    passToNext() {
      const dues = timers.filter(({ process }) => process.state === 'running').map(({ dueMs }) => dueMs)
      if (dues.length === 0) return false
      pass(Math.max(0, Math.min(...dues) - now))
      return true
    },
    bury(process) {
      ready = ready.filter((event) => event.process !== process)
      timers = timers.filter((timer) => timer.process !== process)
    },
    waitingCount: (process) => ({
      timers: timers
        .filter((timer) => timer.process === process && timer.label === CLOCK_CALL)
        .map(({ dueMs }) => dueMs - now),
      ready: ready.filter((event) => event.process === process).length,
    }),
  }
}
