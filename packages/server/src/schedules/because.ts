import type { ScheduleWhy } from '@holdfast/protocol'
import { minuteOf } from './set-back.ts'

/** Why something became of a planned run, with its words in English, which the log, the terminal and notifications say. */
export interface Because {
  readonly reason: string
  readonly why: ScheduleWhy
}

/** Says it in words. [SCHED50] */
export function because(why: ScheduleWhy): Because {
  return { reason: wordsOf(why), why }
}

function wordsOf(why: ScheduleWhy): string {
  switch (why.code) {
    case 'server-off':
      return missedWords(why)
    case 'clock-set-back':
      return `The clock of the server was set back from ${minuteOf(why.until)} or later to ${minuteOf(why.from)}. It goes on by that: what ran by the time before does not run again`
    case 'runs-open':
      return `${why.count === 1 ? 'The run before it' : `${why.count} runs before it`} had not ended`
    case 'run-waits':
      return 'One run was open and another waited for it'
    case 'budget-used':
      return usedUpWords(why)
    case 'chain-too-long':
      return `${why.count} runs had set each other off before it`
    case 'nobody-there':
      return `Nobody was there to be asked about ${why.tools.join(', ')}`
    case 'stopped':
      return 'A person stopped it'
    case 'taken-out-of-queue':
      return 'A person took it out of the queue'
    case 'conversation-deleted':
      return 'Its conversation was deleted'
    case 'server-ended':
      return 'The server ended while it ran'
    case 'failed-in-a-row':
      return `It failed ${why.count} times in a row. The last time: ${why.last}`
  }
}

/** What did not run while nothing was there. [SCHED7] */
function missedWords({ count, isMore, firstAt, lastAt }: Extract<ScheduleWhy, { code: 'server-off' }>): string {
  if (count === 1) return `Nothing ran at ${minuteOf(lastAt)}: the server was off or asleep`
  return `${isMore ? 'More than ' : ''}${count} runs from ${minuteOf(firstAt)} to ${minuteOf(lastAt)} did not take place: the server was off or asleep`
}

/** Why nothing runs before the next day or month: the whole budget, and what of it is used. [SCHED39] */
function usedUpWords({ period, wholeUsd, usedUsd }: Extract<ScheduleWhy, { code: 'budget-used' }>): string {
  const held = usedUsd < wholeUsd ? `; the rest is kept for what runs` : ''
  return `Its budget of ${usdText(wholeUsd)} a ${period} is used up (${usdText(usedUsd)} is used${held})`
}

/** Two decimals, and four below a cent. */
function usdText(usd: number): string {
  return `$${usd !== 0 && usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`
}
