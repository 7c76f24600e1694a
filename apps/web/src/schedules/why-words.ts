import type { ScheduleWhy } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'
import { moneyText } from './schedule-words.ts'

/** What is said of a budget that is used up, and of one of which what is left is kept for what runs. */
const USED_UP = {
  run: ['schedules.why-run-budget', 'schedules.why-run-budget'],
  day: ['schedules.why-day-budget', 'schedules.why-day-budget-rest'],
  month: ['schedules.why-month-budget', 'schedules.why-month-budget-rest'],
} as const

/**
 * Why something became of a planned run, in the language of the page; what a model, a tool or a store said stays as it is. [SCHED50]
 *
 * @param timeOf how instants are said there.
 */
export function whyWords(
  { why, words }: { readonly why: ScheduleWhy | undefined; readonly words: string },
  timeOf: (at: number) => string,
): string {
  switch (why?.code) {
    case undefined:
      return words
    case 'server-off': {
      const { count, isMore, firstAt, lastAt } = why
      const said = { count, from: timeOf(firstAt), to: timeOf(lastAt) }
      return say(isMore ? 'schedules.why-off-and-more' : 'schedules.why-off', said)
    }
    case 'clock-set-back':
      return say('schedules.why-set-back', { from: timeOf(why.until), to: timeOf(why.from) })
    case 'runs-open':
      return say('schedules.why-runs-open', { count: why.count })
    case 'run-waits':
      return say('schedules.why-run-waits')
    case 'budget-used': {
      const { period, wholeUsd, usedUsd } = why
      const [used, withRest] = USED_UP[period]
      return say(usedUsd < wholeUsd ? withRest : used, { whole: moneyText(wholeUsd), used: moneyText(usedUsd) })
    }
    case 'chain-too-long':
      return say('schedules.why-set-off', { count: why.count })
    case 'nobody-there':
      return say('schedules.why-nobody-there', { tools: why.tools.join(', ') })
    case 'stopped':
      return say('schedules.why-stopped')
    case 'taken-out-of-queue':
      return say('schedules.why-taken-out')
    case 'conversation-deleted':
      return say('schedules.why-deleted')
    case 'server-ended':
      return say('schedules.why-server-ended')
    case 'failed-in-a-row':
      return say('schedules.why-failed-in-a-row', { count: why.count, last: why.last })
  }
}
