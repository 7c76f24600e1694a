import type { Client } from '@holdfast/client'
import type { ScheduleRow } from '@holdfast/protocol'
import { told } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { builtOf } from './built-rule.ts'
import { useNamed, whenWord } from './rule-words.ts'
import { RunLink } from './run-link.tsx'
import { nextWord, stateWord, timeText } from './schedule-words.ts'
import { whyWords } from './why-words.ts'

/** What a schedule is: its name, when it runs, what it asks and may do, what comes next and what came last. [SCHED42] */
export function ScheduleHead({ client, row }: { readonly client: Client; readonly row: ScheduleRow }) {
  const named = useNamed(client)
  const { name, content, agentId, unattended, last, pausedReason, pausedWhy, timeZone, rule } = row
  const [first] = content
  return (
    <span className="provider-name">
      <strong dir="auto">{name}</strong>
      <span data-testid="schedule-when" dir="auto">
        {whenWord(builtOf(rule), named)}
      </span>
      <span className="meta schedule-asks" dir="auto">
        {first?.text}
      </span>
      {agentId !== undefined && (
        <span className="meta">{say('schedules.answered-by', { name: named.agent(agentId) })}</span>
      )}
      {unattended === 'full' && <span className="meta">{say('schedules.means-full')}</span>}
      <span className="meta">{nextWord(row)}</span>
      {last && (
        <span className="meta">
          {say('schedules.last', {
            state: stateWord(last.state),
            time: timeText(last.plannedAt, timeZone),
            zone: timeZone,
          })}
        </span>
      )}
      {pausedReason !== null && (
        <span className="problem" dir="auto">
          {whyWords({ why: pausedWhy, words: pausedReason }, (at) => timeText(at, timeZone))}
        </span>
      )}
      <OpenRuns client={client} row={row} />
    </span>
  )
}

/** Its runs that are under way, with what stops them. [SCHED38] */
function OpenRuns({ client, row: { id, name, openRuns } }: { readonly client: Client; readonly row: ScheduleRow }) {
  if (openRuns.length === 0) return null
  return (
    <span className="schedule-open" data-testid="schedule-open">
      <span role="status">{say('schedules.under-way', { count: openRuns.length })}</span>
      {openRuns.map(({ conversationId, plannedAt }) => (
        <RunLink key={`${conversationId} ${plannedAt}`} className="link-button" conversationId={conversationId} />
      ))}
      <button
        type="button"
        className="button"
        aria-label={say('schedules.stop-name', { name })}
        onClick={() => void told(client.stopSchedule(id))}
      >
        {say('schedules.stop')}
      </button>
    </span>
  )
}
