/** An invariant that does not hold. */
export interface Violation {
  /** The rule of docs/SPEC.md that is broken. */
  readonly rule: string
  /** What is so, with the values. */
  readonly text: string
}

/** Takes what is found wrong. */
export type Violate = (rule: string, text: string) => void
