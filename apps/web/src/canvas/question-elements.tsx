import type { CanvasElement, ContentOf, Json } from '@holdfast/conversation'
import { type SubmitEvent, useId, useState } from 'react'
import { timeOfDay } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import { Markdown } from '../shared/markdown/markdown.tsx'
import type { CanvasActs } from './canvas-acts.ts'

interface QuestionProps<Type extends 'form' | 'confirmation'> {
  readonly element: CanvasElement & ContentOf<Type>
  readonly acts: CanvasActs
}

/** Sends an answer once: what is on its way is not sent again. */
function useAnswer(elementId: string, acts: CanvasActs) {
  const [state, setState] = useState<'open' | 'sending'>('open')
  const [problem, setProblem] = useState<string | null>(null)
  async function answer(value: Json): Promise<void> {
    if (state === 'sending' || !acts.isOnline) return
    setState('sending')
    const refused = await acts.act({ elementId, action: 'answer', value })
    setProblem(refused)
    if (refused !== null) setState('open')
  }
  return { answer, problem, isSending: state === 'sending' }
}

/** A question with its choices; once answered, the record of it. */
export function ConfirmationElement({ element, acts }: QuestionProps<'confirmation'>) {
  const { answer, problem, isSending } = useAnswer(element.id, acts)
  const { choices, body, answer: given } = element
  const chosen = choices.find(({ id }) => id === given?.choiceId)
  const isOff = isSending || !acts.isOnline
  return (
    <div className="question">
      {body !== '' && <Markdown text={body} isComplete />}
      {given !== null ? (
        <p className="answered" data-testid="canvas-answer">
          {given.choiceId === null
            ? say('canvas.answer-erased', { time: timeOfDay(given.at) })
            : say('canvas.you-chose', { choice: chosen?.label ?? given.choiceId, time: timeOfDay(given.at) })}
        </p>
      ) : (
        <div className="question-acts">
          {choices.map(({ id, label, style }) => (
            <button
              key={id}
              type="button"
              className={`button ${style}`}
              aria-disabled={isOff}
              onClick={() => void answer(id)}
            >
              {label}
            </button>
          ))}
        </div>
      )}
      <Refusal problem={problem} isOnline={acts.isOnline || given !== null} />
    </div>
  )
}

/** Fields to fill in; once sent, what was sent. */
export function FormElement({ element, acts }: QuestionProps<'form'>) {
  const { answer, problem, isSending } = useAnswer(element.id, acts)
  const { fields, body, submitLabel, answer: given } = element
  const isOff = isSending || !acts.isOnline

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    void answer(valuesOf(new FormData(event.currentTarget), fields))
  }

  if (given !== null) {
    const { values, at } = given
    if (values === null) {
      return (
        <p className="question answered" data-testid="canvas-answer">
          {say('canvas.answer-erased', { time: timeOfDay(at) })}
        </p>
      )
    }
    return (
      <div className="question" data-testid="canvas-answer">
        <dl className="given">
          {fields.map(({ name, label }) => (
            <div key={name}>
              <dt dir="auto">{label}</dt>
              <dd dir="auto">{givenText(values[name] ?? null)}</dd>
            </div>
          ))}
        </dl>
        <p className="answered">{say('canvas.you-sent-this', { time: timeOfDay(at) })}</p>
      </div>
    )
  }
  return (
    <form className="question" onSubmit={onSubmit} aria-label={element.title}>
      {body !== '' && <Markdown text={body} isComplete />}
      {fields.map((field) => (
        <Field key={field.name} field={field} />
      ))}
      <div className="question-acts">
        <button type="submit" className="button primary" aria-disabled={isOff}>
          {submitLabel}
        </button>
      </div>
      <Refusal problem={problem} isOnline={acts.isOnline} />
    </form>
  )
}

function Refusal({ problem, isOnline }: { readonly problem: string | null; readonly isOnline: boolean }) {
  if (problem !== null) {
    return (
      <p className="problem" role="alert">
        {problem}
      </p>
    )
  }
  return isOnline ? null : <p className="meta">{say('canvas.not-connected-answer-when-the')}</p>
}

type FormField = ContentOf<'form'>['fields'][number]

function Field({ field }: { readonly field: FormField }) {
  const id = useId()
  const { name, label, kind, required } = field
  if (kind === 'toggle') {
    return (
      <label className="check">
        <input type="checkbox" name={name} />
        <span dir="auto">{label}</span>
      </label>
    )
  }
  return (
    <div className="form-field">
      <label htmlFor={id} dir="auto">
        {label}
        {!required && <span className="meta"> {say('canvas.optional')}</span>}
      </label>
      <FieldInput id={id} field={field} />
    </div>
  )
}

function FieldInput({ id, field }: { readonly id: string; readonly field: FormField }) {
  const { name, kind, required, choices } = field
  switch (kind) {
    case 'text':
    case 'toggle':
      return <input id={id} type="text" name={name} required={required} maxLength={1_000} dir="auto" />
    case 'number':
      return <input id={id} type="number" name={name} required={required} step="any" />
    case 'long-text':
      return <textarea id={id} name={name} required={required} maxLength={20_000} rows={4} dir="auto" />
    case 'choice':
      return (
        <select id={id} name={name} required={required} defaultValue="">
          <option value="">{required ? say('canvas.choose') : say('canvas.none')}</option>
          {[...new Set(choices)].map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      )
  }
}

function valuesOf(data: FormData, fields: readonly FormField[]): Record<string, Json> {
  return Object.fromEntries(fields.map(({ name, kind }) => [name, fieldValue(data.get(name), kind)]))
}

function fieldValue(value: FormDataEntryValue | null, kind: FormField['kind']): Json {
  const text = typeof value === 'string' ? value : ''
  switch (kind) {
    case 'toggle':
      return value !== null
    case 'number':
      return text === '' ? null : Number(text)
    case 'choice':
      return text === '' ? null : text
    case 'text':
    case 'long-text':
      return text
  }
}

function givenText(value: Json): string {
  if (value === null || value === '') return '—'
  if (typeof value === 'boolean') return value ? say('canvas.yes') : say('canvas.no')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}
