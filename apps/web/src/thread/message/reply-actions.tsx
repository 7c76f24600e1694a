import { Suspense } from 'react'
import { useTold } from '../../shared/ask-server.ts'
import { CopyButton } from '../../shared/copy-button.tsx'
import { say } from '../../shared/language/say.ts'
import { later } from '../../shared/later.tsx'
import { plainHtml } from '../../shared/markdown/plain-html.ts'
import { busyWords } from '../../shared/when-free.ts'
import type { TurnPart } from '../thread-parts.ts'
import { EraseButton } from './erase-button.tsx'
import type { ThreadActs } from './thread-acts.ts'

const ReadReply = later(async () => (await import('../../voice/read-aloud.tsx')).ReadReply)

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
  const branching = useTold()
  const { problem } = branching
  const { keptSeq, end } = turn
  const title = isBusy ? busyWords() : undefined
  const saidSeqs = turn.items.flatMap(({ role, state, seq }) => (role === 'user' || state === 'erased' ? [] : [seq]))

  return (
    <div className="reply-acts quiet-acts" data-newest={isNewest || undefined}>
      {words !== '' && <CopyButton text={() => words} html={replyHtml} label={say('message.copy-reply')} />}
      {words !== '' && turn.runId !== null && (
        <Suspense fallback={null}>
          <ReadReply runId={turn.runId} words={words} />
        </Suspense>
      )}
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
          onClick={() => void branching.run(() => acts.branchFrom(end.seq))}
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
      {end && saidSeqs.length > 0 && <EraseButton seqs={saidSeqs} what="reply" acts={acts} isBusy={isBusy} />}
      {problem !== null && <span role="alert">{say('message.not-branched', { problem })}</span>}
    </div>
  )
}

/** The words of the reply that a button stands in, as they are drawn. */
function replyHtml(button: HTMLElement): string {
  return plainHtml(button.closest('[data-testid=msg-assistant]')?.querySelectorAll('.words.markdown') ?? [])
}
