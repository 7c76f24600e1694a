import type { QuestionField } from '@holdfast/conversation'
import { useId } from 'react'
import { say } from '../language/say.ts'
import type { Filled } from './question-answer.ts'

interface QuestionFieldProps {
  readonly field: QuestionField
  readonly filled: Filled
  /** What is wrong with it; null before anybody has looked, and for what fits. */
  readonly problem: string | null
  readonly onFill: (filled: Filled) => void
}

/** One thing that is asked for: what it is called, where it is filled in, and what is wrong with it. */
export function QuestionFieldRow({ field, filled, problem, onFill }: QuestionFieldProps) {
  const id = useId()
  const { title, description, required } = field
  const told = { id, describedBy: `${id}-about`, isWrong: problem !== null }
  const label = (
    <>
      {title}
      {!required && field.type !== 'boolean' && <span className="meta optional">{say('questions.optional')}</span>}
    </>
  )
  return (
    <div className="form-field" data-field={field.name}>
      {field.type === 'choices' ? (
        <span id={`${id}-label`} className="form-label" dir="auto">
          {label}
        </span>
      ) : (
        field.type !== 'boolean' && (
          <label htmlFor={id} dir="auto">
            {label}
          </label>
        )
      )}
      <FieldInput {...{ field, filled, told, onFill }} />
      <div id={told.describedBy}>
        {description !== undefined && (
          <p className="meta" dir="auto">
            {description}
          </p>
        )}
        {problem !== null && <p className="problem">{problem}</p>}
      </div>
    </div>
  )
}

interface FieldInputProps extends Pick<QuestionFieldProps, 'field' | 'filled' | 'onFill'> {
  readonly told: { readonly id: string; readonly describedBy: string; readonly isWrong: boolean }
}

function FieldInput({ field, filled, told, onFill }: FieldInputProps) {
  const about = { id: told.id, 'aria-describedby': told.describedBy, 'aria-invalid': told.isWrong }
  const text = typeof filled === 'string' ? filled : ''
  switch (field.type) {
    case 'text':
      return (
        <input
          {...about}
          {...TEXT_INPUTS[field.format ?? 'plain']}
          autoComplete="off"
          aria-required={field.required}
          dir="auto"
          value={text}
          onChange={(event) => onFill(event.target.value)}
        />
      )
    case 'number':
      return (
        <input
          {...about}
          type="text"
          inputMode={field.isInteger ? 'numeric' : 'decimal'}
          dir="auto"
          autoComplete="off"
          aria-required={field.required}
          value={text}
          onChange={(event) => onFill(event.target.value)}
        />
      )
    case 'boolean':
      return (
        <label className="check">
          <input {...about} type="checkbox" checked={filled === true} onChange={(e) => onFill(e.target.checked)} />
          <span dir="auto">{field.title}</span>
        </label>
      )
    case 'choice':
      return (
        <select {...about} aria-required={field.required} value={text} onChange={(event) => onFill(event.target.value)}>
          <option value="">{say(field.required ? 'questions.choose' : 'questions.none')}</option>
          {field.options.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      )
    case 'choices': {
      const chosen = Array.isArray(filled) ? filled : []
      return (
        <fieldset className="choices" aria-labelledby={`${told.id}-label`} aria-describedby={told.describedBy}>
          {field.options.map(({ value, title }) => (
            <label key={value} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={(event) =>
                  onFill(event.target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
                }
              />
              <span dir="auto">{title}</span>
            </label>
          ))}
        </fieldset>
      )
    }
  }
}

const TEXT_INPUTS = {
  plain: { type: 'text' },
  email: { type: 'text', inputMode: 'email' },
  uri: { type: 'text', inputMode: 'url' },
  date: { type: 'date' },
  'date-time': { type: 'datetime-local' },
} as const
