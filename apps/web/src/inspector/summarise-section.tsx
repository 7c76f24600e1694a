import { type ConversationContext, type ConversationStore, RequestFailedError } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { type FormEvent, useEffect, useState } from 'react'
import { say } from '../language/say.ts'
import { busyWords, whenFree } from '../message/when-free.ts'
import { errorText } from '../problem-words.ts'

interface SummariseProps {
  readonly context: ConversationContext
  readonly store: ConversationStore
}

/** Makes room: a summary takes the place of all but the newest part. [CHK1] */
export function SummariseSection({ context, store }: SummariseProps) {
  const isBusy = useConversation(store, (state) => state.overview.runState.exclusive !== null)
  const [focus, setFocus] = useState('')
  const [asked, setAsked] = useState<string | null>(null)
  const end = useConversation(store, (state) => (asked === null ? null : (state.window.runEnds.get(asked) ?? null)))
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    if (end && end.outcome === 'completed' && end.reason === null) setFocus('')
  }, [end])

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    whenFree(store, () => void summarise())
  }

  async function summarise(): Promise<void> {
    setProblem(null)
    try {
      setAsked(await context.makeCheckpoint(focus.trim() === '' ? null : focus.trim()))
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error
      setProblem(errorText(error))
    }
  }

  const words = problem ?? end?.reason ?? null
  return (
    <form className="inspector-part summarise" onSubmit={onSubmit}>
      <input
        type="text"
        aria-label={say('inspector.what-the-summary-keeps-above')}
        placeholder={say('inspector.keep-above-all-optional')}
        dir="auto"
        value={focus}
        onChange={({ target }) => setFocus(target.value)}
      />
      <button
        type="submit"
        className="button small"
        aria-disabled={isBusy}
        title={isBusy ? busyWords() : say('inspector.a-summary-takes-the-place')}
      >
        {say('inspector.summarise')}
      </button>
      {words !== null && (
        <p className="meta" role="status">
          {words}
        </p>
      )}
    </form>
  )
}
