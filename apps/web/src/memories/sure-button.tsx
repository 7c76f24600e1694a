import { useState } from 'react'

interface SureProps {
  readonly name: string
  /** What it says before the second click. */
  readonly sure: string
  readonly onSure: () => void
}

/** A button for what cannot be undone: it asks once more, and forgets the first click when the focus leaves. */
export function SureButton({ name, sure, onSure }: SureProps) {
  const [isAsked, setAsked] = useState(false)
  return (
    <button
      type="button"
      className="link-button"
      data-sure={isAsked || undefined}
      onBlur={() => setAsked(false)}
      onClick={() => {
        if (isAsked) onSure()
        setAsked(!isAsked)
      }}
    >
      {isAsked ? sure : name}
    </button>
  )
}
