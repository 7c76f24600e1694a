import { readdirSync, readFileSync } from 'node:fs'

/** Processor time of a process by what its threads do, in microseconds. */
export interface ThreadTimes {
  /** The thread that serves. */
  readonly main: number
  /** The threads that a program starts itself: here those of its store. */
  readonly workers: number
  /** Collector, compiler and files: threads of V8 and libuv. */
  readonly helpers: number
}

/** Reads the time of all threads that live, to the nanosecond. */
export function threadTimesOf(pid: number): ThreadTimes {
  const times = { main: 0, workers: 0, helpers: 0 }
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const task = `/proc/${pid}/task/${id}`
    const us = Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[0]) / 1_000
    if (Number(id) === pid) times.main += us
    else if (readFileSync(`${task}/comm`, 'utf8').trim() === 'WorkerThread') times.workers += us
    else times.helpers += us
  }
  return times
}

/** What passed between two readings, in milliseconds, and its sum. */
export function passedMs(before: ThreadTimes, after: ThreadTimes): ThreadTimes & { readonly sum: number } {
  const main = (after.main - before.main) / 1_000
  const workers = (after.workers - before.workers) / 1_000
  const helpers = (after.helpers - before.helpers) / 1_000
  return { main, workers, helpers, sum: main + workers + helpers }
}
