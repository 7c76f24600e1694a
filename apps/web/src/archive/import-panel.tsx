import type { Client } from '@holdfast/client'
import type { ImportAnswer } from '@holdfast/protocol'
import { useId } from 'react'
import { navigate, pathOf } from '../shared/address.ts'
import { say } from '../shared/language/say.ts'
import { FoundRows } from './found-rows.tsx'
import { importWords, type ShownImport, skippedWords } from './import-words.ts'
import type { ImportList } from './use-imports.ts'

interface ShownProps {
  readonly imports: ImportList
  /** A conversation was opened from here. */
  readonly onOpened: () => void
}

interface PanelProps extends ShownProps {
  readonly client: Client
}

/** Chooses files to import, offers what lies on the server's disk, and shows what becomes of it; stands alone, in a dialog or on a page. [UI121] */
export function ImportPanel({ client, imports, onOpened }: PanelProps) {
  const inputId = useId()
  return (
    <div className="import-panel" data-testid="import-panel">
      <p id={`${inputId}-about`}>{say('archive.logs-of-claude-code-codex')}</p>
      <div className="file-choice">
        <label htmlFor={inputId}>{say('archive.files-to-import')}</label>
        <input
          id={inputId}
          type="file"
          multiple
          aria-describedby={`${inputId}-about`}
          onChange={({ target }) => {
            imports.add([...(target.files ?? [])])
            target.value = ''
          }}
        />
      </div>
      <ul className="found-list">
        <FoundRows client={client} imports={imports} />
      </ul>
      <ShownImports imports={imports} onOpened={onOpened} />
    </div>
  )
}

/** What becomes of each import. */
export function ShownImports({ imports, onOpened }: ShownProps) {
  return (
    <ul className="import-list" aria-live="polite">
      {imports.shown.map((item) => (
        <ImportRow key={item.key} item={item} onCancel={() => imports.cancel(item.key)} onOpened={onOpened} />
      ))}
    </ul>
  )
}

interface RowProps {
  readonly item: ShownImport
  readonly onCancel: () => void
  readonly onOpened: () => void
}

function ImportRow({ item, onCancel, onOpened }: RowProps) {
  const { name, answer, problem } = item
  const state = problem === null ? (answer?.state ?? 'sending') : 'failed'
  const isBusy = state === 'running' || state === 'sending'
  const [conversationId] = answer?.conversationIds ?? []
  return (
    <li data-testid="import-row" data-state={state}>
      <div className="import-head">
        <strong dir="auto">{name}</strong>
        {isBusy && (
          <button
            type="button"
            className="link-button"
            aria-label={say('archive.cancel-name', { name })}
            onClick={onCancel}
          >
            {say('common.cancel')}
          </button>
        )}
        {!isBusy && conversationId !== undefined && (
          <a
            className="link-button"
            aria-label={say('archive.open-first-of', { name })}
            href={pathOf({ type: 'conversation', conversationId })}
            onClick={(event) => {
              event.preventDefault()
              navigate({ type: 'conversation', conversationId }, 'push')
              onOpened()
            }}
          >
            {say('archive.open')}
          </a>
        )}
      </div>
      {isBusy && (
        <progress
          aria-label={name}
          max={Math.max(1, answer?.sizeBytes ?? 1)}
          {...(answer ? { value: answer.readBytes } : {})}
        />
      )}
      <p className={state === 'failed' ? 'problem' : 'meta'}>{importWords(item)}</p>
      {answer && !isBusy && <LeftOut answer={answer} />}
    </li>
  )
}

/** What was left out and why; the first of each reason with its line. */
function LeftOut({ answer }: { readonly answer: ImportAnswer }) {
  const words = skippedWords(answer)
  if (words.length === 0 || answer.state === 'failed') return null
  return (
    <details className="left-out">
      <summary>{say('archive.left-out', { reasons: words.join(', ') })}</summary>
      <ul>
        {answer.skips.map(({ reason, file, line, what }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is whole and never changes
          <li key={index} data-reason={reason}>
            <span className="meta">
              {[file, line === null ? null : say('archive.line', { line })].filter(Boolean).join(', ')}
            </span>
            {` ${what}`}
          </li>
        ))}
      </ul>
    </details>
  )
}
