import type { ConversationTools } from '@holdfast/client'
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { say } from '../../shared/language/say.ts'
import type { AskedOf, AskingOffer } from './offers.ts'

interface AskValuesProps {
  readonly offer: AskingOffer
  readonly values: readonly AskedOf[]
  readonly tools: ConversationTools
  /** Why it could not be used with the values before. */
  readonly problem: string | null
  readonly onDone: (values: Readonly<Record<string, string>>) => void
  readonly onCancel: () => void
}

/** Asks for the values of a prompt, or of the address of a resource, before it is used. */
export function AskValues({ offer, values, tools, problem, onDone, onCancel }: AskValuesProps) {
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({})
  const form = useRef<HTMLFormElement>(null)
  const isReady = values.every(({ name, required }) => !required || (given[name] ?? '').trim() !== '')
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    if (isReady) onDone(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')))
  }

  return (
    <form
      ref={form}
      className="ask-values"
      data-testid="ask-values"
      aria-label={say('mentions.values-of', { name: offer.name })}
      onSubmit={onSubmit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        event.preventDefault()
        event.stopPropagation()
        onCancel()
      }}
    >
      <strong dir="auto">{say('mentions.of-server', { name: offer.name, server: offer.server })}</strong>
      {values.map((value) => (
        <ValueField
          key={value.name}
          value={value}
          offer={offer}
          tools={tools}
          written={given[value.name] ?? ''}
          given={given}
          onWrite={(text) => setGiven({ ...given, [value.name]: text })}
        />
      ))}
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <div className="permission-buttons">
        <button type="submit" className="button primary" aria-disabled={!isReady}>
          {say(offer.choice.type === 'prompt' ? 'mentions.insert' : 'mentions.attach')}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {say('questions.cancel')}
        </button>
      </div>
    </form>
  )
}

interface ValueFieldProps {
  readonly value: AskedOf
  readonly offer: AskingOffer
  readonly tools: ConversationTools
  readonly written: string
  readonly given: Readonly<Record<string, string>>
  readonly onWrite: (text: string) => void
}

/** What is written must rest for so long before the server is asked what it proposes, in milliseconds. */
const REST_MS = 200

function ValueField({
  value: { name, description, required },
  offer,
  tools,
  written,
  given,
  onWrite,
}: ValueFieldProps) {
  const id = useId()
  const [proposed, setProposed] = useState<readonly string[]>([])
  useEffect(() => {
    let isOver = false
    const timer = setTimeout(async () => {
      const wish = { server: offer.server, of: askedOf(offer), argument: name, value: written, given: { ...given } }
      const values = await tools.propose(wish)
      if (!isOver) setProposed(values)
    }, REST_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [tools, offer, name, written, given])
  return (
    <div className="form-field">
      <label htmlFor={id} dir="auto">
        {name}
        {!required && <span className="meta optional">{say('questions.optional')}</span>}
      </label>
      <input
        id={id}
        type="text"
        dir="auto"
        autoComplete="off"
        list={`${id}-proposed`}
        aria-required={required}
        aria-describedby={`${id}-about`}
        value={written}
        onChange={(event) => onWrite(event.target.value)}
      />
      <datalist id={`${id}-proposed`}>
        {proposed.map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
      <p id={`${id}-about`} className="meta" dir="auto">
        {description}
      </p>
    </div>
  )
}

function askedOf({ choice }: AskingOffer): Parameters<ConversationTools['propose']>[0]['of'] {
  switch (choice.type) {
    case 'prompt':
      return { type: 'prompt', name: choice.name }
    case 'template':
      return { type: 'template', uriTemplate: choice.uriTemplate }
  }
}
