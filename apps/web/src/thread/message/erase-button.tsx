import { type PlainKey, say } from '../../shared/language/say.ts'
import { busyWords } from '../../shared/when-free.ts'
import type { AskedErasure, ThreadActs } from './thread-acts.ts'

interface EraseButtonProps extends AskedErasure {
  readonly acts: ThreadActs
  readonly isBusy: boolean
}

const NAMES: Readonly<Record<AskedErasure['what'], PlainKey>> = {
  message: 'erasure.erase-message',
  reply: 'erasure.erase-reply',
  'set-aside': 'erasure.erase-set-aside',
}

/** Asks to erase a message, a reply or what was set aside for good. What goes with it is shown first. [LOG9] */
export function EraseButton({ seqs, what, acts, isBusy }: EraseButtonProps) {
  return (
    <button
      type="button"
      className="link-button"
      data-testid="erase"
      aria-label={say(NAMES[what])}
      aria-disabled={isBusy}
      title={isBusy ? busyWords() : undefined}
      onClick={() => acts.whenFree(() => acts.askToErase({ seqs, what }))}
    >
      {say('erasure.erase-asking')}
    </button>
  )
}
