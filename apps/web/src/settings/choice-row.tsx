import { say } from '../language/say.ts'

interface ChoiceRowProps<Value extends string> {
  readonly id: string
  readonly name: string
  readonly why: string
  readonly isUsual: boolean
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly name: string }[]
  readonly onChoose: (value: Value) => void
}

/** One setting of a few values: what it is, why one would change it, whether it is as usual, and where it is changed. */
export function ChoiceRow<Value extends string>(props: ChoiceRowProps<Value>) {
  const { id, name, why, isUsual, value, choices, onChoose } = props
  return (
    <div className="setting-row">
      <div>
        <label htmlFor={id}>{name}</label>
        {!isUsual && <span className="meta"> {say('settings.changed')}</span>}
        <p className="meta" id={`${id}-why`}>
          {why}
        </p>
      </div>
      <select
        id={id}
        className="picker boxed"
        aria-describedby={`${id}-why`}
        value={value}
        onChange={({ target }) => {
          const chosen = choices.find((choice) => choice.value === target.value)
          if (chosen) onChoose(chosen.value)
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </select>
    </div>
  )
}
