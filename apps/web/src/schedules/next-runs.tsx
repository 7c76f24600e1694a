import type { Client } from '@holdfast/client'
import type { ScheduleRule } from '@holdfast/protocol'
import { useCallback } from 'react'
import { useAskedAtRest } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { timeText } from './schedule-words.ts'

/** The next five runs of what is being written, as the server will run them. [SCHED5] */
export function NextRuns({
  client,
  rule,
  timeZone,
  jitterMinutes,
  scheduleId,
}: {
  readonly client: Client
  readonly rule: ScheduleRule | null
  readonly timeZone: string
  readonly jitterMinutes: number
  /** Null for a new one, whose delay is not known before it is made. */
  readonly scheduleId: string | null
}) {
  const written = JSON.stringify({ rule, timeZone, jitterMinutes })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is the same as long as its words are
  const ask = useCallback(
    () =>
      rule === null
        ? Promise.resolve([])
        : client.tryScheduleRule({
            rule,
            timeZone,
            jitterMinutes,
            ...(scheduleId === null ? {} : { scheduleId }),
          }),
    [client, scheduleId, written],
  )
  const { asked } = useAskedAtRest(ask, 250)
  return (
    <div className="schedule-wide schedule-next" aria-live="polite">
      <span>{say('schedules.next-runs')}</span>
      {asked.problem !== null && rule !== null && <p className="problem">{asked.problem}</p>}
      {asked.type === 'here' && (
        <ol>
          {asked.value.map((at) => (
            <li key={at} className="tabular">
              {timeText(at, timeZone)}
            </li>
          ))}
        </ol>
      )}
      {scheduleId === null && jitterMinutes > 0 && (
        <span className="meta">{say('schedules.later-by', { count: jitterMinutes })}</span>
      )}
    </div>
  )
}
