import type { ReactNode } from 'react'

/** A label above its control. */
export function Field(props: { readonly label: string; readonly isWide?: boolean; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: its control is in the children
    <label className={props.isWide ? 'schedule-wide' : undefined}>
      <span>{props.label}</span>
      {props.children}
    </label>
  )
}

/** An amount in dollars, as it is written. */
export function Money({
  label,
  value,
  onValue,
}: {
  readonly label: string
  readonly value: string
  readonly onValue: (text: string) => void
}) {
  return (
    <Field label={label}>
      <input
        type="text"
        inputMode="decimal"
        dir="ltr"
        placeholder="$"
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
