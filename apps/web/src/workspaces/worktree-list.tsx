import type { Client } from '@holdfast/client'
import type { WorktreeRow } from '@holdfast/protocol'
import { useCallback } from 'react'
import { navigate, pathOf } from '../shared/address.ts'
import { told, useAsked } from '../shared/ask-server.ts'
import { bytesText } from '../shared/language/bytes-text.ts'
import { say } from '../shared/language/say.ts'
import { worktreeWords } from './worktree-words.ts'

/** The worktrees of conversations: how each stands, and its conversation. [WS8] */
export function WorktreeList({ client }: { readonly client: Client }) {
  const read = useCallback(() => client.listWorktrees(null), [client])
  const [{ type, value, problem }, readAgain] = useAsked(read)

  const spent = (value ?? []).filter(({ state, now }) => state === 'ready' && now?.hasOwnWork === false)

  async function removeSpent(): Promise<void> {
    for (const { id } of spent) await told(client.removeWorktree(id))
    readAgain()
  }

  async function act(work: Promise<unknown>): Promise<void> {
    await told(work)
    readAgain()
  }

  return (
    <section aria-label={say('worktrees.worktrees')}>
      <h2>{say('worktrees.worktrees')}</h2>
      <p className="settings-lead">{say('worktrees.lead')}</p>
      {type === 'asking' && <p className="meta">{say('worktrees.reading')}</p>}
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {spent.length > 0 && (
        <div className="settings-head" data-testid="spent-worktrees">
          <p className="meta">{say('worktrees.spent', { count: spent.length })}</p>
          <button type="button" className="button" onClick={() => void removeSpent()}>
            {say('worktrees.remove-spent')}
          </button>
        </div>
      )}
      {value?.length === 0 && <p className="meta">{say('worktrees.none-yet')}</p>}
      <ul className="provider-list">
        {(value ?? []).map((row) => (
          <li key={row.id} className="workspace-row" data-testid="worktree-row" data-state={row.state}>
            <span className="provider-name">
              <strong className="mono" dir="ltr">
                {row.branch}
              </strong>
              <span className="meta">
                {[worktreeWords(row), row.now === null ? '' : bytesText(row.now.sizeBytes)].filter(Boolean).join(' · ')}
              </span>
              <ConversationLink row={row} />
            </span>
            <span className="setting-acts">
              {row.state === 'ready' && (
                <button
                  type="button"
                  className="button"
                  aria-label={say('worktrees.remove-name', { name: row.branch })}
                  onClick={() => void act(client.removeWorktree(row.id))}
                >
                  {say('worktrees.remove')}
                </button>
              )}
              {row.state === 'removed' && (
                <button
                  type="button"
                  className="button"
                  aria-label={say('worktrees.restore-name', { name: row.branch })}
                  onClick={() => void act(client.restoreWorktree(row.id))}
                >
                  {say('worktrees.restore')}
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ConversationLink({ row: { conversationId } }: { readonly row: WorktreeRow }) {
  const route = { type: 'conversation', conversationId } as const
  return (
    <a
      href={pathOf(route)}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        navigate(route, 'push')
      }}
    >
      {say('worktrees.its-conversation')}
    </a>
  )
}
