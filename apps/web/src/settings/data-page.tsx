import type { Client } from '@holdfast/client'
import type { ConversationRow } from '@holdfast/protocol'
import { useState } from 'react'
import { listTime } from '../format.ts'
import { say } from '../language/say.ts'
import { navigate } from '../route.ts'
import { tell } from '../toasts/toasts.ts'
import { told } from '../told-request.ts'
import { useAnswer } from '../use-answer.ts'
import { ExportSection } from './export-section.tsx'
import { ImportSection } from './import-section.tsx'

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
  const [answer, askAgain] = useAnswer(client.listArchived)

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
  const title = row.title ?? say('common.untitled')
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
        <span className="setting-acts">
          <button
            type="button"
            className="button danger"
            onClick={onErase}
            aria-label={say('settings.really-delete-title', { title })}
          >
            {say('settings.delete-for-good')}
          </button>
          <button type="button" className="link-button" onClick={() => setSure(false)}>
            {say('common.keep')}
          </button>
        </span>
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
