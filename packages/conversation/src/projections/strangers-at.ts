import type { Entry } from '../entry.ts'
import type { Projection } from '../projection.ts'

/** When the newest call began, or message was sent, that may have brought what strangers wrote; null before the first. [PERM7] */
export const strangersAt: Projection<number | null> = {
  name: 'strangers-at',
  version: 2,
  initial: null,
  reduce: (state, entries) => entries.findLast(mayBring)?.at ?? state,
}

function mayBring(entry: Entry): boolean {
  // Where nobody has said it, it may have.
  if (entry.type === 'tool-call-started') return entry.strangers !== false
  return entry.type === 'user-message-sent' && entry.content.some(({ type }) => type === 'resource')
}
