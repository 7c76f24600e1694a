import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { PreviewRow } from '@holdfast/protocol'
import { useState } from 'react'
import { answerOf, told } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { PreviewFrame } from './preview-frame.tsx'
import { usePreviewRows } from './use-preview-rows.ts'

interface PreviewTabProps {
  readonly client: Client
  readonly store: ConversationStore
}

/** What the conversation's folder shows in a browser, beside it. [PREV21] */
export function PreviewTab({ client, store }: PreviewTabProps) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const { rows, problem, look } = usePreviewRows(client, conversationId)
  const [chosen, setChosen] = useState<string | null>(null)
  if (rows === null) return <p className="meta dock-wait">{problem ?? say('dock.opening')}</p>
  const row = chosen === ANOTHER ? null : (rows.find(({ id }) => id === chosen) ?? rows[0] ?? null)
  const onMade = (id: string) => {
    setChosen(id)
    void look()
  }
  return (
    <div className="preview-tab">
      {rows.length > 0 && <PreviewChoice rows={rows} chosen={row?.id ?? ANOTHER} onChoose={setChosen} />}
      {row === null && <NoPreview client={client} conversationId={conversationId} onMade={onMade} />}
      {row !== null && row.state !== 'ready' && (
        <PreviewAtRest key={row.id} client={client} row={row} onChange={() => void look()} />
      )}
      {row !== null && row.state === 'ready' && (
        <PreviewFrame
          key={`${row.id} ${row.port}`}
          client={client}
          store={store}
          row={row}
          onChange={() => void look()}
        />
      )}
    </div>
  )
}

/** In the place of an id: one that is to be made. */
const ANOTHER = ''

interface PreviewChoiceProps {
  readonly rows: readonly PreviewRow[]
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

/** Which preview is shown, and the way to another one. */
function PreviewChoice({ rows, chosen, onChoose }: PreviewChoiceProps) {
  return (
    <select
      className="preview-choice"
      aria-label={say('preview.which')}
      data-testid="preview-choice"
      value={chosen}
      onChange={({ target }) => onChoose(target.value)}
    >
      {rows.map((row) => (
        <option key={row.id} value={row.id}>
          {sourceWords(row)}
        </option>
      ))}
      <option value={ANOTHER}>{say('preview.another')}</option>
    </select>
  )
}

function sourceWords({ source, command }: PreviewRow): string {
  switch (source.type) {
    case 'command':
      return source.line ?? command ?? say('preview.dev-server')
    case 'port':
      return say('preview.port', { port: String(source.port) })
    case 'folder':
      return source.folder === '' ? say('preview.files') : source.folder
  }
}

interface NoPreviewProps {
  readonly client: Client
  readonly conversationId: string
  readonly onMade: (id: string) => void
}

function NoPreview({ client, conversationId, onMade }: NoPreviewProps) {
  const [isBusy, setBusy] = useState(false)
  async function make(wish: { folder?: string; command?: string }): Promise<void> {
    setBusy(true)
    const { value } = await answerOf(client.makePreview({ conversationId, ...wish }))
    setBusy(false)
    if (value !== null) onMade(value.id)
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
          <input name="command" dir="ltr" autoComplete="off" />
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
        <p className="refused">{say('preview.ended-with', { code: String(exit.code ?? exit.signal ?? '') })}</p>
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
  if (state === 'starting') return say('preview.starts')
  return state === 'crashed' ? say('preview.has-ended') : say('preview.stopped')
}
