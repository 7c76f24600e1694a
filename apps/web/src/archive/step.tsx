import type { ReactNode } from 'react'

interface StepProps {
  /** What kind of thing it begins with. */
  readonly kind: string
  readonly name: ReactNode
  readonly says: ReactNode
  /** What can be pressed. */
  readonly children: ReactNode
}

/** One thing to begin with: what it is, what is known of it, and one press. */
export function Step({ kind, name, says, children }: StepProps) {
  return (
    <li className="first-step" data-kind={kind}>
      <strong className="first-step-name">{name}</strong>
      <span className="first-step-says">{says}</span>
      <span className="first-step-act">{children}</span>
    </li>
  )
}
