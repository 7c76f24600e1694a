import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { useTold } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { useStanding, worktreeChanged } from './standing.ts'

interface GoneWorktreeProps {
  readonly client: Client
  readonly store: ConversationStore
}

/** Says that a conversation has no folder any more, for the work in its worktree was ended; and how it goes on. [UI66] */
export function GoneWorktree({ client, store }: GoneWorktreeProps) {
  const worktreeId = useConversation(store, ({ overview }) => overview.settings.worktreeId ?? null)
  return worktreeId === null ? null : <Notice client={client} store={store} worktreeId={worktreeId} />
}

function Notice({ client, store, worktreeId }: GoneWorktreeProps & { readonly worktreeId: string }) {
  const { value } = useStanding({ client, store, worktreeId })
  const acting = useTold()
  if (value?.state !== 'removed') return null
  return (
    <p className="connection worktree-gone" role="status" data-testid="worktree-gone">
      {say('worktrees.gone', { why: value.removedBy ?? '' })}{' '}
      <button type="button" className="link-button" onClick={() => store.changeSettings({ worktreeId: null })}>
        {say('worktrees.go-on-in-folder')}
      </button>{' '}
      <button
        type="button"
        className="link-button"
        disabled={acting.isBusy}
        onClick={() => void acting.run(() => client.restoreWorktree(worktreeId)).then(worktreeChanged)}
      >
        {say('worktrees.restore')}
      </button>
      {acting.problem !== null && (
        <span className="problem" role="alert">
          {' '}
          {acting.problem}
        </span>
      )}
    </p>
  )
}
