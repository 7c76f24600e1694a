import { RequestFailedError } from '@holdfast/client'
import { type ChangeTarget, namedFiles } from '@holdfast/conversation'
import type { FileToRestore } from '@holdfast/protocol'
import { useEffect, useState } from 'react'
import { say } from '../language/say.ts'
import type { ThreadActs } from '../message/thread-acts.ts'
import { errorText } from '../problem-words.ts'
import { parseDiff } from '../tools/diff-of.ts'
import { DiffView } from '../tools/diff-view.tsx'

interface RestoreReviewProps {
  readonly target: ChangeTarget
  readonly acts: ThreadActs
  readonly isBusy: boolean
  readonly onClose: () => void
}

type Review =
  | { readonly type: 'reading' }
  | { readonly type: 'planned'; readonly files: readonly FileToRestore[] }
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
  const [review, setReview] = useState<Review>({ type: 'reading' })
  const [isWorking, setWorking] = useState(false)

  useEffect(() => {
    let isGone = false
    void planned(acts, target).then((found) => {
      if (!isGone) setReview(found)
    })
    return () => {
      isGone = true
    }
  }, [acts, target])

  async function restore(): Promise<void> {
    if (isWorking) return
    setWorking(true)
    setReview(await restored(acts, target))
    setWorking(false)
  }

  return (
    <div className="restore-review" data-testid="restore-review" data-state={review.type}>
      {review.type === 'reading' && <p className="meta">{say('files.looking-at-the-files')}</p>}
      {(review.type === 'restored' || review.type === 'failed') && (
        <p role="status">{review.type === 'restored' ? review.words : review.problem}</p>
      )}
      {review.type === 'planned' && <PlannedFiles files={review.files} />}
      <div className="acts">
        {review.type === 'planned' && countOf(review.files) > 0 && (
          <button
            type="button"
            className="button small primary"
            aria-disabled={isBusy || isWorking}
            onClick={() => acts.whenFree(() => void restore())}
          >
            {say('files.restore-files', { count: countOf(review.files) })}
          </button>
        )}
        <button type="button" className="button small" onClick={onClose}>
          {review.type === 'restored' ? say('common.close') : say('common.cancel')}
        </button>
      </div>
    </div>
  )
}

function PlannedFiles({ files }: { readonly files: readonly FileToRestore[] }) {
  return (
    <>
      {files.length === 0 && <p className="meta">{say('files.no-tool-changed-files-here')}</p>}
      {shownFiles(files).map(({ path, entity, act, diff, conflict }) => (
        <details key={path} open={conflict !== null} data-testid="file-to-restore" data-act={act}>
          <summary>
            <code>{entity === 'folder' ? `${path}/` : path}</code>{' '}
            <span className="meta">{say(conflict === null ? ACTS[act] : 'files.stays-a-conflict')}</span>
          </summary>
          {conflict !== null && <p className="restore-conflict">{conflict}</p>}
          <DiffView lines={parseDiff(diff) ?? []} />
        </details>
      ))}
      {files.some(({ seenOnly }) => seenOnly) && <p className="meta">{say('files.seen-around-calls')}</p>}
    </>
  )
}

function countOf(files: readonly FileToRestore[]): number {
  return shownFiles(files).filter(({ act }) => act !== 'nothing').length
}

/** A folder that comes or goes with what is in it need not be said. */
function shownFiles(files: readonly FileToRestore[]): readonly FileToRestore[] {
  const named = new Set(namedFiles(files))
  return files.filter((file) => file.conflict !== null || named.has(file))
}

async function planned(acts: ThreadActs, target: ChangeTarget): Promise<Review> {
  return orFailed(async () => ({ type: 'planned', files: await acts.files.planRestore(target) }))
}

async function restored(acts: ThreadActs, target: ChangeTarget): Promise<Review> {
  return orFailed(async () => {
    const { restored: paths, conflicts } = await acts.files.restore(target)
    const left = conflicts.map(({ reason }) => reason).join(' ')
    return {
      type: 'restored',
      words: [say('files.restored-of', { restored: paths.length, all: paths.length + conflicts.length }), left]
        .join(' ')
        .trim(),
    }
  })
}

async function orFailed(act: () => Promise<Review>): Promise<Review> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof RequestFailedError)) throw error
    return { type: 'failed', problem: errorText(error) }
  }
}
