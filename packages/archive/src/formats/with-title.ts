import type { SourceEvent } from '../log/source-event.ts'

/** Events of a conversation with its title behind the first of them: so an export that has grown only adds to the end. */
export function* withTitle(events: Iterable<SourceEvent>, title: string | null | undefined): Iterable<SourceEvent> {
  let isTold = !title
  for (const event of events) {
    yield event
    if (title && !isTold) yield { type: 'titled', title, source: 'auto' }
    isTold = true
  }
}
