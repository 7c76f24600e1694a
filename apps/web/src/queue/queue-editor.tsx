import { type KeyboardEvent, useEffect, useRef } from 'react'
import { say } from '../language/say.ts'

interface QueueEditorProps {
  readonly words: string
  /** `sent`: it waits no more, and what was written goes back to the message field. */
  readonly state: 'waiting' | 'sent'
  readonly canSave: boolean
  readonly onWrite: (words: string) => void
  readonly onSave: () => void
  readonly onBack: () => void
  readonly onCancel: () => void
}

/** Writing a waiting message anew in its place. Esc leaves this and nothing else. */
export function QueueEditor({ words, state, canSave, onWrite, onSave, onBack, onCancel }: QueueEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [])
  const act = state === 'sent' ? onBack : onSave
  const isIdle = state === 'waiting' && !canSave

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onCancel()
    }
    if (event.key !== 'Enter' || event.shiftKey || matchMedia('(pointer: coarse)').matches) return
    event.preventDefault()
    if (!isIdle) act()
  }

  return (
    <div className="queue-editor" data-testid="queue-editor" data-state={state}>
      <textarea
        ref={field}
        aria-label={say('queue.queued-message')}
        rows={1}
        dir="auto"
        value={words}
        onChange={(event) => onWrite(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="queue-acts">
        <span className="meta" role="status">
          {state === 'sent' ? say('queue.already-sent') : say('queue.not-sent-while-edited')}
        </span>
        <button type="button" className="link-button" aria-disabled={isIdle} onClick={() => !isIdle && act()}>
          {state === 'sent' ? say('composer.back-to-the-field') : say('common.save')}
        </button>
        <button type="button" className="link-button" onClick={onCancel}>
          {state === 'sent' ? say('queue.discard') : say('common.cancel')}
        </button>
      </div>
    </div>
  )
}
