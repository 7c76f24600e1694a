import type { ReactNode } from 'react'
import { say } from '../shared/language/say.ts'
import type { Lack } from './lacking.ts'

/** A label above its control; what the control lacks below it. */
export function Field(props: {
  readonly label: string
  readonly isWide?: boolean
  readonly lack?: Lack | undefined
  readonly children: ReactNode
}) {
  const { label, isWide, lack, children } = props
  return (
    <div className={isWide ? 'schedule-wide' : undefined}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: its control is in the children */}
      <label>
        <span>{label}</span>
        {children}
      </label>
      <Lacking lack={lack} />
    </div>
  )
}

/** What is missing or wrong, where it is. */
export function Lacking({ lack }: { readonly lack: Lack | undefined }) {
  if (lack === undefined) return null
  return (
    <p className="problem schedule-lack" role="alert">
      {say(lack)}
    </p>
  )
}

/** An amount in dollars, as it is written. */
export function Money({
  label,
  value,
  lack,
  onValue,
}: {
  readonly label: string
  readonly value: string
  readonly lack: Lack | undefined
  readonly onValue: (text: string) => void
}) {
  return (
    <Field label={label} lack={lack}>
      <input
        type="text"
        inputMode="decimal"
        dir="ltr"
        placeholder="$"
        aria-invalid={lack !== undefined}
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
    </Field>
  )
}

/** One of a few. */
export function Choice<Value extends string>(props: {
  readonly label: string
  readonly value: Value
  readonly options: readonly Value[]
  readonly word: (option: Value) => string
  readonly onChosen: (option: Value) => void
}) {
  const { label, value, options, word, onChosen } = props
  return (
    <Field label={label}>
      <select
        className="picker boxed"
        value={value}
        onChange={({ target }) => {
          const chosen = options.find((option) => option === target.value)
          if (chosen !== undefined) onChosen(chosen)
        }}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {word(option)}
          </option>
        ))}
      </select>
    </Field>
  )
}
