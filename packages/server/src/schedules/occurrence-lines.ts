import { because } from './because.ts'
import type { Occurrence, StoredSchedule } from './schedule-record.ts'

const FAILURES_TO_PAUSE = 3
const KEPT_NEWS = 20

/** A line of the history of which no more is known. */
export function lineOf(
  said: Pick<Occurrence, 'plannedAt' | 'state' | 'reason' | 'why' | 'cause' | 'source' | 'chain'>,
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
  const paused = because({ code: 'failed-in-a-row', count: failuresInRow, last: reason })
  const { reason: pausedReason, why: pausedWhy } = paused
  return { ...withoutQueued(value), failuresInRow, isOn: false, pausedReason, pausedWhy }
}

/** It is not paused by itself any more, or was seen to be. */
export function withoutPause({ pausedWhy: _, ...value }: StoredSchedule): StoredSchedule {
  return { ...value, pausedReason: null }
}

/** Nothing waits any more for what is open. */
export function withoutQueued({ queuedTrigger: _, ...value }: StoredSchedule): StoredSchedule {
  return { ...value, queuedAt: null }
}
