import { RequestFailedError } from '@holdfast/client'
import { useState } from 'react'
import { CopyButton } from '../copy-button.tsx'
import type { TurnPart } from '../thread-parts.ts'
import type { ThreadActs } from './thread-acts.ts'
import { BUSY_WORDS } from './when-free.ts'

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
  const title = isBusy ? BUSY_WORDS : undefined

  async function branch(atSeq: number): Promise<void> {
    setProblem(null)
    try {
      await acts.branchFrom(atSeq)
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error
      setProblem(error.message)
    }
  }

  return (
    <div className="reply-acts quiet-acts" data-newest={isNewest || undefined}>
      {words !== '' && <CopyButton text={() => words} label="Copy reply" />}
      {keptSeq !== null && (
        <button
          type="button"
          className="link-button"
          data-key="r"
          aria-label="Retry reply"
          aria-disabled={isBusy}
          title={title ?? 'Asks again; this reply stays as a branch'}
          onClick={() => acts.whenFree(() => acts.retry(keptSeq, hasFailed ? 'retry-after-error' : 'retry'))}
        >
          Retry
        </button>
      )}
      {end && (
        <button
          type="button"
          className="link-button"
          data-key="b"
          title="Goes on from here in a new conversation"
          onClick={() => void branch(end.seq)}
        >
          Branch from here
        </button>
      )}
      {end && !isNewest && (
        <button
          type="button"
          className="link-button"
          aria-disabled={isBusy}
          title={title ?? 'Sets aside what follows; it stays as a branch'}
          onClick={() => acts.whenFree(() => acts.rewind(end.seq))}
        >
          Rewind to here
        </button>
      )}
      {problem !== null && <span role="alert">{`Not branched: ${problem}`}</span>}
    </div>
  )
}
