import type { Client } from '@holdfast/client'
import { type SubmitEvent, useCallback, useState } from 'react'
import { useAsked } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'

interface MapSectionProps {
  readonly client: Client
  readonly conversationId: string
}

/** What is where in the folder, as the model can be told it; asked for when it is opened. [MAP1] */
export function MapSection({ client, conversationId }: MapSectionProps) {
  const [isOpen, setOpen] = useState(false)
  const [written, setWritten] = useState('')
  const [focus, setFocus] = useState('')
  const read = useCallback(() => client.readMap(conversationId, focus), [client, conversationId, focus])
  const [{ type, value, problem }] = useAsked(isOpen ? read : null)

  function onFocus(event: SubmitEvent): void {
    event.preventDefault()
    setFocus(written.trim())
  }

  return (
    <details
      className="inspector-part map-part"
      data-testid="inspector-map"
      data-state={isOpen ? type : 'closed'}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{say('inspector.map')}</summary>
      <form className="map-focus" onSubmit={onFocus}>
        <input
          type="text"
          dir="auto"
          aria-label={say('inspector.map-about')}
          placeholder={say('inspector.map-about')}
          maxLength={2_000}
          value={written}
          onChange={({ target }) => setWritten(target.value)}
        />
        <button type="submit" className="button small">
          {say('common.show')}
        </button>
      </form>
      {type === 'asking' && isOpen && <p className="meta">{say('inspector.map-asking')}</p>}
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {type === 'here' && value === null && <p className="meta">{say('inspector.map-none')}</p>}
      {value !== null && (
        <>
          <p className="meta">
            {say('inspector.map-of', { shown: value.shownCount, all: value.fileCount, tokens: value.tokens })}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
          <pre className="map-text mono" dir="ltr" tabIndex={0}>
            {value.text}
          </pre>
        </>
      )}
    </details>
  )
}
