import type { ChangesAnswer, ChangesDecidedAnswer } from '@holdfast/client'
import { type ChangeTarget, namedFiles } from '@holdfast/conversation'
import type { ChangedFileRow } from '@holdfast/protocol'
import { useCallback, useState } from 'react'
import { type Answer, type Asked, answerOf, useAsked } from '../../shared/ask-server.ts'
import { say } from '../../shared/language/say.ts'
import type { DiffLine } from '../../tools/lines/diff-of.ts'
import { DiffView } from '../../tools/lines/diff-view.tsx'
import type { ThreadActs } from '../message/thread-acts.ts'

interface RestoreReviewProps {
  readonly target: ChangeTarget
  readonly acts: ThreadActs
  readonly isBusy: boolean
  readonly onClose: () => void
}

type Review =
  | { readonly type: 'reading' }
  | { readonly type: 'planned'; readonly files: readonly ChangedFileRow[]; readonly changes: ChangesAnswer }
  | { readonly type: 'restored'; readonly words: string }
  | { readonly type: 'failed'; readonly problem: string }

const ACTS = {
  create: 'files.comes-back',
  change: 'files.goes-back',
  delete: 'files.is-deleted',
  nothing: 'files.stays',
} as const

/** What bringing files back would do, file by file; then it is done, or not. [WS1] */
export function RestoreReview({ target, acts, isBusy, onClose }: RestoreReviewProps) {
  const ask = useCallback(() => acts.files.readChanges(target), [acts, target])
  const [planned] = useAsked(ask)
  const [restored, setRestored] = useState<Review | null>(null)
  const [isWorking, setWorking] = useState(false)
  const [meanwhile, setMeanwhile] = useState(false)
  const review = restored ?? plannedReview(planned)

  async function restore(changes: ChangesAnswer): Promise<void> {
    if (isWorking) return
    setWorking(true)
    const decisions = changes.files.map(({ path, id }) => ({ path, seen: id, keep: false }))
    setRestored(restoredReview(await answerOf(acts.files.decide(changes.target, { decisions, meanwhile }))))
    setWorking(false)
  }

  return (
    <div className="restore-review" data-testid="restore-review" data-state={review.type}>
      {review.type === 'reading' && <p className="meta">{say('files.looking-at-the-files')}</p>}
      {(review.type === 'restored' || review.type === 'failed') && (
        <p role="status">{review.type === 'restored' ? review.words : review.problem}</p>
      )}
      {review.type === 'planned' && <PlannedFiles files={review.files} />}
      {review.type === 'planned' && meanwhileCount(review.files) > 0 && (
        <label className="check" title={say('files.seen-around-calls')}>
          <input type="checkbox" checked={meanwhile} onChange={({ target: box }) => setMeanwhile(box.checked)} />
          {say('files.also-what-changed-meanwhile', { count: meanwhileCount(review.files) })}
        </label>
      )}
      <div className="acts">
        {review.type === 'planned' && countOf(review.files, meanwhile) > 0 && (
          <button
            type="button"
            className="button small primary"
            aria-disabled={isBusy || isWorking}
            onClick={() => acts.whenFree(() => void restore(review.changes))}
          >
            {say('files.restore-files', { count: countOf(review.files, meanwhile) })}
          </button>
        )}
        <button type="button" className="button small" onClick={onClose}>
          {review.type === 'restored' ? say('common.close') : say('common.cancel')}
        </button>
      </div>
    </div>
  )
}

function PlannedFiles({ files }: { readonly files: readonly ChangedFileRow[] }) {
  return (
    <>
      {files.length === 0 && <p className="meta">{say('files.no-tool-changed-files-here')}</p>}
      {shownFiles(files).map(({ path, entity, act, hunks, conflict, seenOnly }) => (
        <details key={path} open={conflict !== null} data-testid="file-to-restore" data-act={act}>
          <summary>
            <code>{entity === 'folder' ? `${path}/` : path}</code>{' '}
            <span className="meta">{say(conflict === null ? ACTS[act] : 'files.stays-a-conflict')}</span>
            {seenOnly && conflict === null && act !== 'nothing' && (
              <span className="meta"> · {say('files.changed-meanwhile')}</span>
            )}
          </summary>
          {conflict !== null && <p className="restore-conflict">{conflict}</p>}
          <DiffView lines={hunks.flatMap(takenBack)} />
        </details>
      ))}
      {files.some(({ seenOnly }) => seenOnly) && <p className="meta">{say('files.seen-around-calls')}</p>}
    </>
  )
}

/** What restoring does is the opposite of what was done. */
function takenBack({ newStart, lines }: ChangedFileRow['hunks'][number]): readonly DiffLine[] {
  return [
    { type: 'place', text: say('review.line', { line: Math.max(1, newStart) }), number: null },
    ...lines.map((line): DiffLine => {
      const type = line.startsWith('+') ? 'removed' : line.startsWith('-') ? 'added' : 'same'
      return line.startsWith('\\')
        ? { type: 'place', text: line, number: null }
        : { type, text: line.slice(1), number: null }
    }),
  ]
}

/** How many come back. */
function countOf(files: readonly ChangedFileRow[], meanwhile: boolean): number {
  return shownFiles(files).filter(({ act, seenOnly }) => act !== 'nothing' && (meanwhile || !seenOnly)).length
}

/** How many come back only where that is asked for too. [TOOL15] */
function meanwhileCount(files: readonly ChangedFileRow[]): number {
  return countOf(files, true) - countOf(files, false)
}

/** A folder that comes or goes with what is in it need not be said. */
function shownFiles(files: readonly ChangedFileRow[]): readonly ChangedFileRow[] {
  const named = new Set(namedFiles(files))
  return files.filter((file) => file.conflict !== null || named.has(file))
}

function plannedReview(planned: Asked<ChangesAnswer>): Review {
  switch (planned.type) {
    case 'asking':
      return { type: 'reading' }
    case 'here':
      return { type: 'planned', files: planned.value.files, changes: planned.value }
    case 'failed':
      return planned
  }
}

function restoredReview(answer: Answer<ChangesDecidedAnswer>): Review {
  if (answer.type === 'failed') return answer
  const { restored: paths, conflicts } = answer.value
  const left = conflicts.map(({ reason }) => reason).join(' ')
  return {
    type: 'restored',
    words: [say('files.restored-of', { restored: paths.length, all: paths.length + conflicts.length }), left]
      .join(' ')
      .trim(),
  }
}
