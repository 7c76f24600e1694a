import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { isComposing } from '../../shared/is-composing.ts'
import { say } from '../../shared/language/say.ts'
import { busyWords } from '../../shared/when-free.ts'

interface EditMessageProps {
  readonly text: string
  readonly isBusy: boolean
  /** Why it could not be saved; null where that was not tried, or is on its way. */
  readonly problem: string | null
  readonly onChange: (text: string) => void
  readonly onSend: (text: string) => void
  readonly onCancel: () => void
  /** What it costs to ask this. */
  readonly price: (text: string) => React.ReactNode
}

/** Writing a message anew where it stands. What followed the old one is kept as a branch. */
export function EditMessage({ text, isBusy, problem, onChange, onSend, onCancel, price }: EditMessageProps) {
  const [draft, setDraft] = useState(text)
  const field = useRef<HTMLTextAreaElement>(null)
  const isEmpty = draft.trim() === ''
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [])

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onCancel()
    }
    if (event.key === 'Enter' && !event.shiftKey && !isEmpty) {
      event.preventDefault()
      onSend(draft)
    }
  }

  return (
    <form
      className="edit-message"
      aria-label={say('message.edit-message')}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmpty) onSend(draft)
      }}
    >
      <textarea
        ref={field}
        aria-label={say('message.edited-message')}
        dir="auto"
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value)
          onChange(event.target.value)
        }}
        onKeyDown={onKeyDown}
      />
      {problem !== null && (
        <p className="refused" role="alert">
          {say('message.not-saved', { problem })}
        </p>
      )}
      {price(draft)}
      <div className="acts">
        <button
          type="submit"
          className="button primary"
          aria-disabled={isEmpty || isBusy}
          title={isBusy ? busyWords() : undefined}
        >
          {say('message.save-and-send')}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {say('common.cancel')}
        </button>
        <span className="meta" role="status">
          {isBusy ? say('message.it-can-be-sent-once') : say('message.the-message-and-its-replies')}
        </span>
      </div>
    </form>
  )
}
