import type { FactSource } from '../../api/fact-source.ts'

/** A turn is told the time anew when what it was told is older, in milliseconds. */
const RENEW_FOR_TURN_MS = 10 * 60_000

/** A further step of a run is told the time anew when what it was told is older, in milliseconds. */
const RENEW_FOR_STEP_MS = 60 * 60_000

const BUDGET_TOKENS = 60

/**
 * Date, weekday and time, to the minute. They are told at the start of a turn when they were last told ten minutes ago
 * or more, and inside a long run once an hour: a note at every step would cost more than it says. [REQ6]
 *
 * @param timeZone - a name of the time-zone database, such as `Europe/Berlin`.
 */
export function createTimeFact({ timeZone }: { readonly timeZone: string }): FactSource {
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  })
  return {
    section: 'time',
    budgetTokens: BUDGET_TOKENS,
    async textNow({ now, stepCount, noted }) {
      const renewMs = stepCount === 0 ? RENEW_FOR_TURN_MS : RENEW_FOR_STEP_MS
      const isFresh = noted !== null && now >= noted.at && now - noted.at < renewMs
      return isFresh ? noted.text : `${format.format(now)} (${timeZone})`
    },
  }
}
