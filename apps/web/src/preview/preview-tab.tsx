import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { type PreviewRow, START_WORKSPACE } from '@holdfast/protocol'
import { useState } from 'react'
import { told } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { PreviewFrame } from './preview-frame.tsx'
import { usePreviewRow } from './use-preview-row.ts'

interface PreviewTabProps {
  readonly client: Client
  readonly store: ConversationStore
}

/** What the conversation's folder shows in a browser, beside it. [PREV21] */
export function PreviewTab({ client, store }: PreviewTabProps) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const workspaceId = useConversation(store, ({ overview }) => overview.settings.workspaceId ?? START_WORKSPACE)
  const { row, problem, look } = usePreviewRow(client, { conversationId, workspaceId })
  if (row === undefined) return <p className="meta dock-wait">{problem ?? say('dock.opening')}</p>
  if (row === null) return <NoPreview client={client} conversationId={conversationId} onMade={look} />
  if (row.state !== 'ready') return <PreviewAtRest client={client} row={row} onChange={look} />
  return <PreviewFrame key={`${row.id} ${row.port}`} client={client} store={store} row={row} onChange={look} />
}

interface NoPreviewProps {
  readonly client: Client
  readonly conversationId: string
  readonly onMade: () => void
}

function NoPreview({ client, conversationId, onMade }: NoPreviewProps) {
  const [isBusy, setBusy] = useState(false)
  async function make(wish: { folder?: string; command?: string }): Promise<void> {
    setBusy(true)
    await told(client.makePreview({ conversationId, ...wish }))
    setBusy(false)
    onMade()
  }
  return (
    <div className="preview-rest" data-testid="preview-none">
      <h2>{say('preview.none')}</h2>
      <p>{say('preview.none-lead')}</p>
      <div className="preview-acts">
        <button type="button" className="button primary" disabled={isBusy} onClick={() => void make({})}>
          {say('preview.start-dev-server')}
        </button>
        <button type="button" className="button" disabled={isBusy} onClick={() => void make({ folder: '' })}>
          {say('preview.show-files')}
        </button>
      </div>
      <form
        className="preview-command"
        onSubmit={(event) => {
          event.preventDefault()
          const command = new FormData(event.currentTarget).get('command')
          if (typeof command === 'string' && command.trim() !== '') void make({ command: command.trim() })
        }}
      >
        <label>
          {say('preview.command')}
          <input name="command" className="field" dir="ltr" autoComplete="off" placeholder="npm run dev" />
        </label>
        <button type="submit" className="button" disabled={isBusy}>
          {say('preview.run-command')}
        </button>
      </form>
    </div>
  )
}

interface AtRestProps {
  readonly client: Client
  readonly row: PreviewRow
  readonly onChange: () => void
}

/** A preview that shows nothing now: it starts, stands still, or its command has ended. */
function PreviewAtRest({ client, row, onChange }: AtRestProps) {
  async function act(work: Promise<unknown>): Promise<void> {
    await told(work)
    onChange()
  }
  const { id, state, exit, command, problem } = row
  return (
    <div className="preview-rest" data-testid="preview-rest" data-state={state}>
      <h2>{restWords(row)}</h2>
      {command !== null && (
        <p className="meta" dir="ltr">
          {command}
        </p>
      )}
      {exit !== null && state === 'crashed' && (
        <p className="refused">
          {say('preview.ended-with', { code: String(exit.code ?? exit.signal ?? '') })}
        </p>
      )}
      {problem !== null && <p className="refused">{problem}</p>}
      {row.log !== '' && (
        <pre className="preview-log" dir="ltr">
          {row.log.split('\n').slice(-20).join('\n')}
        </pre>
      )}
      <div className="preview-acts">
        {state === 'starting' ? (
          <button type="button" className="button" onClick={() => void act(client.stopPreview(id))}>
            {say('common.stop')}
          </button>
        ) : (
          <button type="button" className="button primary" onClick={() => void act(client.startPreview(id))}>
            {say('preview.start')}
          </button>
        )}
        <button type="button" className="button" onClick={() => void act(client.removePreview(id))}>
          {say('preview.remove')}
        </button>
      </div>
    </div>
  )
}

function restWords({ state }: PreviewRow): string {
  if (state === 'starting') return say('preview.starting')
  return state === 'crashed' ? say('preview.crashed') : say('preview.stopped')
}
