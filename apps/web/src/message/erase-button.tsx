import { Suspense, useState } from 'react'
import { say } from '../language/say.ts'
import { later } from '../later.tsx'
import type { ThreadActs } from './thread-acts.ts'
import { busyWords } from './when-free.ts'

const EraseDialog = later(async () => (await import('./erase-dialog.tsx')).EraseDialog)

interface EraseButtonProps {
  /** The entries whose words go. */
  readonly seqs: readonly number[]
  readonly what: 'message' | 'reply'
  readonly acts: ThreadActs
  readonly isBusy: boolean
}

/** Asks to erase a message or a reply for good. What goes with it is shown first. [LOG9] */
export function EraseButton({ seqs, what, acts, isBusy }: EraseButtonProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button
        type="button"
        className="link-button"
        data-testid="erase"
        aria-label={say(what === 'message' ? 'erasure.erase-message' : 'erasure.erase-reply')}
        aria-disabled={isBusy}
        title={isBusy ? busyWords() : undefined}
        onClick={() => acts.whenFree(() => setAsking(true))}
      >
        {say('erasure.erase-asking')}
      </button>
      {isAsking && (
        <Suspense fallback={null}>
          <EraseDialog {...{ seqs, what, acts }} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
