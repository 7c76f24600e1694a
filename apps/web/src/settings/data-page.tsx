import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { markHidden } from '@holdfast/conversation'
import type { ConversationRow } from '@holdfast/protocol'
import { useEffect, useId, useRef, useState } from 'react'
import { ExportChoicesFields } from '../archive/export-choices.tsx'
import { EXPORT_FORMATS, exportName, exportSays } from '../archive/export-menu.tsx'
import { FIRST_CHOICES } from '../archive/first-choices.ts'
import { ImportPanel } from '../archive/import-panel.tsx'
import { useImports } from '../archive/use-imports.ts'
import { navigate } from '../shared/address.ts'
import { told, useAsked } from '../shared/ask-server.ts'
import { listTime } from '../shared/format.ts'
import { Said } from '../shared/language/said.tsx'
import { say } from '../shared/language/say.ts'
import { SaveLink } from '../shared/save-link.tsx'
import { tell } from '../shared/toasts/toasts.ts'

/** What comes in, what goes out, and what was archived. */
export function DataPage({ client }: { readonly client: Client }) {
  return (
    <>
      <ImportSection client={client} />
      <ExportSection client={client} />
      <ArchivedSection client={client} />
    </>
  )
}

/** What was archived: brought back, or deleted for good. */
function ArchivedSection({ client }: { readonly client: Client }) {
  const [answer, askAgain] = useAsked(client.listArchived)

  async function bringBack({ id }: ConversationRow): Promise<void> {
    if (await told(client.changeConversation(id, { archived: false }))) {
      navigate({ type: 'conversation', conversationId: id }, 'push')
    }
  }

  async function erase({ id, title }: ConversationRow): Promise<void> {
    let remembered: readonly string[] = []
    const deleting = client.deleteConversation(id).then((memoryIds) => {
      remembered = memoryIds
    })
    if (await told(deleting))
      tell(
        say('settings.deleted-for-good', { title: title ?? say('common.untitled'), memories: remembered.length }),
        null,
      )
    askAgain()
  }

  return (
    <section aria-labelledby="settings-archived">
      <h2 id="settings-archived">{say('settings.archived-conversations')}</h2>
      <p className="settings-lead">{say('settings.an-archived-conversation-is-out')}</p>
      {answer.type === 'asking' && <p className="meta">{say('settings.reading-the-archive')}</p>}
      {answer.type === 'failed' && (
        <p className="problem" role="alert">
          {say('settings.archive-not-read', { problem: answer.problem })}{' '}
          <button type="button" className="link-button" onClick={askAgain}>
            {say('common.try-again')}
          </button>
        </p>
      )}
      {answer.type === 'here' && answer.value.length === 0 && (
        <p className="meta">{say('settings.nothing-is-archived')}</p>
      )}
      {answer.type === 'here' && (
        <ul className="provider-list">
          {answer.value.map((row) => (
            <ArchivedRow
              key={row.id}
              row={row}
              onBringBack={() => void bringBack(row)}
              onErase={() => void erase(row)}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

interface ArchivedRowProps {
  readonly row: ConversationRow
  readonly onBringBack: () => void
  readonly onErase: () => void
}

/** What cannot be undone is asked a second time, in its place. */
function ArchivedRow({ row, onBringBack, onErase }: ArchivedRowProps) {
  const [isSure, setSure] = useState(false)
  const [typed, setTyped] = useState('')
  const word = say('settings.delete-word')
  const isTyped = typed.trim().toLowerCase() === word
  const title = markHidden(row.title ?? row.firstWords ?? say('common.untitled'))
  return (
    <li className="provider-row" data-testid="archived-row">
      <span />
      <span className="provider-name">
        <strong dir="auto">{title}</strong>
        <span className="meta">
          {say('settings.messages-and-time', { messages: row.messageCount, time: listTime(row.updatedAt, Date.now()) })}
        </span>
      </span>
      <button
        type="button"
        className="button"
        onClick={onBringBack}
        aria-label={say('settings.bring-back-title', { title })}
      >
        {say('settings.bring-back')}
      </button>
      {isSure ? (
        <form
          className="setting-acts"
          onSubmit={(event) => {
            event.preventDefault()
            if (isTyped) onErase()
          }}
        >
          <input
            type="text"
            dir="auto"
            size={14}
            aria-label={say('settings.write-to-delete', { word })}
            placeholder={say('settings.write-to-delete', { word })}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <button
            type="submit"
            className="button danger"
            aria-disabled={!isTyped}
            aria-label={say('settings.really-delete-title', { title })}
          >
            {say('settings.delete-for-good')}
          </button>
          <button type="button" className="link-button" onClick={() => setSure(false)}>
            {say('common.keep')}
          </button>
        </form>
      ) : (
        <button
          type="button"
          className="button"
          onClick={() => setSure(true)}
          aria-label={say('settings.delete-title', { title })}
        >
          {say('common.delete-asking')}
        </button>
      )}
    </li>
  )
}

/** Saves one conversation as a file; all at once are saved by the program's command. */
function ExportSection({ client }: { readonly client: Client }) {
  const id = useId()
  const rows = useObservable(client.conversations, (list) => list.rows)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [choices, setChoices] = useState(FIRST_CHOICES)
  const conversationId = chosenId ?? rows[0]?.id ?? null
  return (
    <section aria-labelledby="settings-export">
      <h2 id="settings-export">{say('settings.export')}</h2>
      <p className="settings-lead">
        <Said of="settings.export-lead" values={{}} tags={{ code: (inner) => <code>{inner}</code> }} />
      </p>
      {conversationId === null ? (
        <p className="meta">{say('settings.there-is-nothing-to-export')}</p>
      ) : (
        <div className="setting-acts">
          <label htmlFor={id} className="visually-hidden">
            {say('settings.conversation-to-export')}
          </label>
          <select
            id={id}
            className="picker"
            value={conversationId}
            onChange={({ target }) => setChosenId(target.value)}
          >
            {rows.map((row) => (
              <option key={row.id} value={row.id}>
                {markHidden(row.title ?? row.firstWords ?? say('common.untitled'))}
              </option>
            ))}
          </select>
          <ExportChoicesFields
            client={client}
            conversationId={conversationId}
            choices={choices}
            onChange={setChoices}
          />
          {EXPORT_FORMATS.map(({ format, name }) => (
            <SaveLink
              key={format}
              client={client}
              className="button"
              target={client.exportAddress(conversationId, format, choices)}
              title={exportSays(format, choices)}
            >
              {exportName(name)}
            </SaveLink>
          ))}
        </div>
      )}
    </section>
  )
}

/** The import as a part of the settings; it shows what runs on the server already. */
function ImportSection({ client }: { readonly client: Client }) {
  const imports = useImports(client)
  const pickUp = useRef(imports.pickUp)
  useEffect(() => pickUp.current(), [])
  return (
    <section aria-labelledby="settings-import">
      <h2 id="settings-import">{say('settings.import')}</h2>
      <ImportPanel client={client} imports={imports} onOpened={() => {}} />
    </section>
  )
}
