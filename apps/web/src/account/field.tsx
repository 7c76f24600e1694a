import { useId } from 'react'

interface FieldProps {
  readonly label: string
  readonly name: string
  readonly type: 'text' | 'email' | 'password'
  readonly autoComplete: string
  readonly minLength?: number
  readonly maxLength: number
  /** Stands below the field. */
  readonly hint?: string
}

/** A field of a form, with its label above it. */
export function Field({ label, hint, ...input }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} required dir="auto" {...input} {...(hint === undefined ? {} : { 'aria-describedby': hintId })} />
      {hint !== undefined && (
        <p id={hintId} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  )
}

/** What a form holds under a name, as it was typed. */
export function typed(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name)
  return typeof value === 'string' ? value : ''
}
