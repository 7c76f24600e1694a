import type { DueDecision } from './decide-due.ts'
import type { Occurrence, StoredSchedule } from './schedule-record.ts'
import { minuteOf } from './set-back.ts'

const FAILURES_TO_PAUSE = 3
const KEPT_NEWS = 20

/** A line of the history of which no more is known. */
export function lineOf(
  said: Pick<Occurrence, 'plannedAt' | 'state' | 'reason' | 'cause' | 'source' | 'chain'>,
): Occurrence {
  return { ...said, conversationId: null, startedAt: null, endedAt: null, costUsd: null, denied: [] }
}

/** What its owner is told the next time, at most so many. [SCHED2] */
export function withNews(value: StoredSchedule, line: Occurrence): StoredSchedule {
  const others = value.news.filter(({ plannedAt, source }) => plannedAt !== line.plannedAt || source !== line.source)
  const [news, over] = withinBound([...others, line])
  return { ...value, last: line, news, moreNews: value.moreNews + over }
}

/** What went well goes first, the oldest of it: what did not is told until it was acknowledged. */
function withinBound(news: readonly Occurrence[]): readonly [Occurrence[], number] {
  const kept = [...news]
  while (kept.length > KEPT_NEWS) {
    const well = kept.findIndex(({ state }) => state === 'succeeded')
    kept.splice(Math.max(0, well), 1)
  }
  return [kept, news.length - kept.length]
}

/** [SCHED11] */
export function afterFailure(value: StoredSchedule, reason: string): StoredSchedule {
  const failuresInRow = value.failuresInRow + 1
  if (failuresInRow < FAILURES_TO_PAUSE) return { ...value, failuresInRow }
  const pausedReason = `It failed ${failuresInRow} times in a row. The last time: ${reason}`
  return { ...withoutQueued(value), failuresInRow, isOn: false, pausedReason }
}

/** Nothing waits any more for what is open. */
export function withoutQueued({ queuedTrigger: _, ...value }: StoredSchedule): StoredSchedule {
  return { ...value, queuedAt: null }
}

/** What did not run while nothing was there, in words. [SCHED7] */
export function missedWords({ count, isMore, firstAt, lastAt }: NonNullable<DueDecision['missed']>): string {
  if (count === 1) return `Nothing ran at ${minuteOf(lastAt)}: the server was off or asleep`
  return `${isMore ? 'More than ' : ''}${count} runs from ${minuteOf(firstAt)} to ${minuteOf(lastAt)} did not take place: the server was off or asleep`
}
