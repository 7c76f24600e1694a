import type { Client } from '@holdfast/client'
import type { ConversationRow } from '@holdfast/protocol'
import { useState } from 'react'
import { listTime } from '../format.ts'
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
    if (await told(deleting)) tell(`Deleted “${title ?? 'Untitled'}” for good${leftWords(remembered.length)}`, null)
    askAgain()
  }

  return (
    <section aria-labelledby="settings-archived">
      <h2 id="settings-archived">Archived conversations</h2>
      <p className="settings-lead">
        An archived conversation is out of the list and keeps everything. Deleting one erases its text, files and drafts
        from the store; backups made before are not reached.
      </p>
      {answer.type === 'asking' && <p className="meta">Reading the archive…</p>}
      {answer.type === 'failed' && (
        <p className="problem" role="alert">
          {`The archive could not be read: ${answer.problem} `}
          <button type="button" className="link-button" onClick={askAgain}>
            Try again
          </button>
        </p>
      )}
      {answer.type === 'here' && answer.value.length === 0 && <p className="meta">Nothing is archived.</p>}
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

/** What a deletion leaves to decide: memories are not part of a conversation. [LOG9] */
function leftWords(memoryCount: number): string {
  if (memoryCount === 0) return ''
  return `. ${memoryCount === 1 ? 'One memory' : `${memoryCount} memories`} came from it: see Memories`
}

interface ArchivedRowProps {
  readonly row: ConversationRow
  readonly onBringBack: () => void
  readonly onErase: () => void
}

/** What cannot be undone is asked a second time, in its place. */
function ArchivedRow({ row, onBringBack, onErase }: ArchivedRowProps) {
  const [isSure, setSure] = useState(false)
  const title = row.title ?? 'Untitled'
  return (
    <li className="provider-row" data-testid="archived-row">
      <span />
      <span className="provider-name">
        <strong dir="auto">{title}</strong>
        <span className="meta">{`${row.messageCount} messages · ${listTime(row.updatedAt, Date.now())}`}</span>
      </span>
      <button type="button" className="button" onClick={onBringBack} aria-label={`Bring back ${title}`}>
        Bring back
      </button>
      {isSure ? (
        <span className="setting-acts">
          <button type="button" className="button danger" onClick={onErase} aria-label={`Really delete ${title}`}>
            Delete for good
          </button>
          <button type="button" className="link-button" onClick={() => setSure(false)}>
            Keep
          </button>
        </span>
      ) : (
        <button type="button" className="button" onClick={() => setSure(true)} aria-label={`Delete ${title}`}>
          Delete…
        </button>
      )}
    </li>
  )
}
