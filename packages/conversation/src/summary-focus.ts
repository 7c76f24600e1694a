import type { EntryOf } from './entry.ts'

/** Code of the notice that says what the summary of its run is to keep above all. */
const SUMMARY_FOCUS = 'summary-focus'

const BEGINNING = 'The summary keeps above all: '

/** What is written down of a person's wish before the summary is asked for, so that its request follows from the log. [RUN17] */
export function focusNotice(focus: string): Pick<EntryOf<'notice-raised'>, 'code' | 'severity' | 'text'> {
  return { code: SUMMARY_FOCUS, severity: 'info', text: `${BEGINNING}${focus}` }
}

/** What a notice says that the summary of its run is to keep above all; null for another notice. */
export function focusIn({ code, text }: Pick<EntryOf<'notice-raised'>, 'code' | 'text'>): string | null {
  return code === SUMMARY_FOCUS ? text.slice(BEGINNING.length) : null
}
