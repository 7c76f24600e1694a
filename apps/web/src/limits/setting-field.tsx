import { type Json, SETTINGS, type SettingKey } from '@holdfast/conversation'
import { useState } from 'react'
import { say } from '../shared/language/say.ts'
import { choiceWord, fieldText, readField, unitWord } from './setting-value.ts'
import { SETTING_WORDS } from './setting-words.ts'

interface SettingFieldProps {
  readonly settingKey: SettingKey
  readonly id: string
  /** What is set; null where nothing is. */
  readonly value: Json
  /** What holds where nothing is set, in words: it stands in the empty field. */
  readonly below: string
  readonly isFixed: boolean
  /** Whether it stands above others, and may be set no longer. */
  readonly isOwn: boolean
  /** Null for nothing. */
  readonly onSet: (value: Json) => void
}

/** One setting as a field: a choice, a switch or a number. It is set when the field is left, or by Enter. */
export function SettingField(props: SettingFieldProps) {
  const { settingKey, value } = props
  // What is set elsewhere takes the place of what was being written.
  const known = JSON.stringify(value)
  switch (SETTINGS[settingKey].unit) {
    case 'switch':
      return <SwitchField {...props} />
    case 'choice':
      return <ChoiceField {...props} key={known} />
    case 'tokens':
    case 'milliseconds':
    case 'characters':
    case 'bytes':
    case 'count':
    case 'share':
      return <NumberField {...props} key={known} />
  }
}

function SwitchField({ id, value, below, isFixed, onSet }: SettingFieldProps) {
  return (
    <select
      id={id}
      className="picker boxed"
      aria-describedby={`${id}-why`}
      disabled={isFixed}
      value={String(value)}
      onChange={({ target }) => onSet(target.value === 'null' ? null : target.value === 'true')}
    >
      {value === null && <option value="null">{below}</option>}
      <option value="true">{say('limits.on')}</option>
      <option value="false">{say('limits.off')}</option>
    </select>
  )
}

/** A word of the list, or a number of tokens where one has bounds. */
function ChoiceField(props: SettingFieldProps) {
  const { settingKey, id, value, below, isFixed, isOwn, onSet } = props
  const [isNumber, setNumber] = useState(typeof value === 'number')
  const { choices, most } = SETTINGS[settingKey]
  return (
    <span className="limit-field">
      <select
        id={id}
        className="picker boxed"
        aria-describedby={`${id}-why`}
        disabled={isFixed}
        value={isNumber ? NUMBER : String(value)}
        onChange={({ target }) => {
          setNumber(target.value === NUMBER)
          if (target.value !== NUMBER) onSet(target.value === 'null' ? null : target.value)
        }}
      >
        {(isOwn || value === null) && <option value="null">{below}</option>}
        {choices?.map((choice) => (
          <option key={choice} value={choice}>
            {choiceWord(choice)}
          </option>
        ))}
        {most !== undefined && <option value={NUMBER}>{say('limits.budget')}</option>}
      </select>
      {isNumber && <NumberField {...props} id={`${id}-tokens`} below="8192" />}
    </span>
  )
}

const NUMBER = 'number'

function NumberField({ settingKey, id, value, below, isFixed, onSet }: SettingFieldProps) {
  const before = fieldText(settingKey, value)
  const [text, setText] = useState(before)
  const [problem, setProblem] = useState<string | null>(null)
  const unit = unitWord(settingKey)

  function leave(): void {
    if (text.trim() === before) return
    const read = readField(settingKey, text)
    setProblem(read.type === 'refused' ? read.problem : null)
    if (read.type === 'read') onSet(read.value)
  }

  return (
    <span className="limit-field">
      <input
        id={id}
        type="text"
        dir="auto"
        inputMode="decimal"
        autoComplete="off"
        aria-label={say(SETTING_WORDS[settingKey].name)}
        aria-describedby={`${id}-why`}
        aria-invalid={problem !== null}
        placeholder={below}
        disabled={isFixed}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={leave}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          leave()
        }}
      />
      {unit !== '' && <span className="meta">{unit}</span>}
      {problem !== null && (
        <span className="problem" role="alert">
          {problem}
        </span>
      )}
    </span>
  )
}
