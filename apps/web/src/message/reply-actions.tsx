import { RequestFailedError } from '@holdfast/client'
import { useState } from 'react'
import { CopyButton } from '../copy-button.tsx'
import { say } from '../language/say.ts'
import { errorText } from '../problem-words.ts'
import type { TurnPart } from '../thread-parts.ts'
import { EraseButton } from './erase-button.tsx'
import type { ThreadActs } from './thread-acts.ts'
import { busyWords } from './when-free.ts'

interface ReplyActionsProps {
  readonly turn: TurnPart
  readonly words: string
  readonly acts: ThreadActs
  readonly isBusy: boolean
  readonly isNewest: boolean
  readonly hasFailed: boolean
}

/** What can be done with a reply: take its words, ask again, go back to it, or go on from it elsewhere. */
export function ReplyActions({ turn, words, acts, isBusy, isNewest, hasFailed }: ReplyActionsProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const { keptSeq, end } = turn
  const title = isBusy ? busyWords() : undefined
  const saidSeqs = turn.items.flatMap(({ role, state, seq }) => (role === 'user' || state === 'erased' ? [] : [seq]))

  async function branch(atSeq: number): Promise<void> {
    setProblem(null)
    try {
      await acts.branchFrom(atSeq)
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error
      setProblem(errorText(error))
    }
  }

  return (
    <div className="reply-acts quiet-acts" data-newest={isNewest || undefined}>
      {words !== '' && <CopyButton text={() => words} label={say('message.copy-reply')} />}
      {keptSeq !== null && (
        <button
          type="button"
          className="link-button"
          data-key="r"
          aria-label={say('message.retry-reply')}
          aria-disabled={isBusy}
          title={title ?? say('message.asks-again-this-reply-stays')}
          onClick={() => acts.whenFree(() => acts.retry(keptSeq, hasFailed ? 'retry-after-error' : 'retry'))}
        >
          {say('message.retry')}
        </button>
      )}
      {end && (
        <button
          type="button"
          className="link-button"
          data-key="b"
          title={say('message.goes-on-from-here-in')}
          onClick={() => void branch(end.seq)}
        >
          {say('message.branch-from-here')}
        </button>
      )}
      {end && !isNewest && (
        <button
          type="button"
          className="link-button"
          aria-disabled={isBusy}
          title={title ?? say('message.sets-aside-what-follows-it')}
          onClick={() => acts.whenFree(() => acts.rewind(end.seq))}
        >
          {say('message.rewind-to-here')}
        </button>
      )}
      {end && saidSeqs.length > 0 && <EraseButton seqs={saidSeqs} what="reply" {...{ acts, isBusy }} />}
      {problem !== null && <span role="alert">{say('message.not-branched', { problem })}</span>}
    </div>
  )
}
