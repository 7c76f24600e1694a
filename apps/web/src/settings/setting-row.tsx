import type { ReactNode } from 'react'
import { say } from '../language/say.ts'

interface SettingRowProps {
  readonly id: string
  readonly name: string
  readonly why: string
  readonly isUsual: boolean
  readonly children: ReactNode
}

/** One setting: what it is, why one would change it, whether it is as usual, and where it is changed. */
export function SettingRow({ id, name, why, isUsual, children }: SettingRowProps) {
  return (
    <div className="setting-row">
      <div>
        <label htmlFor={id}>{name}</label>
        {!isUsual && <span className="meta"> {say('settings.changed')}</span>}
        <p className="meta" id={`${id}-why`}>
          {why}
        </p>
      </div>
      {children}
    </div>
  )
}

interface ChoiceProps<Value extends string> {
  readonly id: string
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly name: string }[]
  readonly onChoose: (value: Value) => void
}

/** One of a few values. */
export function Choice<Value extends string>({ id, value, choices, onChoose }: ChoiceProps<Value>) {
  return (
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
  )
}
