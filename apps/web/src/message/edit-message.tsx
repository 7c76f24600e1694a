import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { say } from '../language/say.ts'

interface EditMessageProps {
  readonly text: string
  readonly isBusy: boolean
  readonly onSend: (text: string) => void
  readonly onCancel: () => void
  /** What it costs to ask this. */
  readonly price: (text: string) => React.ReactNode
}

/** Writing a message anew where it stands. What followed the old one is kept as a branch. */
export function EditMessage({ text, isBusy, onSend, onCancel, price }: EditMessageProps) {
  const [draft, setDraft] = useState(text)
  const field = useRef<HTMLTextAreaElement>(null)
  const canSend = draft.trim() !== '' && !isBusy
  useEffect(() => field.current?.focus(), [])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onCancel()
    }
    if (event.key === 'Enter' && !event.shiftKey && canSend) {
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
        if (canSend) onSend(draft)
      }}
    >
      <textarea
        ref={field}
        aria-label={say('message.edited-message')}
        dir="auto"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {price(draft)}
      <div className="acts">
        <button
          type="submit"
          className="button primary"
          aria-disabled={!canSend}
          title={isBusy ? say('common.wait-for-reply') : undefined}
        >
          {say('message.save-and-send')}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {say('common.cancel')}
        </button>
        <span className="meta">{say('message.the-message-and-its-replies')}</span>
      </div>
    </form>
  )
}
