import { type ErasureAnswer, RequestFailedError } from '@holdfast/client'
import { type FormEvent, useCallback, useEffect, useId, useRef, useState } from 'react'
import { say } from '../language/say.ts'
import { errorText } from '../problem-words.ts'
import { tell } from '../toasts/toasts.ts'
import { useAnswer } from '../use-answer.ts'
import { erasedWords } from './erased-kinds.ts'
import type { AskedErasure, ThreadActs } from './thread-acts.ts'

interface EraseDialogProps {
  readonly asked: AskedErasure
  readonly acts: ThreadActs
  readonly onClose: () => void
}

/** Says what goes for good, what stays, and asks once more. */
export function EraseDialog({ asked, acts, onClose }: EraseDialogProps) {
  const { seqs, what } = asked
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const ask = useCallback(
    () => acts.erasure.preview({ seqs: asked.seqs, results: asked.what === 'reply' }),
    [acts, asked],
  )
  const [answer, askAgain] = useAnswer(ask)
  const [reason, setReason] = useState('')
  const [isErasing, setErasing] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => dialog.current?.showModal(), [])

  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (answer.type !== 'here' || isErasing) return
    setErasing(true)
    setProblem(null)
    try {
      await acts.erasure.erase({ seqs, results: what === 'reply', reason })
      dialog.current?.close()
      tell(say('erasure.erased-for-good'), null)
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error
      setProblem(errorText(error))
      setErasing(false)
    }
  }

  return (
    <dialog ref={dialog} className="sheet" data-testid="erase-dialog" aria-labelledby={titleId} onClose={onClose}>
      <header>
        <h2 id={titleId}>{say(what === 'message' ? 'erasure.erase-this-message' : 'erasure.erase-this-reply')}</h2>
      </header>
      <form className="erase-form" onSubmit={(event) => void onSubmit(event)}>
        {answer.type === 'asking' && <p className="meta">{say('erasure.looking')}</p>}
        {answer.type === 'failed' && (
          <p className="problem" role="alert">
            {say('erasure.not-looked', { problem: answer.problem })}{' '}
            <button type="button" className="link-button" onClick={askAgain}>
              {say('common.try-again')}
            </button>
          </p>
        )}
        {answer.type === 'here' && <WhatGoes answer={answer.value} what={what} />}
        <label>
          <span>{say('erasure.reason')}</span>
          <input
            type="text"
            dir="auto"
            maxLength={500}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </label>
        {problem !== null && (
          <p className="problem" role="alert">
            {say('erasure.not-erased', { problem })}
          </p>
        )}
        <div className="acts">
          <button type="submit" className="button danger" aria-disabled={answer.type !== 'here' || isErasing}>
            {say('erasure.erase-for-good')}
          </button>
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {say('common.keep')}
          </button>
        </div>
      </form>
    </dialog>
  )
}

function WhatGoes({ answer, what }: { readonly answer: ErasureAnswer; readonly what: AskedErasure['what'] }) {
  const { kinds, fileCount, memoryIds } = answer
  const goes = [
    ...erasedWords(kinds),
    ...(fileCount > 0 ? [say('erasure.files', { count: fileCount })] : []),
    say('erasure.search-and-states'),
  ]
  return (
    <>
      <p>
        <strong>{say('erasure.cannot-be-undone')}</strong> {say('erasure.what-goes')}
      </p>
      <ul className="erased-list" data-testid="erased-list">
        {goes.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      {kinds['checkpoint-made'] !== undefined && <p>{say('erasure.without-summary')}</p>}
      {what === 'message' && <p>{say('erasure.reply-stays')}</p>}
      <p className="meta">{say('erasure.what-stays')}</p>
      {memoryIds.length > 0 && <p className="meta">{say('erasure.memories-stay', { count: memoryIds.length })}</p>}
    </>
  )
}
