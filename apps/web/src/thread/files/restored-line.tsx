import { Suspense, useMemo, useState } from 'react'
import { say } from '../../shared/language/say.ts'
import { later } from '../../shared/later.tsx'
import type { ThreadActs } from '../message/thread-acts.ts'
import type { RestoredItem } from '../thread-parts.ts'

const RestoreReview = later(async () => (await import('./restore-review.tsx')).RestoreReview)

interface RestoredLineProps {
  readonly item: RestoredItem
  readonly acts: ThreadActs
  readonly isBusy: boolean
}

/** Files were brought back; that can be undone like any change. [WS1] */
export function RestoredLine({ item, acts, isBusy }: RestoredLineProps) {
  const [isOpen, setOpen] = useState(false)
  const target = useMemo(() => ({ type: 'set', seq: item.seq }) as const, [item.seq])
  const words = say('files.restored', { count: item.changed.length, left: item.conflictCount })
  return (
    <div className="restored-line" data-testid="files-restored">
      <p className="line-entry">
        <span>
          {words}{' '}
          <button
            type="button"
            className="button small"
            aria-disabled={isBusy}
            aria-expanded={isOpen}
            onClick={() => acts.whenFree(() => setOpen(!isOpen))}
          >
            {say('files.undo')}
          </button>
        </span>
      </p>
      {isOpen && (
        <Suspense fallback={null}>
          <RestoreReview target={target} acts={acts} isBusy={isBusy} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
