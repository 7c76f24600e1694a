import type { ConversationContext } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { TranscriptItemOf } from '@holdfast/conversation'
import { type SubmitEvent, useId, useState } from 'react'
import { told, useTold } from '../../shared/ask-server.ts'
import { CopyButton } from '../../shared/copy-button.tsx'
import { costOf, costText } from '../../shared/cost-words.ts'
import { shortCount } from '../../shared/format.ts'
import { type PlainKey, say } from '../../shared/language/say.ts'
import { Markdown } from '../../shared/markdown/markdown.tsx'
import { busyWords } from '../../shared/when-free.ts'
import { LedgerMargin } from '../ledger-margin.tsx'
import { ErasedReceipt } from '../message/erased-receipt.tsx'
import type { ThreadActs } from '../message/thread-acts.ts'
import { type CheckpointPart, wordsOf } from '../thread-parts.ts'
import type { CheckpointFigures } from './checkpoint-figures.ts'

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
  const changing = useTold()
  const { problem } = changing
  const id = useId()
  const words = wordsOf(item.parts)

  async function attempt(act: () => Promise<void>): Promise<void> {
    if (await changing.run(act)) setEditing(false)
  }

  if (item.state === 'erased') {
    return (
      <CheckpointLine words={say('checkpoint.summary-checkpoint-erased')}>
        <ErasedReceipt item={item} />{' '}
        <button
          type="button"
          className="link-button"
          aria-disabled={isBusy}
          title={isBusy ? busyWords() : undefined}
          onClick={() => acts.whenFree(() => void told(context.makeCheckpoint(null)))}
        >
          {say('checkpoint.summarise-again')}
        </button>
      </CheckpointLine>
    )
  }
  if (!counts) {
    return (
      <CheckpointLine words={unusedWords(part)}>
        <details>
          <summary>{say('checkpoint.view')}</summary>
          <Markdown text={words} isComplete />
        </details>
      </CheckpointLine>
    )
  }
  const title = isBusy ? busyWords() : undefined
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
          <h3 id={id}>{say('checkpoint.summary-checkpoint')}</h3>
          <span className="meta">{say(SOURCES[item.source])}</span>
        </header>
        <p className="meta">{standsWords(part)}</p>
        {part.figures && <Figures figures={part.figures} context={context} />}
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
              {isOpen ? say('checkpoint.view-less') : say('checkpoint.view')}
            </button>
            <button
              type="button"
              className="button small"
              aria-label={say('checkpoint.edit-summary')}
              aria-disabled={isBusy}
              title={title}
              onClick={() => acts.whenFree(() => setEditing(true))}
            >
              {say('common.edit')}
            </button>
            <CopyButton text={() => words} label={say('checkpoint.copy-summary')} />
            <button
              type="button"
              className="link-button"
              aria-disabled={isBusy}
              title={title ?? say('checkpoint.requests-hold-again-what-is')}
              onClick={() => acts.whenFree(() => void attempt(() => context.undoCheckpoint(item.seq)))}
            >
              {say('checkpoint.undo-checkpoint')}
            </button>
          </div>
        )}
        {problem !== null && (
          <p className="problem" role="alert">
            {say('checkpoint.not-changed', { problem })}
          </p>
        )}
      </div>
    </section>
  )
}

interface FiguresProps {
  readonly figures: CheckpointFigures
  readonly context: ConversationContext
}

/** What the requests held before and hold now, and what the summary cost. Before the next reply that is estimated. */
function Figures({ figures: { beforeTokens, afterTokens, usages }, context }: FiguresProps) {
  const estimated = useObservable(context.use, ({ value }) => value?.usedTokens ?? null)
  const now = afterTokens ?? estimated
  const tokens =
    beforeTokens === null || now === null
      ? []
      : [
          say(afterTokens === null ? 'checkpoint.before-and-about' : 'checkpoint.before-and-after', {
            before: shortCount(beforeTokens),
            count: now,
            after: shortCount(now),
          }),
        ]
  const words = [...tokens, ...(usages.length === 0 ? [] : [costText(costOf(usages))])]
  if (words.length === 0) return null
  return (
    <p className="meta" data-testid="checkpoint-figures">
      {words.join(' · ')}
    </p>
  )
}

/** What a person wrote in the covered part and the requests hold no more: it may be said again, or pinned. [CHK4] */
function NotCarriedOver({ listed }: Pick<CheckpointPart, 'listed'>) {
  return (
    <details className="not-carried" data-testid="not-carried-over">
      <summary>{say('checkpoint.not-carried-over', { count: listed.length })}</summary>
      <p className="meta">{say('checkpoint.the-summary-may-tell-of')}</p>
      <ol>
        {listed.map(({ seq, words }) => (
          <li key={seq} dir="auto">
            {words === null ? say('checkpoint.further-up', { seq }) : firstLine(words)}
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

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    if (canSave) onSave(draft)
  }

  return (
    <form className="edit-message" aria-label={say('checkpoint.edit-summary')} onSubmit={onSubmit}>
      <textarea
        aria-label={say('checkpoint.summary')}
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
          {say('checkpoint.save-summary')}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {say('common.cancel')}
        </button>
      </div>
    </form>
  )
}

function unusedWords({ coveredCount }: CheckpointPart): string {
  return coveredCount === null ? say('checkpoint.unused') : say('checkpoint.unused-of', { count: coveredCount })
}

function standsWords({ coveredCount }: CheckpointPart): string {
  return coveredCount === null ? say('checkpoint.stands') : say('checkpoint.stands-for', { count: coveredCount })
}

const SOURCES: Readonly<Record<TranscriptItemOf<'summary'>['source'], PlainKey>> = {
  auto: 'checkpoint.automatic',
  person: 'checkpoint.asked-for-by-you',
  edit: 'checkpoint.edited-by-you',
}
