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
}: {
  readonly client: Client
  readonly rule: ScheduleRule | null
  readonly timeZone: string
}) {
  const written = JSON.stringify({ rule, timeZone })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is the same as long as its words are
  const ask = useCallback(
    () => (rule === null ? Promise.resolve([]) : client.tryScheduleRule({ rule, timeZone })),
    [client, written],
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
    </div>
  )
}
