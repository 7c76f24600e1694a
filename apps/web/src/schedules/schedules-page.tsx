import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { OccurrenceRow, ScheduleRow } from '@holdfast/protocol'
import { useCallback, useEffect, useState } from 'react'
import { told, useAsked } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { errorText } from '../shared/problem-words.ts'
import { SearchField } from '../shared/search-field.tsx'
import { tell } from '../shared/toasts/toasts.ts'
import { forgetWanted, wantedSchedule } from './begin-schedule.ts'
import { builtOf } from './built-rule.ts'
import { HookAddress } from './hook-address.tsx'
import { keptDraft, takeOrphan } from './kept-draft.ts'
import { type Named, useNamed, whenWord } from './rule-words.ts'
import { RunLink } from './run-link.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { ScheduleHead } from './schedule-head.tsx'
import { causeWord, costWord, stateWord, timeText } from './schedule-words.ts'
import { useFreshInbox } from './use-fresh-inbox.ts'
import { whyWords } from './why-words.ts'

/** The schedules of a person: what runs next, what the last run became, and all that a run did. */
export function SchedulesPage({ client }: { readonly client: Client }) {
  useFreshInbox(client)
  const { value, state, problem } = useObservable(client.schedules, (schedules) => schedules)
  const [text, setText] = useState(() => wantedSchedule() ?? (keptDraft(null) === null ? null : ''))
  useEffect(forgetWanted, [])
  useEffect(() => client.schedules.load(), [client])
  const rows = value?.schedules ?? []
  useEffect(() => {
    if (value === undefined || text !== null) return
    const orphan = takeOrphan(value.schedules.map(({ id }) => id))
    if (orphan === null) return
    setText('')
    tell(say('schedules.typed-for-gone', { name: orphan.base?.name ?? '' }), null)
  }, [value, text])
  return (
    <section aria-label={say('schedules.page')}>
      <div className="settings-head">
        <p className="settings-lead">{say('schedules.lead')}</p>
        {text === null && (
          <button type="button" className="button" onClick={() => setText('')}>
            {say('schedules.new-asking')}
          </button>
        )}
      </div>
      {text !== null && <ScheduleForm client={client} row={null} text={text} onClose={() => setText(null)} />}
      {!value && state !== 'failed' && <p className="meta">{say('schedules.reading')}</p>}
      {state === 'failed' && (
        <p className="problem" role="alert">
          {say('schedules.not-read', { problem: problem ? errorText(problem) : '' })}{' '}
          <button type="button" className="link-button" onClick={() => client.schedules.load()}>
            {say('common.try-again')}
          </button>
        </p>
      )}
      {value && rows.length === 0 && text === null && <p className="meta">{say('schedules.none')}</p>}
      <Schedules client={client} rows={rows} />
    </section>
  )
}

/** From so many on they are searched. */
const MANY = 8

/** The list; where there are many it is searched by all that a row says. [UI118] */
function Schedules({ client, rows }: { readonly client: Client; readonly rows: readonly ScheduleRow[] }) {
  const named = useNamed(client)
  const [words, setWords] = useState('')
  const hasSearch = rows.length >= MANY || words !== ''
  const wanted = words.trim().toLocaleLowerCase()
  const isFound = (row: ScheduleRow): boolean => textOf(row, named).toLocaleLowerCase().includes(wanted)
  const found = wanted === '' ? rows : rows.filter(isFound)
  return (
    <>
      {hasSearch && (
        <SearchField
          label={say('schedules.search')}
          placeholder={say('schedules.search')}
          words={words}
          onWords={setWords}
        />
      )}
      {wanted !== '' && (
        <p className="meta" role="status">
          {say('inbox.shown-of', { shown: found.length, all: rows.length })}
        </p>
      )}
      <ul className="provider-list">
        {found.map((row) => (
          <Schedule key={row.id} client={client} row={row} />
        ))}
      </ul>
    </>
  )
}

/** What is read of a schedule in the list. */
function textOf({ name, content, rule, agentId }: ScheduleRow, named: Named): string {
  const agent = agentId === undefined ? '' : named.agent(agentId)
  return [name, ...content.map(({ text }) => text), whenWord(builtOf(rule), named), agent].join(' ')
}

function Schedule({ client, row }: { readonly client: Client; readonly row: ScheduleRow }) {
  // What was typed and not saved is there again.
  const [open, setOpen] = useState<'form' | 'history' | null>(() => (keptDraft(row.id) === null ? null : 'form'))
  const [isSure, setSure] = useState(false)
  const { id, name, isOn } = row
  const change = (changes: Parameters<Client['changeSchedule']>[1]) => told(client.changeSchedule(id, changes))

  async function run(): Promise<void> {
    if (await told(client.runSchedule(id))) tell(say('schedules.started', { name }), null)
  }

  async function remove(): Promise<void> {
    if (await told(client.removeSchedule(id))) tell(say('schedules.removed', { name }), null)
  }

  return (
    <li className="schedule-row" data-testid="schedule-row" data-state={isOn ? 'on' : 'paused'}>
      <ScheduleHead client={client} row={row} />
      <span className="schedule-acts">
        <button
          type="button"
          className="button"
          aria-label={say('schedules.run-name', { name })}
          onClick={() => void run()}
        >
          {say('schedules.run')}
        </button>
        <button
          type="button"
          className="button"
          aria-label={say(isOn ? 'schedules.pause-name' : 'schedules.resume-name', { name })}
          onClick={() => void change({ isOn: !isOn })}
        >
          {say(isOn ? 'schedules.pause' : 'schedules.resume')}
        </button>
        <button
          type="button"
          className="link-button"
          aria-expanded={open === 'history'}
          aria-label={say('schedules.history-name', { name })}
          onClick={() => setOpen(open === 'history' ? null : 'history')}
        >
          {say('schedules.history')}
        </button>
        <button
          type="button"
          className="link-button"
          aria-expanded={open === 'form'}
          aria-label={say('schedules.edit-name', { name })}
          onClick={() => setOpen(open === 'form' ? null : 'form')}
        >
          {say('common.edit')}
        </button>
        {isSure ? (
          <>
            <button
              type="button"
              className="button danger"
              aria-label={say('schedules.really-remove-name', { name })}
              onClick={() => void remove()}
            >
              {say('common.remove')}
            </button>
            <button type="button" className="link-button" onClick={() => setSure(false)}>
              {say('common.keep')}
            </button>
          </>
        ) : (
          <button
            type="button"
            className="link-button"
            aria-label={say('schedules.remove-name', { name })}
            onClick={() => setSure(true)}
          >
            {say('common.delete-asking')}
          </button>
        )}
      </span>
      {open === 'form' && (
        <ScheduleForm key={`${id} form`} client={client} row={row} text="" onClose={() => setOpen(null)} />
      )}
      {row.rule.type === 'hook' && <HookAddress client={client} row={row} />}
      {open === 'history' && <History client={client} row={row} />}
    </li>
  )
}

function History({ client, row }: { readonly client: Client; readonly row: ScheduleRow }) {
  const { id, last, openCount } = row
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read again when something was added to it
  const ask = useCallback(() => client.occurrences(id), [client, id, last?.plannedAt, last?.state, openCount])
  const [asked, askAgain] = useAsked(ask)
  if (asked.value === null) return <p className="meta schedule-wide">{asked.problem ?? say('schedules.reading')}</p>
  if (asked.value.length === 0) return <p className="meta schedule-wide">{say('schedules.no-history')}</p>
  return (
    <div className="schedule-wide" data-testid="schedule-history">
      <p className="meta">{say('schedules.times-in', { zone: row.timeZone })}</p>
      <ol className="schedule-history">
        {asked.value.map((line) => (
          <Line key={line.id} client={client} row={row} line={line} onChanged={askAgain} />
        ))}
      </ol>
    </div>
  )
}

function Line(props: {
  readonly client: Client
  readonly row: ScheduleRow
  readonly line: OccurrenceRow
  readonly onChanged: () => void
}) {
  const { client, row, line } = props
  const { plannedAt, cause, state, reason, why, conversationId, costUsd, denied } = line
  const causedBy = causeWord(cause)
  const cost = costWord(costUsd)
  return (
    <li data-state={state}>
      <span className="tabular">{timeText(plannedAt, row.timeZone)}</span> <strong>{stateWord(state)}</strong>
      {causedBy !== null && <span className="meta"> {causedBy}</span>}
      {cost !== null && <span className="meta tabular"> {cost}</span>}
      {conversationId !== null && (
        <>
          {' '}
          <RunLink conversationId={conversationId} />
        </>
      )}
      {reason !== null && (
        <div className="meta" dir="auto">
          {whyWords({ why, words: reason }, (at) => timeText(at, row.timeZone))}
        </div>
      )}
      {denied.map((rule) => (
        <AllowDenied key={`${rule.tool} ${rule.pattern}`} client={client} row={row} rule={rule} />
      ))}
    </li>
  )
}

/** Lets later runs of a schedule do what one was denied. [SCHED14] */
function AllowDenied(props: {
  readonly client: Client
  readonly row: ScheduleRow
  readonly rule: OccurrenceRow['denied'][number]
}) {
  const { client, row, rule } = props
  const isAllowed =
    row.unattended === 'full' ||
    (row.unattended === 'allow-list' &&
      row.rules.some(({ tool, pattern }) => tool === rule.tool && pattern === rule.pattern))
  const allow = () => client.changeSchedule(row.id, { unattended: 'allow-list', rules: [...row.rules, rule] })
  return (
    <div className="schedule-denied">
      <code dir="ltr">{`${rule.tool} ${rule.pattern}`}</code>{' '}
      {isAllowed ? (
        <span className="meta">{say('schedules.allowed-now')}</span>
      ) : (
        <button type="button" className="button" onClick={() => void told(allow())}>
          {say('schedules.allow-here')}
        </button>
      )}
    </div>
  )
}
