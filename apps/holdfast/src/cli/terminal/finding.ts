/** One thing that was looked at. */
export interface Finding {
  readonly group: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly text: string
  /** What to do; null where there is nothing to do. */
  readonly remedy: string | null
}

/** What is as it should be. */
export function fine(group: string, text: string): Finding {
  return { group, state: 'ok', text, remedy: null }
}

/** What works, and not as well as it could. */
export function warn(group: string, text: string, remedy: string): Finding {
  return { group, state: 'warning', text, remedy }
}

/** What does not work. */
export function fail(group: string, text: string, remedy: string | null): Finding {
  return { group, state: 'failed', text, remedy }
}
