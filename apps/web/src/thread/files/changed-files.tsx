import { type ChangeTarget, namedFiles, type TranscriptItem } from '@holdfast/conversation'
import { Suspense, useState } from 'react'
import { setChangesOf } from '../../shared/address.ts'
import { say } from '../../shared/language/say.ts'
import { later } from '../../shared/later.tsx'
import { busyWords } from '../../shared/when-free.ts'
import type { ThreadActs } from '../message/thread-acts.ts'

const RestoreReview = later(async () => (await import('./restore-review.tsx')).RestoreReview)

interface ChangedFilesProps {
  readonly runId: string
  /** The message that began the turn: everything since can be brought back too. */
  readonly messageSeq: number | null
  readonly answers: readonly TranscriptItem[]
  readonly acts: ThreadActs
  readonly isBusy: boolean
}

const SIGNS = { created: 'files.new', changed: 'files.changed', deleted: 'files.deleted' } as const

/** The files that the tools of a turn changed, and the way back. [WS1] */
export function ChangedFiles({ runId, messageSeq, answers, acts, isBusy }: ChangedFilesProps) {
  const [target, setTarget] = useState<ChangeTarget | null>(null)
  const files = lastByPath(answers)
  if (files.length === 0) return null
  const title = isBusy ? busyWords() : undefined
  return (
    <div className="changed-files" data-testid="changed-files">
      <p className="changed-files-head">{say('files.files-changed', { count: files.length })}</p>
      <ul>
        {files.map(({ path, kind, entity, seen }) => (
          <li key={path} data-kind={kind} data-meanwhile={seen !== undefined}>
            <span className="meta">{say(SIGNS[kind])}</span> <code>{entity === 'folder' ? `${path}/` : path}</code>
            {seen !== undefined && (
              <span className="meta" title={say('files.seen-around-calls')}>
                {' '}
                {say('files.changed-meanwhile')}
              </span>
            )}
          </li>
        ))}
      </ul>
      {target === null ? (
        <div className="acts">
          <button type="button" className="button small" onClick={() => setChangesOf(`run:${runId}`)}>
            {say('review.review')}
          </button>
          <button
            type="button"
            className="button small"
            aria-disabled={isBusy}
            title={title}
            onClick={() => acts.whenFree(() => setTarget({ type: 'run', runId }))}
          >
            {say('files.restore-these')}
          </button>
          {messageSeq !== null && (
            <button
              type="button"
              className="button small"
              aria-disabled={isBusy}
              title={title ?? say('files.files-as-they-were-before')}
              onClick={() => acts.whenFree(() => setTarget({ type: 'since', seq: messageSeq - 1 }))}
            >
              {say('files.restore-all-since-here')}
            </button>
          )}
        </div>
      ) : (
        <Suspense fallback={null}>
          <RestoreReview
            key={target.type}
            target={target}
            acts={acts}
            isBusy={isBusy}
            onClose={() => setTarget(null)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** Each file once, with what happened to it last; a folder only where nothing in it is listed. */
function lastByPath(answers: readonly TranscriptItem[]) {
  const files = answers.flatMap(({ toolCalls }) => toolCalls.flatMap(({ changedFiles }) => changedFiles ?? []))
  const last = [...new Map(files.map((file) => [file.path, file])).values()]
  return namedFiles(last)
}
