import type { Client } from '@holdfast/client'
import type { AuditAnswer, AuditRow, PersonRow } from '@holdfast/protocol'
import { useState } from 'react'
import { answerOf } from '../shared/ask-server.ts'
import { dayAndTime } from '../shared/format.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { KeptCard } from './kept-card.tsx'
import { useKept } from './use-kept.ts'

interface AuditCardProps {
  readonly client: Client
  readonly people: readonly PersonRow[]
}

/** Who allowed which tool, in the conversations of everybody. What the calls were to do is not said. [UI59] */
export function AuditCard({ client, people }: AuditCardProps) {
  const [ask] = useState(() => () => client.readAudit(null))
  const kept = useKept(ask, null)
  return (
    <KeptCard title={say('administration.audit')} testId="audit" kept={kept}>
      {(first) => <Pages key={kept.heldAt} client={client} people={people} first={first} />}
    </KeptCard>
  )
}

interface PagesProps extends AuditCardProps {
  readonly first: AuditAnswer
}

/** The pages that were read, one under the other. */
function Pages({ client, people, first }: PagesProps) {
  const [pages, setPages] = useState([first])
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const next = pages.at(-1)?.next ?? null
  const rows = pages.flatMap((page) => page.rows)
  const damagedIds = [...new Set(pages.flatMap((page) => page.damagedIds))]

  async function readNext(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    const answer = await answerOf(client.readAudit(next))
    setBusy(false)
    setProblem(answer.problem)
    if (answer.value !== null) setPages([...pages, answer.value])
  }

  return (
    <>
      <p className="meta">{say('administration.audit-lead')}</p>
      <ul className="account-list">
        {rows.map((row) => (
          <Settled key={`${row.conversationId} ${row.seq}`} row={row} people={people} />
        ))}
      </ul>
      {rows.length === 0 && (
        <p className="meta">{say(next === null ? 'administration.nothing-asked' : 'administration.nothing-so-far')}</p>
      )}
      {damagedIds.length > 0 && (
        <p className="problem">{say('administration.damaged-logs', { ids: damagedIds.join(', ') })}</p>
      )}
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {next !== null && (
        <button type="button" className="button" aria-disabled={isBusy || undefined} onClick={() => void readNext()}>
          {say('administration.look-further-back')}
        </button>
      )}
    </>
  )
}

const OUTCOMES: Readonly<Record<AuditRow['outcome'], PlainKey>> = {
  allowed: 'administration.allowed',
  denied: 'administration.denied',
  cancelled: 'administration.called-off',
}

const CAUSES: Readonly<Record<Exclude<AuditRow['by'], 'person'>, PlainKey>> = {
  mode: 'administration.by-the-mode',
  rule: 'administration.by-a-rule',
  stop: 'administration.by-a-stop',
  recovery: 'administration.after-a-crash',
  unattended: 'administration.nobody-was-there',
}

const REACHES: Readonly<Record<NonNullable<AuditRow['scope']>, PlainKey>> = {
  call: 'administration.for-the-call',
  conversation: 'administration.for-the-conversation',
  pattern: 'administration.for-a-pattern',
  category: 'administration.for-a-category',
  always: 'administration.for-always',
}

function Settled({ row, people }: { readonly row: AuditRow; readonly people: readonly PersonRow[] }) {
  const { tool, outcome, by, scope, userId, ownerId, conversationId, at } = row
  const nameOf = (id: string) => people.find(({ account }) => account.id === id)?.account.name ?? id
  const cause = by === 'person' ? say('administration.by-name', { name: nameOf(userId ?? ownerId) }) : say(CAUSES[by])
  const reach = scope === null ? [] : [say(REACHES[scope])]
  const place = say('administration.conversation-of', { name: nameOf(ownerId) })
  return (
    <li data-state={outcome}>
      <div>
        <strong dir="auto">{tool ?? say('administration.unknown-tool')}</strong> <span>{say(OUTCOMES[outcome])}</span>
        <p className="meta" dir="auto" title={conversationId}>
          {[cause, ...reach, place, dayAndTime(at)].join(' · ')}
        </p>
      </div>
    </li>
  )
}
