import type { WallDay } from './wall-days.ts'

/** Times of a calendar without zones at which something is to happen. */
export interface WallPattern {
  /** Whether it happens more than once in an hour, or in every hour: then it happens in both of an hour that comes twice. [SCHED4] */
  readonly isFrequent: boolean
  /** Nothing happens before this minute; null for no bound. */
  readonly firstMinute: number | null
  /** Nothing happens after it; null for no bound. */
  readonly lastMinute: number | null
  /** The minutes of a day, from 0, in their order. */
  timesOn(day: WallDay): readonly number[]
}
