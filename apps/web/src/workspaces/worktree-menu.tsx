import type { Client, ConversationStore, FinishedAnswer } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { FinishHow, type WorktreeRow } from '@holdfast/protocol'
import { type SubmitEvent, useId, useState } from 'react'
import { useTold } from '../shared/ask-server.ts'
import { Icon } from '../shared/icons.tsx'
import { type PlainKey, say } from '../shared/language/say.ts'
import { useStanding, worktreeChanged } from './standing.ts'
import { shortStanding, worktreeWords } from './worktree-words.ts'

const WAYS: Readonly<Record<FinishHow, { readonly name: PlainKey; readonly says: PlainKey }>> = {
  merge: { name: 'worktrees.merge', says: 'worktrees.merge-says' },
  apply: { name: 'worktrees.apply', says: 'worktrees.apply-says' },
  branch: { name: 'worktrees.branch', says: 'worktrees.branch-says' },
  push: { name: 'worktrees.push', says: 'worktrees.push-says' },
  'pull-request': { name: 'worktrees.pull-request', says: 'worktrees.pull-request-says' },
  discard: { name: 'worktrees.discard', says: 'worktrees.discard-says' },
}

interface WorktreeMenuProps {
  readonly client: Client
  readonly store: ConversationStore
}

/** How the worktree of a conversation stands, and how the work in it is ended. Nothing where it has none. [UI66] */
export function WorktreeMenu({ client, store }: WorktreeMenuProps) {
  const worktreeId = useConversation(store, ({ overview }) => overview.settings.worktreeId ?? null)
  return worktreeId === null ? null : <Button client={client} store={store} worktreeId={worktreeId} />
}

interface OfWorktree extends WorktreeMenuProps {
  readonly worktreeId: string
}

function Button({ client, store, worktreeId }: OfWorktree) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { value } = useStanding({ client, store, worktreeId })
  const stands = value === null ? '' : shortStanding(value)
  const name = say('worktrees.finish')
  return (
    <>
      <button
        type="button"
        className="icon-button worktree-button"
        aria-label={stands === '' ? name : `${name}: ${stands}`}
        data-testid="worktree-button"
        popoverTarget={id}
      >
        <Icon name="fork" />
        {stands !== '' && <span className="worktree-stands">{stands}</span>}
        <span className="act-words">{name}</span>
      </button>
      <section
        id={id}
        popover="auto"
        className="export-menu worktree-menu"
        data-testid="worktree-menu"
        aria-label={say('worktrees.finish')}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && <Standing client={client} store={store} worktreeId={worktreeId} />}
      </section>
    </>
  )
}

function Standing({ client, store, worktreeId }: OfWorktree) {
  const { type, value, problem } = useStanding({ client, store, worktreeId })
  const acting = useTold()
  const [done, setDone] = useState<FinishedAnswer | null>(null)
  const { isBusy } = acting
  const conversationId = useConversation(store, (state) => state.conversationId)
  const isRunning = useConversation(store, ({ overview }) => overview.runState.exclusive !== null)

  async function finish(how: FinishHow, message: string): Promise<void> {
    const wish = { how, message: message.trim() === '' ? null : message.trim() }
    await acting.run(async () => setDone(await client.finishWorktree(conversationId, wish)))
    worktreeChanged()
  }

  async function restore(): Promise<void> {
    setDone(null)
    await acting.run(() => client.restoreWorktree(worktreeId))
    worktreeChanged()
  }

  return (
    <>
      {type === 'asking' && <p className="meta">{say('worktrees.reading')}</p>}
      {type === 'here' && value === null && <p className="meta">{say('worktrees.unknown')}</p>}
      {value !== null && (
        <p>
          <strong className="mono" dir="ltr">
            {value.branch}
          </strong>
          <span className="meta">{worktreeWords(value)}</span>
        </p>
      )}
      {done !== null && (
        <p role="status" data-testid="worktree-done">
          {done.message}{' '}
          {done.link !== null && (
            <a href={done.link} target="_blank" rel="noreferrer">
              {done.link}
            </a>
          )}
        </p>
      )}
      {(acting.problem ?? problem) !== null && (
        <p className="problem" role="alert">
          {acting.problem ?? problem}
        </p>
      )}
      {value?.state === 'ready' && (
        <FinishForm
          row={value}
          isBusy={isBusy}
          isRunning={isRunning}
          onFinish={(how, message) => void finish(how, message)}
        />
      )}
      {value?.state === 'removed' && (
        <div className="worktree-acts">
          <button type="button" className="button" disabled={isBusy} onClick={() => void restore()}>
            {say('worktrees.restore')}
          </button>
          <button type="button" className="link-button" onClick={() => store.changeSettings({ worktreeId: null })}>
            {say('worktrees.go-on-in-folder')}
          </button>
        </div>
      )}
    </>
  )
}

/** A merge brings all of the branch, and so what came along from the person's folder. [WS40] */
function usualWay({ baseBranch, isCarried }: WorktreeRow): FinishHow {
  if (isCarried) return 'apply'
  return baseBranch === null ? 'branch' : 'merge'
}

interface FinishFormProps {
  readonly row: WorktreeRow
  readonly isBusy: boolean
  readonly isRunning: boolean
  readonly onFinish: (how: FinishHow, message: string) => void
}

function FinishForm({ row, isBusy, isRunning, onFinish }: FinishFormProps) {
  const [how, setHow] = useState(usualWay(row))
  const [message, setMessage] = useState('')
  const name = useId()

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    onFinish(how, message)
  }

  return (
    <form className="finish-form" onSubmit={onSubmit}>
      {FinishHow.options.map((one) => (
        <label key={one} className="finish-way">
          <input
            type="radio"
            name={name}
            checked={how === one}
            disabled={one === 'merge' && row.baseBranch === null}
            onChange={() => setHow(one)}
          />
          <span>
            <strong>{say(WAYS[one].name)}</strong>
            <span className="meta">
              {say(one === 'merge' && row.isCarried ? 'worktrees.merge-carries' : WAYS[one].says)}
            </span>
          </span>
        </label>
      ))}
      {how !== 'discard' && (
        <input
          type="text"
          dir="auto"
          maxLength={2_000}
          aria-label={say('worktrees.message')}
          placeholder={say('worktrees.message')}
          value={message}
          onChange={({ target }) => setMessage(target.value)}
        />
      )}
      <button
        type="submit"
        className={how === 'discard' ? 'button danger' : 'button primary'}
        disabled={isBusy || isRunning}
        title={isRunning ? say('worktrees.while-running') : undefined}
      >
        {say(isBusy ? 'worktrees.finishing' : WAYS[how].name)}
      </button>
    </form>
  )
}
