import { type ConversationContext, RequestFailedError } from '@holdfast/client'
import { type FormEvent, useId, useState } from 'react'
import { CopyButton } from '../copy-button.tsx'
import { wholeCount } from '../format.ts'
import { LedgerMargin } from '../ledger-margin.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import type { ThreadActs } from '../message/thread-acts.ts'
import { BUSY_WORDS } from '../message/when-free.ts'
import { type CheckpointPart, wordsOf } from '../thread-parts.ts'

interface CheckpointCardProps {
  readonly part: CheckpointPart
  readonly context: ConversationContext
  readonly acts: ThreadActs
  readonly isBusy: boolean
}

/** A summary that stands for what is above it: it can be read, changed and taken back. [CHK7] */
export function CheckpointCard({ part, context, acts, isBusy }: CheckpointCardProps) {
  const { item, counts } = part
  const [isOpen, setOpen] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const id = useId()
  const words = wordsOf(item.parts)

  async function attempt(act: () => Promise<void>): Promise<void> {
    setProblem(null)
    try {
      await act()
      setEditing(false)
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error
      setProblem(error.message)
    }
  }

  if (item.state === 'erased') return <CheckpointLine words="Summary checkpoint, erased" />
  if (!counts) {
    return (
      <CheckpointLine words={`Summary checkpoint, not used any more${coveredText(part)}`}>
        <details>
          <summary>View</summary>
          <Markdown text={words} isComplete />
        </details>
      </CheckpointLine>
    )
  }
  const title = isBusy ? BUSY_WORDS : undefined
  return (
    <section
      className="entry-row checkpoint-row"
      data-testid="checkpoint-card"
      data-state="counts"
      aria-labelledby={id}
    >
      <LedgerMargin at={item.at} figures={null} agent={null} />
      <div className="checkpoint">
        <header className="checkpoint-head">
          <h3 id={id}>Summary checkpoint</h3>
          <span className="meta">{SOURCES[String(item.detail['source'])] ?? ''}</span>
        </header>
        <p className="meta">{`Stands for what is above it${coveredText(part)}`}</p>
        {isEditing ? (
          <EditSummary
            words={words}
            onSave={(summary) => void attempt(() => context.editCheckpoint(item.seq, summary))}
            onCancel={() => setEditing(false)}
          />
        ) : (
          <div className={isOpen ? 'checkpoint-words' : 'checkpoint-words brief'}>
            <Markdown text={words} isComplete />
          </div>
        )}
        {part.listed.length > 0 && <NotCarriedOver listed={part.listed} />}
        {!isEditing && (
          <div className="acts">
            <button type="button" className="button small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'View less' : 'View'}
            </button>
            <button
              type="button"
              className="button small"
              aria-label="Edit summary"
              aria-disabled={isBusy}
              title={title}
              onClick={() => acts.whenFree(() => setEditing(true))}
            >
              Edit
            </button>
            <CopyButton text={() => words} label="Copy summary" />
            <button
              type="button"
              className="link-button"
              aria-disabled={isBusy}
              title={title ?? 'Requests hold again what is above, as far as it fits. Nothing is deleted.'}
              onClick={() => acts.whenFree(() => void attempt(() => context.undoCheckpoint(item.seq)))}
            >
              Undo checkpoint
            </button>
          </div>
        )}
        {problem !== null && (
          <p className="problem" role="alert">
            {`Not changed: ${problem}`}
          </p>
        )}
      </div>
    </section>
  )
}

/** What a person wrote in the covered part and the requests hold no more: it may be said again, or pinned. [CHK4] */
function NotCarriedOver({ listed }: Pick<CheckpointPart, 'listed'>) {
  return (
    <details className="not-carried" data-testid="not-carried-over">
      <summary>{`Not carried over: ${wholeCount(listed.length)} of your messages`}</summary>
      <p className="meta">The summary may tell of them. Pin one to have the next summary carry it word for word.</p>
      <ol>
        {listed.map(({ seq, words }) => (
          <li key={seq} dir="auto">
            {words === null ? `Message ${wholeCount(seq)}, further up` : firstLine(words)}
          </li>
        ))}
      </ol>
    </details>
  )
}

function firstLine(words: string): string {
  const line = words.trim().split('\n', 1)[0] ?? ''
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}

function CheckpointLine({ words, children }: { readonly words: string; readonly children?: React.ReactNode }) {
  return (
    <div className="line-entry" data-testid="checkpoint-card" data-state="unused">
      <div>
        {words}
        {children}
      </div>
    </div>
  )
}

interface EditSummaryProps {
  readonly words: string
  readonly onSave: (summary: string) => void
  readonly onCancel: () => void
}

function EditSummary({ words, onSave, onCancel }: EditSummaryProps) {
  const [draft, setDraft] = useState(words)
  const canSave = draft.trim() !== '' && draft !== words

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (canSave) onSave(draft)
  }

  return (
    <form className="edit-message" aria-label="Edit summary" onSubmit={onSubmit}>
      <textarea
        aria-label="Summary"
        dir="auto"
        // biome-ignore lint/a11y/noAutofocus: it opens where its button was, at the person's wish
        autoFocus
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
          event.preventDefault()
          onCancel()
        }}
      />
      <div className="acts">
        <button type="submit" className="button primary" aria-disabled={!canSave}>
          Save summary
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}

function coveredText({ coveredCount }: CheckpointPart): string {
  return coveredCount === null ? '' : `: ${wholeCount(coveredCount)} message${coveredCount === 1 ? '' : 's'}`
}

const SOURCES: Readonly<Record<string, string>> = {
  auto: 'automatic',
  person: 'asked for by you',
  edit: 'edited by you',
}
