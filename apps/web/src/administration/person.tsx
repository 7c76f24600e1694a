import type { Client, UserChange } from '@holdfast/client'
import type { PersonRow } from '@holdfast/protocol'
import { useState } from 'react'
import { roleWord } from '../account/role-word.ts'
import { usdText } from '../shared/cost-words.ts'
import { dayAndTime } from '../shared/format.ts'
import { bytesText } from '../shared/language/bytes-text.ts'
import { say } from '../shared/language/say.ts'
import { PersonBudgetForm } from './person-budget-form.tsx'
import { PersonSessions } from './person-sessions.tsx'

interface PersonProps {
  readonly client: Client
  readonly row: PersonRow
  readonly isOwn: boolean
  readonly onChange: (wish: UserChange) => void
  readonly onResetPassword: () => void
  /** A session of theirs was ended. */
  readonly onEnded: () => void
}

/** One person: figures, budget and sessions, and what is done about them. */
export function Person({ client, row, isOwn, onChange, onResetPassword, onEnded }: PersonProps) {
  const { account, sessionCount } = row
  const { id, name, email, role, disabled } = account
  const [isOpen, setOpen] = useState(false)
  const standing = [email, roleWord(role), ...(disabled ? [say('account.disabled')] : [])]
  return (
    <li>
      <div>
        <strong dir="auto">{name}</strong>
        <p className="meta">{standing.join(' · ')}</p>
        <p className="meta" data-testid={`figures-of-${id}`}>
          {figuresOf(row).join(' · ')}
        </p>
        <PersonBudgetForm person={account} onSet={(budget) => onChange({ budget })} />
        {sessionCount > 0 && (
          <details onToggle={(event) => setOpen(event.currentTarget.open)} data-testid={`sessions-of-${id}`}>
            <summary className="meta">
              {say('administration.sessions', { count: sessionCount })}
              <span className="visually-hidden"> {say('administration.of-name', { name })}</span>
            </summary>
            {isOpen && <PersonSessions client={client} userId={id} onEnded={onEnded} />}
          </details>
        )}
      </div>
      {isOwn ? (
        <span className="meta">{say('account.you')}</span>
      ) : (
        <PersonActs row={row} onChange={onChange} onResetPassword={onResetPassword} />
      )}
    </li>
  )
}

/** When they were seen last, what is kept of theirs, and what they spent. */
function figuresOf({ lastSeenAt, storedBytes, spentTodayUsd, spentThisMonthUsd }: PersonRow): readonly string[] {
  return [
    lastSeenAt === null
      ? say('administration.not-signed-in')
      : say('administration.seen', { time: dayAndTime(lastSeenAt) }),
    say('administration.kept', { size: bytesText(storedBytes) }),
    say('administration.spent', { today: spentText(spentTodayUsd), month: spentText(spentThisMonthUsd) }),
  ]
}

function spentText(usd: number): string {
  return usd === 0 ? '$0' : usdText(usd)
}

function PersonActs({ row, onChange, onResetPassword }: Pick<PersonProps, 'row' | 'onChange' | 'onResetPassword'>) {
  const { name, role, disabled } = row.account
  const isAdmin = role === 'admin'
  return (
    <span className="setting-acts">
      <button
        type="button"
        className="link-button"
        aria-label={isAdmin ? say('account.make-a-user-of', { name }) : say('account.make-an-admin-of', { name })}
        onClick={() => onChange({ role: isAdmin ? 'user' : 'admin' })}
      >
        {isAdmin ? say('account.make-a-user') : say('account.make-an-admin')}
      </button>
      <button
        type="button"
        className="link-button"
        aria-label={say('account.new-password-for', { name })}
        onClick={onResetPassword}
      >
        {say('account.new-password')}
      </button>
      <button
        type="button"
        className="link-button"
        aria-label={disabled ? say('account.enable-name', { name }) : say('account.disable-name', { name })}
        onClick={() => onChange({ disabled: !disabled })}
      >
        {disabled ? say('account.enable') : say('account.disable')}
      </button>
    </span>
  )
}
