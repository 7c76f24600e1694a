import type { ErasureAnswer } from '@holdfast/client'
import { type SubmitEvent, useCallback, useEffect, useId, useRef, useState } from 'react'
import { useAsked, useTold } from '../../shared/ask-server.ts'
import { type PlainKey, say } from '../../shared/language/say.ts'
import { tell } from '../../shared/toasts/toasts.ts'
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
    () => acts.erasure.preview({ seqs: asked.seqs, results: asked.what !== 'message' }),
    [acts, asked],
  )
  const [answer, askAgain] = useAsked(ask)
  const [reason, setReason] = useState('')
  const erasing = useTold()
  const { problem } = erasing

  useEffect(() => dialog.current?.showModal(), [])

  async function onSubmit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (answer.type !== 'here' || erasing.isBusy) return
    if (!(await erasing.run(() => acts.erasure.erase({ seqs, results: what !== 'message', reason })))) return
    dialog.current?.close()
    tell(say('erasure.erased-for-good'), null)
  }

  return (
    <dialog ref={dialog} className="sheet" data-testid="erase-dialog" aria-labelledby={titleId} onClose={onClose}>
      <header>
        <h2 id={titleId}>{say(TITLES[what])}</h2>
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
          <button type="submit" className="button danger" aria-disabled={answer.type !== 'here' || erasing.isBusy}>
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

const TITLES: Readonly<Record<AskedErasure['what'], PlainKey>> = {
  message: 'erasure.erase-this-message',
  reply: 'erasure.erase-this-reply',
  'set-aside': 'erasure.erase-this-set-aside',
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
