import type { ReactNode } from 'react'

interface PickerProps {
  readonly testId: string
  /** What is chosen, for what the look of it depends on. */
  readonly state: string
  /** What is chosen here. */
  readonly name: string
  /** The chosen one, as short as it is known by. */
  readonly words: string
  /** Whether a name of any length is chosen, which gives way where there is little room. */
  readonly isName: boolean
  readonly title: string | undefined
  readonly value: string
  readonly onChoose: (value: string) => void
  /** The options: each says what it means, at any length. */
  readonly children: ReactNode
}

/**
 * A choice that is as wide as the chosen one and not as the longest of its options: the list of the browser lies over
 * the words unseen. [UI33]
 */
export function Picker({ testId, state, name, words, isName, title, value, onChoose, children }: PickerProps) {
  return (
    <span className="picker chosen" data-state={state} data-name={isName || undefined} title={title}>
      <span className="picker-words" dir="auto" aria-hidden="true">
        {words}
      </span>
      <select
        data-testid={testId}
        data-state={state}
        aria-label={name}
        title={title}
        value={value}
        onChange={({ target }) => onChoose(target.value)}
      >
        {children}
      </select>
    </span>
  )
}
