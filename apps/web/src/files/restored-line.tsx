import type { TranscriptItem } from '@holdfast/conversation'
import { useMemo, useState } from 'react'
import * as z from 'zod'
import { say } from '../language/say.ts'
import type { ThreadActs } from '../message/thread-acts.ts'
import { RestoreReview } from './restore-review.tsx'

/** What the transcript says of a restoration. */
const Detail = z.object({
  changed: z.array(z.object({ path: z.string() })),
  conflictCount: z.number(),
})

interface RestoredLineProps {
  readonly item: TranscriptItem
  readonly acts: ThreadActs
  readonly isBusy: boolean
}

/** Files were brought back; that can be undone like any change. [WS1] */
export function RestoredLine({ item, acts, isBusy }: RestoredLineProps) {
  const [isOpen, setOpen] = useState(false)
  const target = useMemo(() => ({ type: 'set', seq: item.seq }) as const, [item.seq])
  const detail = Detail.safeParse(item.detail)
  const count = detail.data?.changed.length ?? 0
  const left = detail.data?.conflictCount ?? 0
  const words = say('files.restored', { count, left })
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
      {isOpen && <RestoreReview target={target} acts={acts} isBusy={isBusy} onClose={() => setOpen(false)} />}
    </div>
  )
}
